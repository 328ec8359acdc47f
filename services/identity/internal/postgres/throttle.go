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
	_, err := s.q.Spend(ctx, s.db, sqlcgen.SpendParams{
		Key: key, Now: now, Free: int32(limit.Free),
		WindowSeconds: limit.Window.Seconds(), DelaySeconds: limit.Delay.Seconds(), MaxDelaySeconds: limit.MaxDelay.Seconds(),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, translate(err)
}

// Forgive takes a counted attempt back.
func (s *Store) Forgive(ctx context.Context, key []byte, limit account.Limit, now time.Time) error {
	return translate(s.q.Forgive(ctx, s.db, sqlcgen.ForgiveParams{Key: key, Free: int32(limit.Free), Now: now}))
}

// Clear forgets the key.
func (s *Store) Clear(ctx context.Context, key []byte) error {
	return translate(s.q.ClearThrottle(ctx, s.db, key))
}
