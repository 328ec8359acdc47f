package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Begin writes a request down, or finds the meditation of the same key, in one round trip. One that narrates a draft takes its script from
// there in the same transaction.
func (s *Store) Begin(ctx context.Context, m meditation.Meditation, limit int) (begun meditation.Meditation, err error) {
	if m.DraftID == uuid.Nil {
		return s.begin(ctx, s.db, m, limit)
	}
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if begun, err = s.begin(ctx, tx, m, limit); err != nil || begun.ID != m.ID {
			return err
		}
		return s.takeDraft(ctx, tx, m)
	})
	return begun, err
}

func (s *Store) begin(ctx context.Context, db sqlcgen.DBTX, m meditation.Meditation, limit int) (meditation.Meditation, error) {
	day, err := time.Parse(time.DateOnly, m.Day)
	if err != nil {
		return meditation.Meditation{}, fmt.Errorf("day: %w", err)
	}
	brief, err := fromBrief(m)
	if err != nil {
		return meditation.Meditation{}, err
	}
	row, err := s.queries.Begin(ctx, db, sqlcgen.BeginParams{
		ID: m.ID, Uid: m.UID, IdempotencyKey: m.Key, Title: m.Title, TypeID: m.TypeID,
		PracticeID: m.PracticeID, SizeID: m.SizeID, Immersive: m.Immersive, TrackID: m.TrackID, Day: day,
		AskedNarratorID: m.AskedNarratorID, Language: m.Language, Brief: brief,
		NarratorID: m.NarratorID, NarratorName: m.NarratorName, Cost: int32(m.Cost),
		ExpectedUs: m.Expected.Microseconds(), CreatedAt: m.CreatedAt, Deadline: m.Deadline, MaxRunning: int32(limit),
		KeptInside: m.KeepInside,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return meditation.Meditation{}, meditation.ErrTooManyGenerations
	}
	if err != nil {
		return meditation.Meditation{}, translate(err)
	}
	return toMeditation(row)
}

// Enqueue makes a held request work, or abandons it with its hold when the member has enough
// running, in one round trip.
func (s *Store) Enqueue(ctx context.Context, m meditation.Meditation, limit int, now time.Time) (meditation.Meditation, error) {
	event, err := s.outbox.Row(ctx, events.Requested(m))
	if err != nil {
		return meditation.Meditation{}, err
	}
	var row sqlcgen.EnqueueRow
	err = postgres.InOneTrip(ctx, s.db, func(ctx context.Context, tx postgres.Queryer) error {
		if err := errors.Join(s.queries.LockMember(ctx, tx, m.UID.String()), s.queries.Notify(ctx, tx, []string{meditation.TopicQueue})); err != nil {
			return err
		}
		row, err = s.queries.Enqueue(ctx, tx, sqlcgen.EnqueueParams{
			ID: m.ID, Uid: m.UID, HoldID: m.HoldID, MaxRunning: int32(limit), Now: now,
			EventID: event.ID, EventSubject: event.Subject, EventPayload: event.Payload,
		})
		return err
	})
	if err != nil {
		return meditation.Meditation{}, translate(lostRow(err))
	}
	if m, err = toMeditation(sqlcgen.Meditation(row)); err != nil {
		return meditation.Meditation{}, err
	}
	if m.State == meditation.Abandoned {
		return m, meditation.ErrTooManyGenerations
	}
	s.outbox.Wake()
	return m, nil
}

// Discard forgets a request that billing refused.
func (s *Store) Discard(ctx context.Context, id uuid.UUID) error {
	return translate(s.queries.Discard(ctx, s.db, id))
}

// Undecided answers the member's requests whose credits may come back.
func (s *Store) Undecided(ctx context.Context, uid uuid.UUID, since time.Time) ([]uuid.UUID, error) {
	ids, err := s.queries.Undecided(ctx, s.db, sqlcgen.UndecidedParams{Uid: uid, Since: since})
	return ids, translate(err)
}
