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
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/erasure"
)

// NoteGone notes what of an order's money has gone, by refunds and by disputes. Credits go back by the share of what went, as far as they
// are unspent; a membership whose money went back whole ends. A reward goes with a full refund alone, not with what a bank disputes.
func (s *Store) NoteGone(ctx context.Context, id uuid.UUID, gone sales.Gone, why sales.RefundReason, rest time.Time) error {
	_, err := s.change(ctx, id, func(ctx context.Context, tx pgx.Tx, o sales.Order) error {
		gone.Refunded = min(gone.Refunded, o.Charged())
		gone.Disputed = min(gone.Disputed, o.Charged()-gone.Refunded)
		if !o.Paid() || why != "" && o.Change(gone) != why {
			return nil // somebody else has noted it, or something later
		}
		switch why { //nolint:exhaustive // Order.Change has no other reason
		case sales.Refund, sales.TakenByBank:
			return s.goneFurther(ctx, tx, o, gone, why)
		case sales.RefundFailed, sales.GivenByBank:
			return s.restored(ctx, tx, o, gone, why, rest)
		}
		if gone.All() != o.Refunded {
			return nil
		}
		return s.keepGone(ctx, tx, o, gone, o.CreditsTaken, o.Restored)
	})
	return err
}

// keepGone writes what has gone of an order.
func (s *Store) keepGone(ctx context.Context, tx pgx.Tx, o sales.Order, gone sales.Gone, creditsTaken int64, restored int32) error {
	row := sqlcgen.RefundOrderParams{
		ID: o.ID, Refunded: gone.All(), Disputed: gone.Disputed, CreditsTaken: creditsTaken, Restored: restored,
	}
	if at := s.now(); o.State == sales.Refunding && gone.All() == o.Charged() {
		row.ReturnedAt = &at
	}
	return s.queries.RefundOrder(ctx, tx, row)
}

// goneFurther notes that more of an order's money has gone than before.
func (s *Store) goneFurther(ctx context.Context, tx pgx.Tx, o sales.Order, gone sales.Gone, why sales.RefundReason) error {
	running, err := s.runningOf(ctx, tx, o)
	if err != nil {
		return err
	}
	all, taken := gone.All(), int64(0)
	if o.State == sales.Completed {
		if taken, err = s.takeBack(ctx, tx, o, running, all); err != nil {
			return err
		}
	}
	if why == sales.Refund {
		if err := s.takeRewardBack(ctx, tx, o, all); err != nil {
			return err
		}
	}
	if err := s.keepGone(ctx, tx, o, gone, o.CreditsTaken+taken, o.Restored); err != nil {
		return err
	}
	if o.State == sales.Refunding && why == sales.Refund {
		if why, err = s.whyReturned(ctx, tx, o); err != nil {
			return err
		}
	}
	if err := s.outbox.Add(ctx, tx, events.OrderRefunded(o, all, taken, why)); err != nil {
		return err
	}
	if o.State != sales.Completed || o.Subscription == "" || all < o.Charged() {
		return nil
	}
	if err := s.work.TakeBalance(ctx, tx, o.ID); err != nil {
		return err
	}
	return s.endRefunded(ctx, tx, o, running)
}

// runningOf is the membership that an order paid for, where its period runs still; nil where it does not, or the order is of none.
func (s *Store) runningOf(ctx context.Context, tx pgx.Tx, o sales.Order) (*subscriptions.State, error) {
	if o.Subscription == "" {
		return nil, nil
	}
	row, err := s.queries.SubscriptionByProvider(ctx, tx, o.Subscription)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	state := toState(row.Subscription, row.PlanName, row.Departed)
	if err != nil || state.Over() || o.PeriodStart.Before(state.StartsAt) {
		return nil, err
	}
	return &state, nil
}

