package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/erasure"
)

// restored notes that money of an order which had gone is ours again: a dispute was won, or a refund failed. The credits that were taken for
// it come back, and a membership that ended by it is open again until rest.
func (s *Store) restored(ctx context.Context, tx pgx.Tx, o sales.Order, gone sales.Gone, why sales.RefundReason, rest time.Time) error {
	left, n := gone.All(), o.Restored+1
	given := o.GivesBack(left)
	if o.State != sales.Completed {
		given = 0
	}
	until, err := s.reopen(ctx, tx, o, left, rest)
	if err != nil {
		return err
	}
	if given > 0 {
		if err := s.giveCreditsBack(ctx, tx, o, given, n, until); err != nil {
			return err
		}
	}
	if err := s.keepGone(ctx, tx, o, gone, o.CreditsTaken-given, n); err != nil {
		return err
	}
	return s.outbox.Add(ctx, tx, events.OrderRestored(o, left, given, until, why))
}

// reopen opens a membership again whose money had gone back whole, for the rest of the period that it had paid for; it says until when, zero
// where nothing was opened. It renews no more. The account may be gone, or the member may have another membership by now.
func (s *Store) reopen(ctx context.Context, tx pgx.Tx, o sales.Order, left int64, rest time.Time) (until time.Time, err error) {
	if o.State != sales.Completed || o.Subscription == "" || left >= o.Charged() || !rest.After(s.now()) {
		return until, nil
	}
	if gone, err := erasure.HasDeparted(ctx, tx, o.UID); err != nil || gone {
		return until, err
	}
	opened, err := s.queries.ReopenSubscription(ctx, tx, sqlcgen.ReopenSubscriptionParams{
		Uid: o.UID, ProviderID: o.Subscription, StartsAt: o.PeriodStart, EndsAt: rest,
	})
	if err != nil || opened == 0 {
		return until, err
	}
	return rest, nil
}

// giveCreditsBack gives credits back: those of a membership that was opened again end with it, all others never do.
func (s *Store) giveCreditsBack(ctx context.Context, tx pgx.Tx, o sales.Order, amount int64, n int32, until time.Time) error {
	g := credits.Grant{
		UID: o.UID, Pool: credits.TopUpPool, Amount: amount, Cause: fmt.Sprintf("order:%s:restored:%d", o.ID, n), Description: o.Lines[0].Name,
		Reference: reference(o.ID),
	}
	if !until.IsZero() {
		g.Pool, g.ExpiresAt = credits.PlanPool, until
		g.Cause = fmt.Sprintf("subscription:%s:%d:restored:%d", o.Subscription, o.PeriodStart.Unix(), n)
	}
	gone, err := erasure.HasDeparted(ctx, tx, o.UID)
	if err != nil || gone {
		return err
	}
	_, err = s.Grant(ctx, tx, g)
	return err
}
