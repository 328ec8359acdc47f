package oidcop

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// ClientConsent is one answer by which a member let a client have those scopes.
type ClientConsent struct {
	ClientID string
	// Name is the client's as members are shown it, or its id where it is not registered any more. A Store leaves it empty.
	Name   string
	Scopes []string
	At     time.Time
}

// AppConsents are a member's answers, the newest first.
func (p *Provider) AppConsents(ctx context.Context, uid uuid.UUID) ([]ClientConsent, error) {
	given, err := p.cfg.Store.ClientConsents(ctx, uid)
	for i := range given {
		given[i].Name = p.storage.clients.shown(given[i].ClientID)
	}
	return given, err
}
