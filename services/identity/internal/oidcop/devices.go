package oidcop

import (
	"context"

	"github.com/google/uuid"

	"serein.app/services/platform/seclog"
)

// Devices are a member's sessions that can still be used, the one used last first. The session current, from which the member asks,
// counts as used now; uuid.Nil means that the caller does not know it.
func (p *Provider) Devices(ctx context.Context, uid, current uuid.UUID) ([]Session, error) {
	now := p.storage.at()
	if err := p.cfg.Store.UseSession(ctx, current, now); err != nil {
		return nil, err
	}
	return p.cfg.Store.UsableSessions(ctx, uid, now)
}

// EndDevice ends a session of a member's own, with all that came of it, and has its clients told. Another's, and one that has ended, is
// no fault.
func (p *Provider) EndDevice(ctx context.Context, uid, sid uuid.UUID) error {
	ended, err := p.cfg.Store.EndSessionOf(ctx, uid, sid, p.storage.at())
	if ended {
		p.cfg.Security.Record(ctx, seclog.Event{Kind: seclog.SignOut, Outcome: seclog.Success, UID: uid.String()})
	}
	return err
}

// EndOtherDevices ends all sessions of a member but one; with uuid.Nil all of them.
func (p *Provider) EndOtherDevices(ctx context.Context, uid, keep uuid.UUID) error {
	if err := p.cfg.Store.EndSessions(ctx, uid, keep, p.storage.at()); err != nil {
		return err
	}
	p.cfg.Security.Record(ctx, seclog.Event{Kind: seclog.SignOut, Outcome: seclog.Success, UID: uid.String()})
	return nil
}
