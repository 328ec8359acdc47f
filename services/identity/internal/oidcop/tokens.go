package oidcop

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/platform/seclog"
)

// CreateAccessToken is for service accounts, of whose tokens nothing is kept, and for clients that
// did not get a refresh token.
func (s *storage) CreateAccessToken(ctx context.Context, request op.TokenRequest) (string, time.Time, error) {
	switch r := request.(type) {
	case *serviceRequest:
		return s.newID().String(), s.now().UTC().Add(TokenLife), nil
	case *Request:
		now := s.at()
		id, err := s.begin(ctx, r, nil, now)
		if err != nil {
			return "", time.Time{}, s.refused(ctx, err)
		}
		return tokenID(id), now.Add(TokenLife), nil
	}
	return "", time.Time{}, oidc.ErrInvalidGrant()
}

// tokenID begins with the grant's, so that revoking the grant revokes the token.
func tokenID(grant uuid.UUID) string { return grant.String() + "." + rand.Text()[:8] }

// refused says invalid_grant where it is the code or the token that does not do.
func (s *storage) refused(ctx context.Context, err error) error {
	if errors.Is(err, ErrReused) || errors.Is(err, ErrNotFound) {
		s.log.WarnContext(ctx, "token refused", "error", err)
		return oidc.ErrInvalidGrant().WithParent(err)
	}
	return err
}

// successor is a new refresh token, or the one that follows another: always the same, so that calls with
// one token side by side, or again after a lost answer, are given one successor (see RefreshGrace).
func (s *storage) successor(current string) string {
	if current == "" {
		return rand.Text()
	}
	m := hmac.New(sha256.New, s.successorKey)
	m.Write([]byte(current))
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(m.Sum(nil)[:20])
}

// CreateAccessAndRefreshTokens ends the code or the old refresh token and gives new tokens.
func (s *storage) CreateAccessAndRefreshTokens(ctx context.Context, request op.TokenRequest, current string) (string, string, time.Time, error) {
	fresh, now := s.successor(current), s.at()
	var id uuid.UUID
	var err error
	switch r := request.(type) {
	case *Request:
		id, err = s.begin(ctx, r, hash(fresh), now)
	case *refreshRequest:
		id, err = r.ID, s.store.Rotate(ctx, hash(current), hash(fresh), now)
		if errors.Is(err, ErrReused) {
			s.security.Record(ctx, seclog.Event{Kind: seclog.Token, Outcome: seclog.Reused, UID: r.GetSubject(), Procedure: "refresh_token", Caller: r.ClientID})
		}
	default:
		err = oidc.ErrInvalidGrant()
	}
	if err != nil {
		return "", "", time.Time{}, s.refused(ctx, err)
	}
	return tokenID(id), fresh, now.Add(TokenLife), nil
}

func (s *storage) begin(ctx context.Context, r *Request, refreshHash []byte, now time.Time) (uuid.UUID, error) {
	if r.UID == nil || r.SID == nil || r.AuthTime == nil {
		return uuid.Nil, oidc.ErrInvalidGrant()
	}
	g := Grant{
		ID: s.newID(), UID: *r.UID, ClientID: r.ClientID, SID: *r.SID, Scopes: r.Scopes,
		AuthTime: *r.AuthTime, CreatedAt: now, ExpiresAt: now.Add(GrantLife),
	}
	return g.ID, s.store.Exchange(ctx, r.ID, g, refreshHash, now)
}

// TokenRequestByRefreshToken finds the grant. Whether the token may still be used is decided
// under its lock, by Rotate.
func (s *storage) TokenRequestByRefreshToken(ctx context.Context, token string) (op.RefreshTokenRequest, error) {
	g, err := s.store.GrantByRefreshToken(ctx, hash(token))
	if err != nil {
		return nil, op.ErrInvalidRefreshToken
	}
	if c, ok := s.clients[g.ClientID]; !ok || !c.staysSignedIn() {
		return nil, op.ErrInvalidRefreshToken
	}
	return &refreshRequest{Grant: g, scopes: s.stillAllowed(g)}, nil
}
