package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/platform/outbox"
)

// Claim takes the next work whose lease is free or has lapsed.
func (s *Store) Claim(ctx context.Context, lease time.Duration) (m meditation.Meditation, ok bool, err error) {
	err = s.change(ctx, func(ctx context.Context, tx pgx.Tx) (effect, error) {
		row, err := s.q.Claim(ctx, tx, lease)
		if err != nil {
			return effect{}, err
		}
		if m, err = toMeditation(row); err != nil {
			return effect{}, err
		}
		if m.Attempt == 1 {
			return told(m.ID, events.Progressed(m)), nil
		}
		return told(m.ID), nil
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return m, false, nil
	}
	return m, err == nil, err
}

// Beat keeps the lease.
func (s *Store) Beat(ctx context.Context, m meditation.Meditation, lease time.Duration) error {
	return translate(lost(s.q.Beat(ctx, s.db, sqlcgen.BeatParams{ID: m.ID, Attempt: int32(m.Attempt), Lease: lease})))
}

// Yield gives work back.
func (s *Store) Yield(ctx context.Context, m meditation.Meditation, wait time.Duration, setbacks int) error {
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (effect, error) {
		err := lost(s.q.Yield(ctx, tx, sqlcgen.YieldParams{
			ID: m.ID, Attempt: int32(m.Attempt), Wait: wait, Setbacks: int32(setbacks),
		}))
		return told(m.ID).and(meditation.TopicQueue), err
	})
}

// Script reads the script that is kept; its words are counted on the meditation.
func (s *Store) Script(ctx context.Context, id string) (meditation.Script, error) {
	data, err := s.q.Script(ctx, s.db, id)
	if err != nil {
		return meditation.Script{}, translate(err)
	}
	passages, err := toPassages(data)
	return meditation.Script{Passages: passages}, err
}

// SaveScript keeps the script and starts the narration.
func (s *Store) SaveScript(ctx context.Context, m meditation.Meditation, script meditation.Script, segments int, expected time.Duration) (meditation.Meditation, error) {
	passages, err := fromPassages(script.Passages)
	if err != nil {
		return meditation.Meditation{}, err
	}
	return s.step(ctx, events.Progressed, func(tx pgx.Tx) (sqlcgen.Meditation, error) {
		row, err := s.q.StartNarrating(ctx, tx, sqlcgen.StartNarratingParams{
			ID: m.ID, Attempt: int32(m.Attempt), Words: int32(script.Words),
			PassagesTotal: int32(segments), ExpectedUs: expected.Microseconds(),
		})
		if err != nil {
			return row, err
		}
		return row, s.q.SaveScript(ctx, tx, sqlcgen.SaveScriptParams{MeditationID: m.ID, Passages: passages})
	})
}

// AddSegment keeps a segment and the progress it makes.
func (s *Store) AddSegment(ctx context.Context, m meditation.Meditation, segment meditation.Segment, expected time.Duration) error {
	lines, err := fromLines(segment.Lines)
	if err != nil {
		return err
	}
	return s.change(ctx, func(ctx context.Context, tx pgx.Tx) (effect, error) {
		return told(m.ID), lost(s.q.AddSegment(ctx, tx, sqlcgen.AddSegmentParams{
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
		return s.q.StartFinishing(ctx, tx, sqlcgen.StartFinishingParams{ID: m.ID, Attempt: int32(m.Attempt)})
	})
}

// Complete says that the recording is kept and paid for.
func (s *Store) Complete(ctx context.Context, m meditation.Meditation, now time.Time) error {
	_, err := s.step(ctx, events.Completed, func(tx pgx.Tx) (sqlcgen.Meditation, error) {
		return s.q.Complete(ctx, tx, sqlcgen.CompleteParams{ID: m.ID, Attempt: int32(m.Attempt), Now: now})
	})
	return err
}

// Fail ends work that its worker gives up. The event follows when the hold has ended.
func (s *Store) Fail(ctx context.Context, m meditation.Meditation, reason string, settled bool, now time.Time) (meditation.Meditation, error) {
	var event func(meditation.Meditation) outbox.Event
	if settled {
		event = events.Failed
	}
	return s.step(ctx, event, func(tx pgx.Tx) (sqlcgen.Meditation, error) {
		return s.q.Fail(ctx, tx, sqlcgen.FailParams{
			ID: m.ID, Attempt: int32(m.Attempt), Reason: reason, Settled: settled, Now: now,
		})
	})
}

// step is a fenced change of one row; no row means that the work is lost.
func (s *Store) step(ctx context.Context, event func(meditation.Meditation) outbox.Event, change func(pgx.Tx) (sqlcgen.Meditation, error)) (m meditation.Meditation, err error) {
	err = s.change(ctx, func(_ context.Context, tx pgx.Tx) (effect, error) {
		row, err := change(tx)
		if err != nil {
			return effect{}, lostRow(err)
		}
		if m, err = toMeditation(row); err != nil {
			return effect{}, err
		}
		if event == nil {
			return told(m.ID), nil
		}
		return told(m.ID, event(m)), nil
	})
	return m, err
}
