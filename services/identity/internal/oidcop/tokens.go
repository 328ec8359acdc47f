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

	"serein.app/services/platform/config"
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

// successorKeys are the present secret's and the previous one's, where there is one.
func successorKeys(secrets ...config.Secret) [][]byte {
	var made [][]byte
	for _, secret := range secrets {
		if secret != "" {
			key := sha256.Sum256([]byte("serein identity refresh successor\x00" + secret.Reveal()))
			made = append(made, key[:])
		}
	}
	return made
}

// successors are the tokens that may follow another: always the same, so that calls with one token side by side,
// or again after a lost answer, are given one successor (see RefreshGrace). While BROWSER_SECRET is replaced, a replica
// that has not taken the new one gives the second of them.
func (s *storage) successors(current string) []string {
	made := make([]string, len(s.successorKeys))
	for i, key := range s.successorKeys {
		m := hmac.New(sha256.New, key)
		m.Write([]byte(current))
		made[i] = base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(m.Sum(nil)[:20])
	}
	return made
}

// rotate gives the token that follows another. Errors: ErrNotFound, ErrReused.
func (s *storage) rotate(ctx context.Context, current string, now time.Time) (string, error) {
	may := s.successors(current)
	hashes := make([][]byte, len(may))
	for i, token := range may {
		hashes[i] = hash(token)
	}
	i, err := s.store.Rotate(ctx, hash(current), hashes, now)
	return may[i], err
}

// CreateAccessAndRefreshTokens ends the code or the old refresh token and gives new tokens.
func (s *storage) CreateAccessAndRefreshTokens(ctx context.Context, request op.TokenRequest, current string) (string, string, time.Time, error) {
	fresh, now := rand.Text(), s.at()
	var id uuid.UUID
	var err error
	switch r := request.(type) {
	case *Request:
		id, err = s.begin(ctx, r, hash(fresh), now)
	case *refreshRequest:
		id = r.ID
		fresh, err = s.rotate(ctx, current, now)
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
		AuthTime: *r.AuthTime, CreatedAt: now, ExpiresAt: now.Add(GrantLife), ByPasskey: r.ByPasskey, SecondStep: r.SecondStep,
	}
	if r.direct {
		return g.ID, s.store.BeginGrant(ctx, g, refreshHash, now)
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
	if c, ok := s.clients.find(g.ClientID); !ok || !c.staysSignedIn() {
		return nil, op.ErrInvalidRefreshToken
	}
	return &refreshRequest{Grant: g, scopes: s.stillAllowed(g)}, nil
}
