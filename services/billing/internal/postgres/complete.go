package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/failpoint"
	"serein.app/services/platform/mutant"
	"serein.app/services/platform/postgres"
)

// Complete gives what a paid order bought, with the events that tell of it, in one transaction. The order's row decides who is
// first; for everybody after it nothing is left to do.
func (s *Store) Complete(ctx context.Context, id uuid.UUID, p sales.Paid) (sales.Order, error) {
	completed, err := s.change(ctx, id, func(ctx context.Context, tx pgx.Tx, o sales.Order) error {
		if o.Paid() && !mutant.On("complete_twice") {
			return nil
		}
		at := s.now()
		o.Discount = p.Session.Discount
		if mutant.On("publish_before_commit") {
			if err := postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
				return s.outbox.Add(ctx, tx, events.OrderCompleted(o, at))
			}); err != nil {
				return err
			}
		}
		keep, err := s.mayKeep(ctx, tx, o, p, at)
		if err != nil {
			return err
		}
		if !keep {
			if err := s.pay(ctx, tx, o, p, sales.Returning, at); err != nil {
				return err
			}
			return s.work.ReturnPayment(ctx, tx, o.ID)
		}
		if err := s.pay(ctx, tx, o, p, sales.Completed, at); err != nil {
			return err
		}
		if err := s.give(ctx, tx, o, p, at); err != nil {
			return err
		}
		failpoint.Pass("after_grant_before_commit")
		if mutant.On("publish_before_commit") {
			return nil
		}
		return s.outbox.Add(ctx, tx, events.OrderCompleted(o, at))
	})
	if err == nil {
		failpoint.Pass("after_commit_before_answer")
	}
	return completed, err
}

// mayKeep says whether what was paid for can still be given: not to an account that is deleted, and no second membership beside
// one that runs.
func (s *Store) mayKeep(ctx context.Context, tx pgx.Tx, o sales.Order, p sales.Paid, at time.Time) (bool, error) {
	gone, err := s.queries.HasDeparted(ctx, tx, o.UID)
	if mutant.On("give_to_deleted_accounts") {
		gone = false
	}
	if err != nil || gone || o.Membership() == nil || mutant.On("two_memberships") {
		return !gone, err
	}
	current, err := s.queries.PaidSubscription(ctx, tx, o.UID)
	if errors.Is(err, pgx.ErrNoRows) {
		return true, nil
	}
	return text(current.ProviderID) == p.Subscription.ID || !current.EndsAt.After(at), err
}

// pay notes what was paid. The address is kept of what is sent, and given.
func (s *Store) pay(ctx context.Context, tx pgx.Tx, o sales.Order, p sales.Paid, state sales.OrderState, at time.Time) error {
	row := sqlcgen.PayOrderParams{
		ID: o.ID, State: sqlcgen.OrderState(state), Payment: p.Session.Payment, Paid: p.Session.Amount, Discount: p.Session.Discount,
		PaidCurrency: p.Session.Currency, At: at,
	}
	if state == sales.Returning && p.Session.Amount == 0 {
		row.ReturnedAt = &at // there is nothing to return
	}
	if p.Subscription.ID != "" {
		starts := p.Subscription.PeriodStart.UTC()
		row.Subscription, row.PeriodStart = &p.Subscription.ID, &starts
	}
	if o.Ships && state == sales.Completed && p.Session.Address != nil {
		address, err := json.Marshal(p.Session.Address)
		if err != nil {
			return err
		}
		row.Address = address
	}
	return s.queries.PayOrder(ctx, tx, row)
}

// give begins the membership and grants the credits.
func (s *Store) give(ctx context.Context, tx pgx.Tx, o sales.Order, p sales.Paid, at time.Time) error {
	reference := "order:" + o.ID.String()
	for _, g := range o.PackGrants() {
		if _, err := s.Grant(ctx, tx, credits.Grant{
			UID: o.UID, Pool: credits.TopUpPool, Amount: g.Amount, Cause: g.Cause, Description: g.Description, Reference: reference,
		}); err != nil {
			return err
		}
	}
	line := o.Membership()
	if line == nil {
		return nil
	}
	sub := p.Subscription
	ends := sub.Ends().UTC()
	starts := sub.PeriodStart.UTC()
	if !ends.After(starts) {
		return fmt.Errorf("subscription %s ends before it begins", sub.ID)
	}
	if err := s.queries.SetPaidSubscription(ctx, tx, sqlcgen.SetPaidSubscriptionParams{
		Uid: o.UID, PlanID: line.ProductID, StartsAt: starts, EndsAt: ends, ProviderID: sub.ID,
		Period: sqlcgen.BillingPeriod(line.Size), PriceID: sub.PriceID, Renews: sub.Renews(), OrderID: o.ID,
	}); err != nil {
		return err
	}
	g := sales.PeriodGrant(*line, sub.ID, starts)
	if g.Amount > 0 && ends.After(at) { // what was told of after its end gives nothing any more
		if _, err := s.Grant(ctx, tx, credits.Grant{
			UID: o.UID, Pool: credits.PlanPool, Amount: g.Amount, Cause: g.Cause, ExpiresAt: ends, Description: g.Description, Reference: reference,
		}); err != nil {
			return err
		}
	}
	return s.outbox.Add(ctx, tx, events.SubscriptionStarted(o.UID, sub.ID, line.ProductID, ends))
}

