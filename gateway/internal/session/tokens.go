package session

import (
	"context"
	"time"
)

// Tokens is what is known of the tokens behind a session, and none of them.
type Tokens struct {
	// IssuedAt is when the provider said who it is; zero where it did not say.
	IssuedAt time.Time
	// AccessEnds is when the access token expires.
	AccessEnds time.Time
	// RenewsAt is when its renewal begins; zero where the provider gave no refresh token.
	RenewsAt time.Time
	// EndsAt is the session's absolute limit.
	EndsAt time.Time
}

// Tokens says what is known of the tokens behind a session that was checked. Errors: ErrNone, ErrUnsure.
func (s *Sessions) Tokens(ctx context.Context, id string) (Tokens, error) {
	if !WellFormed(id) {
		return Tokens{}, ErrNone
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	r, _, err := s.store.read(ctx, Hash(id))
	if err != nil {
		return Tokens{}, err
	}
	out := Tokens{IssuedAt: r.IssuedAt, AccessEnds: r.AccessEnds, EndsAt: r.EndsAt}
	if r.RefreshToken != "" {
		out.RenewsAt = r.AccessEnds.Add(-renewBefore)
	}
	return out, nil
}
