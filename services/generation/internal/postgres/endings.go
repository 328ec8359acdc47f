package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
)

// AbandonOld gives up requests that never became work.
func (s *Store) AbandonOld(ctx context.Context, before, now time.Time) error {
	_, err := s.queries.AbandonOld(ctx, s.db, sqlcgen.AbandonOldParams{Before: before, Now: now})
	return translate(err)
}

// batch is how many rows one statement ends.
const batch = 500

// FailOverdue ends work that took too long.
func (s *Store) FailOverdue(ctx context.Context, reason string, now time.Time) error {
	_, err := s.endAll(ctx, func(ctx context.Context, tx pgx.Tx) ([]uuid.UUID, error) {
		return s.queries.FailOverdue(ctx, tx, sqlcgen.FailOverdueParams{Reason: reason, Now: now, Most: batch})
	})
	return err
}

// longest bounds the sound of any meditation, so that few rows are looked at.
const longest = time.Hour

// Shed ends work that nobody has begun and nobody can finish any more.
func (s *Store) Shed(ctx context.Context, reason string, effort time.Duration, now time.Time) (int, error) {
	soon := now.Add(time.Duration(longest.Seconds() * float64(effort)))
	return s.endAll(ctx, func(ctx context.Context, tx pgx.Tx) ([]uuid.UUID, error) {
		return s.queries.Shed(ctx, tx, sqlcgen.ShedParams{
			Reason: reason, Now: now, Soon: soon, Effort: effort.Seconds(), Most: batch,
		})
	})
}

// endAll ends work in batches, one transaction a batch, and counts the work that it ended.
func (s *Store) endAll(ctx context.Context, end func(context.Context, pgx.Tx) ([]uuid.UUID, error)) (n int, err error) {
	for full := true; full && err == nil; {
		err = s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
			ended, err := end(ctx, tx)
			after := postCommit{}
			for _, id := range ended {
				after = after.withTopic(meditation.TopicChanged(id)).withTopic(meditation.TopicStopped(id))
			}
			full = len(ended) == batch
			n += len(ended)
			return after, err
		})
	}
	return n, err
}

// Purge ends what is due, batch by batch. Its words go in the transaction that ends it.
func (s *Store) Purge(ctx context.Context, now time.Time) (int, error) {
	return s.endAll(ctx, func(ctx context.Context, tx pgx.Tx) ([]uuid.UUID, error) {
		ended, err := s.queries.Purge(ctx, tx, sqlcgen.PurgeParams{Now: now, Most: batch})
		if err != nil {
			return nil, err
		}
		return ended, errors.Join(s.queries.DeleteSegmentsOf(ctx, tx, ended), s.queries.DeleteScriptsOf(ctx, tx, ended))
	})
}

// Unreconciled answers ended work whose hold may still stand.
func (s *Store) Unreconciled(ctx context.Context) ([]meditation.Meditation, error) {
	rows, err := s.queries.Unreconciled(ctx, s.db)
	if err != nil {
		return nil, translate(err)
	}
	return toMeditations(rows)
}

// Reconcile marks ended work whose hold has ended or was refunded, and deletes it if it was abandoned. Doing so
// twice changes nothing and publishes nothing.
func (s *Store) Reconcile(ctx context.Context, m meditation.Meditation) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		rows, err := s.queries.Reconcile(ctx, tx, m.ID)
		if err != nil || len(rows) == 0 {
			return postCommit{}, err
		}
		reconciled, err := toMeditation(rows[0])
		if err != nil {
			return postCommit{}, err
		}
		if reconciled.State == meditation.Abandoned {
			return postCommit{}, s.queries.DeleteAbandoned(ctx, tx, m.ID)
		}
		return changed(m.ID, events.Ended(reconciled)), nil
	})
}

// PostponeReconciling tries again after the wait.
func (s *Store) PostponeReconciling(ctx context.Context, id uuid.UUID, wait time.Duration) error {
	return translate(s.queries.PostponeReconciling(ctx, s.db, sqlcgen.PostponeReconcilingParams{ID: id, Wait: wait}))
}

// Untidy answers ended work with blobs that nobody needs.
func (s *Store) Untidy(ctx context.Context) ([]meditation.Meditation, error) {
	rows, err := s.queries.Untidy(ctx, s.db)
	if err != nil {
		return nil, translate(err)
	}
	return toMeditations(rows)
}

// PostponeTidying tries again after the wait.
func (s *Store) PostponeTidying(ctx context.Context, id uuid.UUID, wait time.Duration) error {
	return translate(s.queries.PostponeTidying(ctx, s.db, sqlcgen.PostponeTidyingParams{ID: id, Wait: wait}))
}

// Tidied says that the blobs are gone; for work that was given up the words go with them, and with that what was deleted is
// gone altogether. Where it has another state by now nothing is said: then more has to be tidied.
func (s *Store) Tidied(ctx context.Context, m meditation.Meditation) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		rows, err := s.queries.Tidied(ctx, tx, sqlcgen.TidiedParams{ID: m.ID, State: string(m.State)})
		if err != nil || rows == 0 || m.State == meditation.Ready {
			return postCommit{}, err
		}
		if m.State == meditation.Deleted {
			return changed(m.ID, events.Purged(m)), nil
		}
		if err := s.queries.DeleteSegments(ctx, tx, m.ID); err != nil {
			return postCommit{}, err
		}
		return postCommit{}, s.queries.DeleteScript(ctx, tx, m.ID)
	})
}
