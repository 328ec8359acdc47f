package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
)

// Begin writes a press down, or finds the meditation of the same key.
func (s *Store) Begin(ctx context.Context, m meditation.Meditation) (meditation.Meditation, error) {
	day, err := time.Parse(time.DateOnly, m.Day)
	if err != nil {
		return meditation.Meditation{}, fmt.Errorf("day: %w", err)
	}
	brief, err := fromBrief(m.Brief)
	if err != nil {
		return meditation.Meditation{}, err
	}
	_, err = s.q.Begin(ctx, s.db, sqlcgen.BeginParams{
		ID: m.ID, Uid: m.UID, IdempotencyKey: orNil(m.Key), Title: m.Title, TypeID: m.TypeID,
		PracticeID: m.PracticeID, SizeID: m.SizeID, Immersive: m.Immersive, TrackID: m.TrackID, Day: day, Brief: brief,
		NarratorID: m.NarratorID, NarratorName: m.NarratorName, Cost: int32(m.Cost),
		ExpectedUs: m.Expected.Microseconds(), CreatedAt: m.CreatedAt, Deadline: m.Deadline,
	})
	if err != nil {
		return meditation.Meditation{}, translate(err)
	}
	row, err := s.q.ByKey(ctx, s.db, sqlcgen.ByKeyParams{Uid: m.UID, IdempotencyKey: m.Key})
	if errors.Is(err, pgx.ErrNoRows) {
		// Another request with this key was refused in the meantime and its row is gone.
		return meditation.Meditation{}, meditation.ErrTryAgain.Because(err)
	}
	if err != nil {
		return meditation.Meditation{}, translate(err)
	}
	return toMeditation(row)
}

// Running counts the member's meditations that are at work.
func (s *Store) Running(ctx context.Context, uid string) (int, error) {
	n, err := s.q.CountRunning(ctx, s.db, uid)
	return int(n), translate(err)
}

// Queue makes a held press work, or abandons it with its hold when the member has enough running.
func (s *Store) Queue(ctx context.Context, id, uid, holdID string, limit int, now time.Time) (queued meditation.Meditation, err error) {
	full := false
	err = s.change(ctx, func(ctx context.Context, tx pgx.Tx) (effect, error) {
		if err := s.q.LockMember(ctx, tx, uid); err != nil {
			return effect{}, err
		}
		running, err := s.q.CountRunning(ctx, tx, uid)
		if err != nil {
			return effect{}, err
		}
		if full = running >= int64(limit); full {
			return effect{}, lost(s.q.Abandon(ctx, tx, sqlcgen.AbandonParams{ID: id, HoldID: &holdID, Now: now}))
		}
		row, err := s.q.Queue(ctx, tx, sqlcgen.QueueParams{ID: id, HoldID: holdID})
		if err != nil {
			return effect{}, lostRow(err)
		}
		if queued, err = toMeditation(row); err != nil {
			return effect{}, err
		}
		return told(id, events.Requested(queued)).and(meditation.TopicQueue), nil
	})
	if err == nil && full {
		return queued, meditation.ErrTooManyGenerations
	}
	return queued, err
}

// Discard forgets a press that billing refused.
func (s *Store) Discard(ctx context.Context, id string) error {
	return translate(s.q.Discard(ctx, s.db, id))
}
