package oidcop

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// CreateAccessToken is for service accounts; nothing is kept of their tokens.
func (s *storage) CreateAccessToken(_ context.Context, request op.TokenRequest) (string, time.Time, error) {
	if _, ok := request.(*serviceRequest); !ok {
		return "", time.Time{}, oidc.ErrInvalidGrant()
	}
	return s.newID().String(), s.now().UTC().Add(TokenLife), nil
}

// CreateAccessAndRefreshTokens ends the code or the old refresh token and gives new tokens. The
// access token's id begins with its grant's, so that revoking the grant revokes it.
func (s *storage) CreateAccessAndRefreshTokens(ctx context.Context, request op.TokenRequest, current string) (string, string, time.Time, error) {
	fresh, now := rand.Text(), s.at()
	var id uuid.UUID
	var err error
	switch r := request.(type) {
	case *Request:
		id, err = s.begin(ctx, r, fresh, now)
	case *refreshRequest:
		id, err = r.ID, s.store.Rotate(ctx, hash(current), hash(fresh), now)
	default:
		err = oidc.ErrInvalidGrant()
	}
	if errors.Is(err, ErrReused) || errors.Is(err, ErrNotFound) {
		s.log.WarnContext(ctx, "token refused", "error", err)
		return "", "", time.Time{}, oidc.ErrInvalidGrant().WithParent(err)
	}
	if err != nil {
		return "", "", time.Time{}, err
	}
	return id.String() + "." + rand.Text()[:8], fresh, now.Add(TokenLife), nil
}

func (s *storage) begin(ctx context.Context, r *Request, refresh string, now time.Time) (uuid.UUID, error) {
	if r.UID == nil || r.SID == nil || r.AuthTime == nil {
		return uuid.Nil, oidc.ErrInvalidGrant()
	}
	g := Grant{
		ID: s.newID(), UID: *r.UID, ClientID: r.ClientID, SID: *r.SID, Scopes: r.Scopes,
		AuthTime: *r.AuthTime, CreatedAt: now, ExpiresAt: now.Add(GrantLife),
	}
	return g.ID, s.store.Exchange(ctx, r.ID, g, hash(refresh), now)
}

// TokenRequestByRefreshToken finds the grant. Whether the token may still be used is decided
// under its lock, by Rotate.
func (s *storage) TokenRequestByRefreshToken(ctx context.Context, token string) (op.RefreshTokenRequest, error) {
	g, err := s.store.GrantByRefreshToken(ctx, hash(token))
	if err != nil {
		return nil, op.ErrInvalidRefreshToken
	}
	return &refreshRequest{Grant: g, scopes: s.stillAllowed(g)}, nil
}
