package oidcop

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/platform/seclog"
)

func (p *Provider) revoke(w http.ResponseWriter, r *http.Request, _ *client) { op.Revoke(w, r, p.op) }

// GetRefreshTokenInfo is for revocation.
func (s *storage) GetRefreshTokenInfo(ctx context.Context, _, token string) (uid, id string, err error) {
	g, err := s.store.GrantByRefreshToken(ctx, hash(token))
	if errors.Is(err, ErrNotFound) {
		return "", "", op.ErrInvalidRefreshToken
	}
	return g.UID.String(), g.ID.String(), err
}

// RevokeToken ends the whole grant, whichever of its tokens was given. An unknown token is
// revoked already (RFC 7009, 2.2).
func (s *storage) RevokeToken(ctx context.Context, id, _, clientID string) *oidc.Error {
	g, err := s.grantOf(ctx, id)
	if errors.Is(err, ErrNotFound) || (err == nil && g.ClientID != clientID) {
		return nil
	}
	if err == nil {
		err = s.store.RevokeGrant(ctx, g.ID, s.at())
	}
	if err != nil {
		return oidc.ErrServerError().WithParent(err)
	}
	return nil
}

// grantOf finds the live grant of an access token's id. That of a client which is no longer registered has ended.
func (s *storage) grantOf(ctx context.Context, tokenID string) (Grant, error) {
	id, _, _ := strings.Cut(tokenID, ".")
	parsed, err := uuid.Parse(id)
	if err != nil {
		return Grant{}, ErrNotFound.Because(err)
	}
	g, err := s.store.LiveGrant(ctx, parsed, s.at())
	if _, known := s.clients.find(g.ClientID); err == nil && !known {
		return Grant{}, ErrNotFound.Because(errors.New("its client is no longer registered"))
	}
	return g, err
}

// TokenActive says whether the grant behind the access token with this id is still active: neither it nor the session that it came of has
// ended or been revoked.
func (p *Provider) TokenActive(ctx context.Context, tokenID string) (bool, error) {
	_, err := p.storage.grantOf(ctx, tokenID)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// TerminateSession is not called: TerminateSessionFromRequest is.
func (s *storage) TerminateSession(context.Context, string, string) error { return nil }

// TerminateSessionFromRequest ends the browser's session and what came of it.
func (s *storage) TerminateSessionFromRequest(ctx context.Context, in *op.EndSessionRequest) (string, error) {
	if session, ok := sessionFrom(ctx); ok {
		if err := s.store.EndSession(ctx, session.SID, s.at()); err != nil {
			return "", err
		}
		s.security.Record(ctx, seclog.Event{Kind: seclog.SignOut, Outcome: seclog.Success, UID: session.UID.String()})
	}
	return in.RedirectURI, nil
}
