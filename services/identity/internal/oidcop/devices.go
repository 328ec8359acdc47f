package oidcop

import (
	"context"

	"github.com/google/uuid"

	"serein.app/services/platform/seclog"
)

// Devices are the sessions of a member that somebody could still use, the one used last first; that of whoever asks is used now. A
// session that is not known, uuid.Nil, is nobody's.
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
