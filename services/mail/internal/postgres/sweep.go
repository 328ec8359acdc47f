package postgres

import (
	"context"
	"errors"
	"time"

	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

const (
	// sweepSize is how many mails one statement of a sweep finds.
	sweepSize = 200
	// idle is how long nobody has talked to a server about a mail that nobody is sending: some attempts' time.
	idle = 5 * time.Minute
)

// Sweep ends mails that wait although they are of no use any more, and says how many.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	swept := 0
	for {
		now := s.now()
		ids, err := s.queries.Overdue(ctx, s.db, sqlcgen.OverdueParams{Now: now, IdleSince: now.Add(-idle), Most: sweepSize})
		if err != nil {
			return swept, postgres.Translate(err, nil)
		}
		var faults []error
		for _, id := range ids {
			faults = append(faults, s.Fail(ctx, id, events.Expired))
		}
		if err := errors.Join(faults...); err != nil {
			return swept, err
		}
		if swept += len(ids); len(ids) < sweepSize {
			return swept, nil
		}
	}
}

// Waiting says how many mails wait, but for those that are held back, and since when the oldest does; the epoch where none does.
func (s *Store) Waiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	row, err := s.queries.Waiting(ctx, s.db, s.now())
	return row.Queued, row.Oldest, postgres.Translate(err, nil)
}
