package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/events"
	"serein.app/services/platform/postgres"
)

const holdSQL = `SELECT outcome, hold_id, plan, top_up, ends_at, plan_left, top_up_left, held
FROM hold_and_balance($1, $2, $3, $4, $5, '', $6, $7, $8, $9)`

// holdRow is the answer of hold_and_balance. Not every outcome comes with a hold.
type holdRow struct {
	outcome     string
	id          uuid.NullUUID
	plan, topUp *int64
	endsAt      *time.Time
	// What the member has afterwards; nil where they have had nothing yet.
	planLeft, topUpLeft, held *int64
}

func scanHold(r pgx.Row, into *holdRow) error {
	return r.Scan(&into.outcome, &into.id, &into.plan, &into.topUp, &into.endsAt, &into.planLeft, &into.topUpLeft, &into.held)
}

// Hold sets credits aside, and answers what the member has then. A repeat of the same request answers the same hold.
func (s *Store) Hold(ctx context.Context, r credits.HoldRequest) (credits.Hold, credits.Balance, error) {
	id, err := s.newID()
	if err != nil {
		return credits.Hold{}, credits.Balance{}, err
	}
	now := s.now()
	hold := credits.Hold{ID: id, UID: r.UID, Reference: r.Reference, ExpiresAt: now.Add(r.TTL)}
	ids, payloads, err := s.eventsPerSplit(ctx, hold, r.Amount)
	if err != nil {
		return credits.Hold{}, credits.Balance{}, err
	}
	var row holdRow
	outcome, err := s.settled(ctx, s.db, r.UID, now, func() (_ string, err error) {
		row, err = ask(ctx, s.calls, r.UID, scanHold, holdSQL, hold.ID, r.UID, r.Amount, r.Key,
			r.Reference, now, hold.ExpiresAt, ids, payloads)
		return row.outcome, err
	})
	switch {
	case err != nil:
		return credits.Hold{}, credits.Balance{}, err
	case outcome == "insufficient":
		return credits.Hold{}, credits.Balance{}, credits.ErrInsufficient
	case outcome == "reused":
		return credits.Hold{}, credits.Balance{}, credits.ErrKeyReused
	}
	hold.ID, hold.Plan, hold.TopUp, hold.ExpiresAt = row.id.UUID, *row.plan, *row.topUp, row.endsAt.UTC()
	s.holdCache.Add(hold.ID, hold)
	s.outbox.Wake()
	return hold, credits.Balance{PlanAvailable: *row.planLeft, TopUpAvailable: *row.topUpLeft, Held: *row.held}, nil
}

// eventsPerSplit makes the event for every possible split between the pools, since only the SQL function knows
// the split: event n takes n credits from the top-ups.
func (s *Store) eventsPerSplit(ctx context.Context, hold credits.Hold, amount int64) ([]uuid.UUID, [][]byte, error) {
	ids := make([]uuid.UUID, amount+1)
	payloads := make([][]byte, amount+1)
	for n := range amount + 1 {
		hold.Plan, hold.TopUp = amount-n, n
		row, err := s.outbox.Row(ctx, events.CreditsHeld(hold))
		if err != nil {
			return nil, nil, err
		}
		ids[n], payloads[n] = row.ID, row.Payload
	}
	return ids, payloads, nil
}

// Release ends a hold without a charge. Releasing one that ended uncaptured changes nothing.
func (s *Store) Release(ctx context.Context, id uuid.UUID) error {
	hold, err := s.hold(ctx, id)
	if err != nil {
		return err
	}
	row, err := s.outbox.Row(ctx, events.CreditsReleased(hold, events.Released))
	if err != nil {
		return err
	}
	state, err := s.end(ctx, "release_hold", hold, row.ID, row.Payload)
	switch {
	case err != nil:
		return err
	case state == "captured":
		return credits.ErrHoldCaptured
	}
	return nil
}

// Refund gives the credits of a captured hold back and says how many they are. Refunding a refunded hold
// changes nothing.
func (s *Store) Refund(ctx context.Context, id uuid.UUID) (int64, error) {
	hold, err := s.hold(ctx, id)
	if err != nil {
		return 0, err
	}
	row, err := s.outbox.Row(ctx, events.CreditsRefunded(hold))
	if err != nil {
		return 0, err
	}
	outcome, err := s.end(ctx, "refund_hold", hold, row.ID, row.Payload)
	switch {
	case err != nil:
		return 0, err
	case outcome != "refunded" && outcome != "repeated":
		return 0, credits.ErrHoldNotCaptured
	case outcome == "refunded":
		s.metrics.moved(ctx, refunded, hold.Plan+hold.TopUp)
	}
	return hold.Plan + hold.TopUp, nil
}

// end calls release_hold or refund_hold, and gives its answer.
func (s *Store) end(ctx context.Context, function string, hold credits.Hold, event uuid.UUID, payload []byte) (string, error) {
	now := s.now()
	state, err := s.settled(ctx, s.db, hold.UID, now, func() (string, error) {
		return ask(ctx, s.calls, hold.UID, scanText, fmt.Sprintf(`SELECT %s($1, $2, $3, $4, $5)`, function),
			hold.ID, hold.UID, now, event, payload)
	})
	if err == nil {
		s.outbox.Wake()
	}
	return state, err
}

// hold reads what never changes about a hold. The cache spares the read where this replica
// made the hold; it cannot be out of date.
func (s *Store) hold(ctx context.Context, id uuid.UUID) (credits.Hold, error) {
	if hold, ok := s.holdCache.Get(id); ok {
		return hold, nil
	}
	row, err := s.queries.HoldRecord(ctx, s.db, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return credits.Hold{}, credits.ErrHoldNotFound
	}
	if err != nil {
		return credits.Hold{}, postgres.Translate(err, nil)
	}
	hold := credits.Hold{ID: id, UID: row.Uid, Plan: row.PlanCredits, TopUp: row.TopUpCredits, Reference: row.Reference}
	s.holdCache.Add(id, hold)
	return hold, nil
}
