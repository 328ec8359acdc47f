package oidcop

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/account"
)

// Bearer is whom an access token speaks of, while its grant stands.
type Bearer struct {
	account.Account
	// ClientID is the token's client.
	ClientID string
	// Scopes that the member let the token's client have.
	Scopes []string
	// SID of the session that the token came of.
	SID uuid.UUID
	// Own: the client is ours, so that it may do what a member does in their own pages.
	Own bool
}

// Bearer reads a member's access token. Errors: account.ErrNotAuthorized for one that is not good, or has ended.
func (p *Provider) Bearer(ctx context.Context, token string) (Bearer, error) {
	ctx = op.ContextWithIssuer(ctx, p.cfg.Issuer)
	claims, err := p.accessToken(ctx, token)
	if err != nil {
		return Bearer{}, account.ErrNotAuthorized.Because(err)
	}
	g, err := p.storage.grantOf(ctx, claims.JWTID)
	if errors.Is(err, ErrNotFound) || err == nil && g.UID.String() != claims.Subject {
		return Bearer{}, account.ErrNotAuthorized.Because(errTokenEnded)
	}
	if err != nil {
		return Bearer{}, err
	}
	a, err := p.storage.accounts.ByUID(ctx, claims.Subject)
	if errors.Is(err, account.ErrUserNotFound) {
		return Bearer{}, account.ErrNotAuthorized.Because(err)
	}
	c, known := p.storage.clients.find(g.ClientID)
	return Bearer{Account: a, ClientID: g.ClientID, Scopes: g.Scopes, SID: g.SID, Own: known && c.FirstParty}, err
}

// SignOutEverywhere ends all sessions, grants and refresh tokens of a member, at every client.
func (p *Provider) SignOutEverywhere(ctx context.Context, uid uuid.UUID) error {
	return p.EndOtherDevices(ctx, uid, uuid.Nil)
}
