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
	blocked, _, err := s.SpendAll(ctx, []account.Spending{{Key: key, Limit: limit}}, now)
	return err == nil && blocked < 0, err
}

// SpendAll counts an attempt at each key up to the first that is blocked.
func (s *Store) SpendAll(ctx context.Context, all []account.Spending, now time.Time) (blocked int, wait time.Duration, err error) {
	in := sqlcgen.SpendAttemptsParams{Now: now}
	for _, one := range all {
		in.Keys, in.Free = append(in.Keys, one.Key), append(in.Free, int32(one.Limit.Free))
		in.WindowSeconds, in.DelaySeconds = append(in.WindowSeconds, one.Limit.Window.Seconds()), append(in.DelaySeconds, one.Limit.Delay.Seconds())
		in.MaxDelaySeconds = append(in.MaxDelaySeconds, one.Limit.MaxDelay.Seconds())
	}
	err = s.again(ctx, func(ctx context.Context) error {
		found, err := s.queries.SpendAttempts(ctx, s.db, in)
		blocked, wait = int(found.Place)-1, max(0, found.Until.Sub(now))
		return err
	})
	return blocked, wait, err
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
	return s.again(ctx, func(ctx context.Context) error { return s.queries.ForgiveAttempts(ctx, s.db, in) })
}

// ResetAttempts forgets the key.
func (s *Store) ResetAttempts(ctx context.Context, key []byte) error {
	return translate(s.queries.ResetAttempts(ctx, s.db, key))
}
