package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
)

// Cancel stops work that is not being finished yet.
func (s *Store) Cancel(ctx context.Context, uid, id string, now time.Time) (m meditation.Meditation, err error) {
	err = s.change(ctx, func(ctx context.Context, tx pgx.Tx) (effect, error) {
		row, err := s.q.Cancel(ctx, tx, sqlcgen.CancelParams{ID: id, Uid: uid, Now: now})
		if err != nil {
			return effect{}, lostRow(err)
		}
		if m, err = toMeditation(row); err != nil {
			return effect{}, err
		}
		return told(id).and(meditation.TopicStopped(id)), nil
	})
	return m, err
}

// AbandonOld gives up presses that never became work.
func (s *Store) AbandonOld(ctx context.Context, before, now time.Time) error {
	_, err := s.q.AbandonOld(ctx, s.db, sqlcgen.AbandonOldParams{Before: before, Now: now})
	return translate(err)
}

// FailOverdue ends work that took too long.
func (s *Store) FailOverdue(ctx context.Context, reason string, now time.Time) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (effect, error) {
		rows, err := s.q.FailOverdue(ctx, tx, sqlcgen.FailOverdueParams{Reason: reason, Now: now})
		e := effect{}
		for _, r := range rows {
			e = e.and(meditation.TopicChanged(r.ID)).and(meditation.TopicStopped(r.ID))
		}
		return e, err
	})
}

// Unsettled answers ended work whose hold may still stand.
func (s *Store) Unsettled(ctx context.Context) ([]meditation.Meditation, error) {
	rows, err := s.q.Unsettled(ctx, s.db)
	if err != nil {
		return nil, translate(err)
	}
	return toMeditations(rows)
}

// Settle marks ended work whose hold has ended, and forgets it if it was abandoned. Settling
// twice changes nothing and tells nothing.
func (s *Store) Settle(ctx context.Context, m meditation.Meditation) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (effect, error) {
		rows, err := s.q.Settle(ctx, tx, m.ID)
		if err != nil || len(rows) == 0 {
			return effect{}, err
		}
		settled, err := toMeditation(rows[0])
		if err != nil {
			return effect{}, err
		}
		if settled.State == meditation.Abandoned {
			return effect{}, s.q.Forget(ctx, tx, m.ID)
		}
		return told(m.ID, events.Failed(settled)), nil
	})
}

// PostponeSettling tries again after the wait.
func (s *Store) PostponeSettling(ctx context.Context, id string, wait time.Duration) error {
	return translate(s.q.PostponeSettling(ctx, s.db, sqlcgen.PostponeSettlingParams{ID: id, Wait: wait}))
}

// Untidy answers ended work with audio that nobody needs.
func (s *Store) Untidy(ctx context.Context) ([]meditation.Meditation, error) {
	rows, err := s.q.Untidy(ctx, s.db)
	if err != nil {
		return nil, translate(err)
	}
	return toMeditations(rows)
}

// Tidied says that the files are gone; for work that was given up the words go with them.
func (s *Store) Tidied(ctx context.Context, m meditation.Meditation) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (effect, error) {
		if err := s.q.Tidied(ctx, tx, m.ID); err != nil || m.State == meditation.Ready {
			return effect{}, err
		}
		if err := s.q.DropSegments(ctx, tx, m.ID); err != nil {
			return effect{}, err
		}
		return effect{}, s.q.DropScript(ctx, tx, m.ID)
	})
}
