package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// low is what spend_hold answers, without a change, when it has to tell of few credits and was not given what to tell.
const low = "low"

// Capture spends a hold. Capturing a captured hold changes nothing.
func (s *Store) Capture(ctx context.Context, id uuid.UUID) error {
	hold, err := s.hold(ctx, id)
	if err != nil {
		return err
	}
	state, err := s.spend(ctx, hold)
	switch {
	case err != nil:
		return err
	case state == "released":
		return credits.ErrHoldReleased
	case state == "expired":
		return credits.ErrHoldExpired
	case state == "captured":
		s.metrics.moved(ctx, spent, hold.Plan+hold.TopUp)
	}
	return nil
}

// spend takes one round trip, or three when the balance becomes low and an event has to say so, which happens once a grant.
func (s *Store) spend(ctx context.Context, hold credits.Hold) (string, error) {
	row, err := s.outbox.Row(ctx, events.CreditsSpent(hold))
	if err != nil {
		return "", err
	}
	var tell lowBalance
	for range settleTries {
		now := s.now()
		state, err := s.settled(ctx, s.db, hold.UID, now, func() (string, error) {
			return ask(ctx, s.calls, hold.UID, scanText, `SELECT spend_hold($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
				hold.ID, hold.UID, now, row.ID, row.Payload, int64(credits.Enough), tell.grant, tell.ids, tell.payloads)
		})
		if err != nil || state != low {
			s.outbox.Wake()
			return state, err
		}
		if tell, err = s.lowBalance(ctx, hold.UID); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("member %s: %w", hold.UID, errUnsettled)
}

func scanText(r pgx.Row, into *string) error { return r.Scan(into) }

// lowBalance holds the event of a low balance of a member, one for each number of credits that is too small.
type lowBalance struct {
	grant    *string
	ids      []uuid.UUID
	payloads [][]byte
}

func (s *Store) lowBalance(ctx context.Context, uid uuid.UUID) (tell lowBalance, err error) {
	row, err := s.queries.LowBalance(ctx, s.db, uid)
	if err != nil {
		return tell, postgres.Translate(err, nil)
	}
	what := s.lowOf(row)
	tell.grant = &what.Grant
	for available := range int64(credits.Enough) {
		event, err := s.outbox.Row(ctx, events.CreditsLow(uid, available, what))
		if err != nil {
			return tell, err
		}
		tell.ids, tell.payloads = append(tell.ids, event.ID), append(tell.payloads, event.Payload)
	}
	return tell, nil
}

func (s *Store) lowOf(row sqlcgen.LowBalanceRow) credits.Low {
	what := credits.Low{Grant: row.GrantCause}
	now := s.now()
	if row.EndsAt != nil && *row.Renews && row.EndsAt.After(now) {
		what.ReplacedAt = row.EndsAt.UTC()
	}
	what.TopUp = row.AccessUntil != nil && row.AccessUntil.After(now) && slices.Contains(row.Entitlements, "top_up")
	return what
}
