package oidcop

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/seclog"
)

// ClientConsent is one answer by which a member let a client have those scopes, or took back all that they had let it have.
type ClientConsent struct {
	ClientID string
	// Name is the client's as members are shown it, or its id where it is not registered any more. A Store leaves it empty.
	Name   string
	Scopes []string
	// Permissions are the scopes in words, in one order. A Store leaves them empty.
	Permissions []string
	At          time.Time
	Revoked     bool
}

// AppConsents are a member's answers, the newest first.
func (p *Provider) AppConsents(ctx context.Context, uid uuid.UUID) ([]ClientConsent, error) {
	given, err := p.cfg.Store.ClientConsents(ctx, uid)
	for i := range given {
		given[i].Name, given[i].Permissions = p.storage.clients.shown(given[i].ClientID), asks(given[i].Scopes)
	}
	return given, err
}

// RevokeAppConsents takes back what a member has let a client do. A client that may do nothing is no fault.
func (p *Provider) RevokeAppConsents(ctx context.Context, uid uuid.UUID, clientID string) error {
	revoked, err := p.cfg.Store.RevokeClientConsents(ctx, uid, clientID, p.storage.at())
	if revoked && err == nil {
		p.cfg.Security.Record(ctx, seclog.Event{Kind: seclog.AppConsent, Outcome: seclog.Removed, UID: uid.String(), Caller: clientID})
	}
	return err
}
