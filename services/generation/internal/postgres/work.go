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
	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/outbox"
)

// Claim takes the next work that is nobody's.
func (s *Store) Claim(ctx context.Context, c meditation.Claim) (m meditation.Meditation, ok bool, err error) {
	err = s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		id, err := s.next(ctx, tx, c)
		if err != nil {
			return postCommit{}, err
		}
		row, err := s.queries.Take(ctx, tx, sqlcgen.TakeParams{ID: id, WorkerID: c.Worker})
		if err != nil {
			return postCommit{}, err
		}
		if m, err = toMeditation(row); err != nil {
			return postCommit{}, err
		}
		if m.Attempt == 1 {
			return changed(m.ID, events.Progressed(m)), nil
		}
		return changed(m.ID), nil
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return m, false, nil
	}
	return m, err == nil, err
}

// next chooses: what is suspect, for a worker that has nothing else; then what was begun; then what waits.
func (s *Store) next(ctx context.Context, tx pgx.Tx, c meditation.Claim) (uuid.UUID, error) {
	id, err := s.queries.Suspect(ctx, tx, meditation.SuspectAfter)
	if err == nil && !c.Alone {
		return uuid.Nil, pgx.ErrNoRows
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return id, err
	}
	if id, err = s.queries.Begun(ctx, tx, meditation.SuspectAfter); !errors.Is(err, pgx.ErrNoRows) {
		return id, err
	}
	if c.Newest {
		return s.queries.Newest(ctx, tx, sqlcgen.NewestParams{Now: c.Now, Effort: c.Effort.Seconds()})
	}
	return s.queries.Oldest(ctx, tx, sqlcgen.OldestParams{Now: c.Now, Effort: c.Effort.Seconds()})
}

// Owned answers ErrLost when the attempt no longer owns the work.
func (s *Store) Owned(ctx context.Context, m meditation.Meditation) error {
	owned, err := s.queries.Owned(ctx, s.db, sqlcgen.OwnedParams{ID: m.ID, Attempt: int32(m.Attempt)})
	if err == nil && !owned {
		return meditation.ErrLost
	}
	return translate(err)
}

// GiveBack makes the work nobody's.
func (s *Store) GiveBack(ctx context.Context, m meditation.Meditation, wait time.Duration, setbacks int) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		err := lost(s.queries.GiveBack(ctx, tx, sqlcgen.GiveBackParams{
			ID: m.ID, Attempt: int32(m.Attempt), Wait: wait, Setbacks: int32(setbacks),
		}))
		return changed(m.ID).withTopic(meditation.TopicQueue), err
	})
}

// Script reads the stored script; its words are counted on the meditation.
func (s *Store) Script(ctx context.Context, id uuid.UUID) (recording.Script, error) {
	data, err := s.queries.Script(ctx, s.db, id)
	if err != nil {
		return recording.Script{}, translate(err)
	}
	passages, err := toPassages(data)
	return recording.Script{Passages: passages}, err
}

// SaveScript stores the script and starts the narration.
func (s *Store) SaveScript(ctx context.Context, m meditation.Meditation, script recording.Script, segments int, expected time.Duration) (meditation.Meditation, error) {
	passages, err := fromPassages(script.Passages)
	if err != nil {
		return meditation.Meditation{}, err
	}
	return s.step(ctx, events.Progressed, func(tx pgx.Tx) (sqlcgen.Meditation, error) {
		row, err := s.queries.StartNarrating(ctx, tx, sqlcgen.StartNarratingParams{
			ID: m.ID, Attempt: int32(m.Attempt), Words: int32(script.Words),
			PassagesTotal: int32(segments), ExpectedUs: expected.Microseconds(),
		})
		if err != nil {
			return row, err
		}
		return row, s.queries.SaveScript(ctx, tx, sqlcgen.SaveScriptParams{MeditationID: m.ID, Passages: passages})
	})
}