// RefundOrder notes how much of an order has gone back in all. Credits go back by the same share, as far as they are unspent; a
// membership whose money went back whole ends.
func (s *Store) RefundOrder(ctx context.Context, id uuid.UUID, returned int64, why sales.RefundReason) error {
	_, err := s.change(ctx, id, func(ctx context.Context, tx pgx.Tx, o sales.Order) error {
		if !o.Paid() || returned <= o.Refunded {
			return nil
		}
		var taken int64
		if o.State == sales.Completed {
			var err error
			if taken, err = s.takeBack(ctx, tx, o, returned); err != nil {
				return err
			}
		}
		row := sqlcgen.RefundOrderParams{ID: id, Refunded: returned}
		if at := s.now(); o.State == sales.Returning && returned == o.Charged() {
			row.ReturnedAt = &at
		}
		if err := s.queries.RefundOrder(ctx, tx, row); err != nil {
			return err
		}
		if o.State == sales.Returning && why == sales.Refund {
			var err error
			if why, err = s.whyReturned(ctx, tx, o); err != nil {
				return err
			}
		}
		if err := s.outbox.Add(ctx, tx, events.OrderRefunded(o, returned, taken, why)); err != nil {
			return err
		}
		if o.State == sales.Completed && o.Subscription != "" && returned == o.Charged() && !mutant.On("keep_what_was_refunded") {
			return s.endRefunded(ctx, tx, o)
		}
		return nil
	})
	return err
}

// endRefunded ends the subscription that an order began: here where it is still the member's, and at the provider.
func (s *Store) endRefunded(ctx context.Context, tx pgx.Tx, o sales.Order) error {
	n, err := s.queries.EndSubscription(ctx, tx, sqlcgen.EndSubscriptionParams{Uid: o.UID, ProviderID: o.Subscription, At: s.now()})
	if err == nil && n > 0 {
		err = s.outbox.Add(ctx, tx, events.SubscriptionCancelled(o.UID, o.Subscription, o.Membership().ProductID))
	}
	if err != nil {
		return err
	}
	return s.work.EndSubscription(ctx, tx, o.ID)
}

// whyReturned says why an order was not given: mayKeep knows two reasons. An account that went after its second membership was
// paid has gone all the same, and nobody writes to it.
func (s *Store) whyReturned(ctx context.Context, tx pgx.Tx, o sales.Order) (sales.RefundReason, error) {
	gone, err := s.queries.HasDeparted(ctx, tx, o.UID)
	if gone {
		return sales.AccountDeleted, err
	}
	return sales.SecondMembership, err
}

// takeBack takes the credits of what went back, and says how many there still were.
func (s *Store) takeBack(ctx context.Context, tx pgx.Tx, o sales.Order, returned int64) (int64, error) {
	grants := o.PackGrants()
	if line := o.Membership(); line != nil {
		// The grant of the first period is the only one that this payment bought.
		grants = append(grants, sales.PeriodGrant(*line, o.Subscription, o.PeriodStart))
	}
	var total int64
	for _, g := range grants {
		taken, err := s.reverse(ctx, tx, o, g, returned)
		if err != nil {
			return 0, err
		}
		total += taken
	}
	return total, nil
}

func (s *Store) reverse(ctx context.Context, tx pgx.Tx, o sales.Order, g sales.Grant, returned int64) (taken int64, err error) {
	share := o.Share(g.Amount, o.Refunded, returned)
	if mutant.On("refund_takes_all") {
		share = g.Amount
	}
	if share <= 0 {
		return 0, nil
	}
	pool := credits.TopUpPool
	if g.Plan {
		pool = credits.PlanPool
	}
	now := s.now()
	_, err = s.settled(ctx, tx, o.UID, now, func() (outcome string, err error) {
		err = tx.QueryRow(ctx, `SELECT outcome, taken FROM reverse_credits($1, $2, $3, $4, $5, $6, $7, $8)`,
			o.UID, pool, g.Cause, share, fmt.Sprintf("reversal:%s:%d", g.Cause, returned), g.Description, "order:"+o.ID.String(), now).
			Scan(&outcome, &taken)
		return outcome, err
	})
	if err == nil {
		s.metrics.moved(ctx, reversed, taken)
	}
	return taken, err
}
