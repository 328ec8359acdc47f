package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

var _ account.Throttle = (*Store)(nil)

// Spend counts an attempt in one statement, so attempts side by side are counted one by one.
func (s *Store) Spend(ctx context.Context, key []byte, limit account.Limit, now time.Time) (bool, error) {
	_, err := s.queries.Spend(ctx, s.db, sqlcgen.SpendParams{
		Key: key, Now: now, Free: int32(limit.Free),
		WindowSeconds: limit.Window.Seconds(), DelaySeconds: limit.Delay.Seconds(), MaxDelaySeconds: limit.MaxDelay.Seconds(),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, translate(err)
}

// Wait is how long a key must wait.
func (s *Store) Wait(ctx context.Context, key []byte, now time.Time) (time.Duration, error) {
	until, err := s.queries.BlockedUntil(ctx, s.db, key)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return max(0, until.Sub(now)), translate(err)
}

// RefundAttempt takes a counted attempt back.
func (s *Store) RefundAttempt(ctx context.Context, key []byte, limit account.Limit) error {
	return translate(s.queries.RefundAttempt(ctx, s.db, sqlcgen.RefundAttemptParams{Key: key, Free: int32(limit.Free)}))
}

// ForgiveAttempts takes back one attempt of each key with free tries, and all of each other.
func (s *Store) ForgiveAttempts(ctx context.Context, forgiven []account.Forgiven) error {
	in := sqlcgen.ForgiveAttemptsParams{}
	for _, f := range forgiven {
		in.Keys, in.Free = append(in.Keys, f.Key), append(in.Free, int32(f.Free))
	}
	return translate(s.queries.ForgiveAttempts(ctx, s.db, in))
}

// ResetAttempts forgets the key.
func (s *Store) ResetAttempts(ctx context.Context, key []byte) error {
	return translate(s.queries.ResetAttempts(ctx, s.db, key))
}