// ChangeNarrator has another narrator speak a meditation of which no segment is stored.
func (s *Store) ChangeNarrator(ctx context.Context, m meditation.Meditation, n recording.Narrator, expected time.Duration) (meditation.Meditation, error) {
	return s.step(ctx, nil, func(tx pgx.Tx) (sqlcgen.Meditation, error) {
		return s.queries.ChangeNarrator(ctx, tx, sqlcgen.ChangeNarratorParams{
			ID: m.ID, Attempt: int32(m.Attempt), NarratorID: n.ID, NarratorName: n.Name, ExpectedUs: expected.Microseconds(),
		})
	})
}

// AddSegment stores a segment and the progress it makes.
func (s *Store) AddSegment(ctx context.Context, m meditation.Meditation, segment recording.Segment, expected time.Duration) error {
	lines, err := fromLines(segment.Lines)
	if err != nil {
		return err
	}
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (postCommit, error) {
		return changed(m.ID), lost(s.queries.AddSegment(ctx, tx, sqlcgen.AddSegmentParams{
			MeditationID: m.ID, Attempt: int32(m.Attempt), Index: int32(segment.Index),
			StartUs: segment.Start.Microseconds(), DurationUs: segment.Duration.Microseconds(),
			SilenceUs: segment.Silence.Microseconds(), BlobKey: segment.BlobKey, Bytes: segment.Bytes,
			Lines: lines, ExpectedUs: expected.Microseconds(),
		}))
	})
}

// StartFinishing says that everything is spoken.
func (s *Store) StartFinishing(ctx context.Context, m meditation.Meditation) (meditation.Meditation, error) {
	return s.step(ctx, events.Progressed, func(tx pgx.Tx) (sqlcgen.Meditation, error) {
		return s.queries.StartFinishing(ctx, tx, sqlcgen.StartFinishingParams{ID: m.ID, Attempt: int32(m.Attempt)})
	})
}

// Complete says that the recording is stored and paid for.
func (s *Store) Complete(ctx context.Context, m meditation.Meditation, now time.Time) error {
	_, err := s.step(ctx, events.Completed, func(tx pgx.Tx) (sqlcgen.Meditation, error) {
		return s.queries.Complete(ctx, tx, sqlcgen.CompleteParams{ID: m.ID, Attempt: int32(m.Attempt), Now: now})
	})
	return err
}

// Refund says that what was paid for is lost. The event follows when the credits are back.
func (s *Store) Refund(ctx context.Context, m meditation.Meditation, reason string, now time.Time) (meditation.Meditation, error) {
	return s.step(ctx, nil, func(tx pgx.Tx) (sqlcgen.Meditation, error) {
		return s.queries.Refund(ctx, tx, sqlcgen.RefundParams{ID: m.ID, Attempt: int32(m.Attempt), Reason: reason, Now: now})
	})
}

// Fail ends work that its worker gives up. The event follows when the hold has ended.
func (s *Store) Fail(ctx context.Context, m meditation.Meditation, reason string, reconciled bool, now time.Time) (meditation.Meditation, error) {
	var event func(meditation.Meditation) outbox.Event
	if reconciled {
		event = events.Failed
	}
	return s.step(ctx, event, func(tx pgx.Tx) (sqlcgen.Meditation, error) {
		return s.queries.Fail(ctx, tx, sqlcgen.FailParams{
			ID: m.ID, Attempt: int32(m.Attempt), Reason: reason, Reconciled: reconciled, Now: now,
		})
	})
}

// step is a fenced change of one row; no row means that the work is lost.
func (s *Store) step(ctx context.Context, event func(meditation.Meditation) outbox.Event, change func(pgx.Tx) (sqlcgen.Meditation, error)) (m meditation.Meditation, err error) {
	err = s.change(ctx, func(_ context.Context, tx pgx.Tx) (postCommit, error) {
		row, err := change(tx)
		if err != nil {
			return postCommit{}, lostRow(err)
		}
		if m, err = toMeditation(row); err != nil {
			return postCommit{}, err
		}
		if event == nil {
			return changed(m.ID), nil
		}
		return changed(m.ID, event(m)), nil
	})
	return m, err
}