// endRefunded ends the membership whose running period an order paid for: here, and at the provider. What paid for a period that is
// over, or only for the difference of a change, ends nothing.
func (s *Store) endRefunded(ctx context.Context, tx pgx.Tx, o sales.Order, running *subscriptions.State) error {
	if running == nil || !o.PeriodStart.Equal(running.StartsAt) {
		return nil
	}
	now := s.now()
	n, err := s.queries.EndSubscription(ctx, tx, sqlcgen.EndSubscriptionParams{
		Uid: o.UID, ProviderID: o.Subscription, At: now, Reason: string(subscriptions.Refunded),
	})
	if err != nil || n == 0 {
		return err
	}
	ended := *running
	ended.EndedAt, ended.EndsAt, ended.Renews, ended.Reason = now, now, false, subscriptions.Refunded
	return s.ended(ctx, tx, ended, true)
}

// whyReturned says why an order was not given: mayKeep knows two reasons, and a further period that was paid when the membership was
// over goes back as any money does. An account that went after its second membership was paid has gone all the same, and nobody
// writes to it.
func (s *Store) whyReturned(ctx context.Context, tx pgx.Tx, o sales.Order) (sales.RefundReason, error) {
	gone, err := erasure.HasDeparted(ctx, tx, o.UID)
	if gone {
		return sales.AccountDeleted, err
	}
	if o.Cause != sales.Checkout {
		return sales.Refund, err
	}
	return sales.SecondMembership, err
}

// takeBack takes the credits of what went back, and says how many there still were.
func (s *Store) takeBack(ctx context.Context, tx pgx.Tx, o sales.Order, running *subscriptions.State, returned int64) (int64, error) {
	grants := o.PackGrants()
	if line := o.Membership(); line != nil {
		grants = append(grants, sales.PeriodGrant(*line, o.Subscription, o.PeriodStart))
	}
	var total int64
	for _, g := range grants {
		taken, err := s.reverse(ctx, tx, o, g, running, returned)
		if err != nil {
			return 0, err
		}
		total += taken
	}
	return total, nil
}

func (s *Store) reverse(ctx context.Context, tx pgx.Tx, o sales.Order, g sales.Grant, running *subscriptions.State, returned int64) (taken int64, err error) {
	share := o.Share(g.Amount, o.Refunded, returned)
	if share <= 0 || g.Plan && running == nil {
		return 0, nil // what is left of an earlier period's was replaced by the next
	}
	cause := fmt.Sprintf("reversal:%s:%d", g.Cause, returned)
	if o.Cause == sales.PlanChange {
		cause = fmt.Sprintf("reversal:order:%s:%d", o.ID, returned)
	}
	if o.Restored > 0 { // the same sum may have gone before, and come back
		cause += fmt.Sprintf(":%d", o.Restored)
	}
	if g.Plan {
		return s.takeFromPeriod(ctx, tx, o, g, share, cause)
	}
	return s.takeFrom(ctx, tx, o.UID, g, share, cause, reference(o.ID))
}

// takeFrom takes so much of a grant of top-ups back from a member, as far as it is unspent, and says how much it was.
func (s *Store) takeFrom(ctx context.Context, tx pgx.Tx, uid uuid.UUID, g sales.Grant, amount int64, cause, reference string) (taken int64, err error) {
	now := s.now()
	_, err = s.settled(ctx, tx, uid, now, func() (outcome string, err error) {
		err = tx.QueryRow(ctx, `SELECT outcome, taken FROM reverse_credits($1, $2, $3, $4, $5, $6, $7, $8)`,
			uid, credits.TopUpPool, g.Cause, amount, cause, g.Description, reference, now).Scan(&outcome, &taken)
		return outcome, err
	})
	if err == nil {
		s.metrics.moved(ctx, reversed, taken)
	}
	return taken, err
}

// takeFromPeriod takes so much of the credits of a membership's running period, whichever grant they are of by now.
func (s *Store) takeFromPeriod(ctx context.Context, tx pgx.Tx, o sales.Order, g sales.Grant, amount int64, cause string) (taken int64, err error) {
	now := s.now()
	_, err = s.settled(ctx, tx, o.UID, now, func() (outcome string, err error) {
		err = tx.QueryRow(ctx, `SELECT outcome, taken FROM reverse_period_credits($1, $2, $3, $4, $5, $6, $7)`,
			o.UID, o.Subscription, amount, cause, g.Description, reference(o.ID), now).Scan(&outcome, &taken)
		return outcome, err
	})
	if err == nil {
		s.metrics.moved(ctx, reversed, taken)
	}
	return taken, err
}
