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
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/failpoint"
)

// Complete gives what a paid order bought, with the events that tell of it, in one transaction. The order's row decides who is
// first; for everybody after it nothing is left to do.
func (s *Store) Complete(ctx context.Context, id uuid.UUID, p sales.Paid) (sales.Order, error) {
	completed, err := s.change(ctx, id, func(ctx context.Context, tx pgx.Tx, o sales.Order) error {
		if o.Paid() {
			return nil
		}
		at := s.now()
		o.Discount, o.FromBalance = p.Session.Discount, p.Session.FromBalance
		keep, err := s.mayKeep(ctx, tx, o, p, at)
		if err != nil {
			return err
		}
		if !keep {
			if err := s.pay(ctx, tx, o, p, sales.Refunding, at); err != nil {
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
		if err := s.rewardReferral(ctx, tx, o.UID, o, p.CardFingerprint); err != nil {
			return err
		}
		failpoint.Pass(failpoint.AfterGrantBeforeCommit)
		return s.outbox.Add(ctx, tx, events.OrderCompleted(o, at, periodEnd(o, p)))
	})
	if err == nil {
		failpoint.Pass(failpoint.AfterCommitBeforeAnswer)
	}
	return completed, err
}

// periodEnd is when what a membership paid for ends; zero without one.
func periodEnd(o sales.Order, p sales.Paid) time.Time {
	if o.Membership() == nil {
		return time.Time{}
	}
	return p.Subscription.Ends()
}

// mayKeep says whether what was paid for can still be given: not to an account that is deleted, and no second membership beside
// one that runs.
func (s *Store) mayKeep(ctx context.Context, tx pgx.Tx, o sales.Order, p sales.Paid, at time.Time) (bool, error) {
	gone, err := erasure.HasDeparted(ctx, tx, o.UID)
	if err != nil || gone || o.Membership() == nil {
		return !gone, err
	}
	current, err := s.queries.PaidSubscription(ctx, tx, o.UID)
	if errors.Is(err, pgx.ErrNoRows) {
		return true, nil
	}
	return text(current.ProviderID) == p.Subscription.ID || !current.AccessUntil.After(at), err
}

// pay notes what was paid. What it was paid by is kept of what is given, and the address of what is sent as well.
func (s *Store) pay(ctx context.Context, tx pgx.Tx, o sales.Order, p sales.Paid, state sales.OrderState, at time.Time) error {
	row := sqlcgen.PayOrderParams{
		ID: o.ID, State: sqlcgen.OrderState(state), Payment: p.Session.Payment, Paid: p.Session.Amount, Discount: p.Session.Discount,
		FromBalance: p.Session.FromBalance, PromotionCode: p.Session.Code,
		PaidCurrency: p.Session.Currency, At: at,
	}
	if state == sales.Refunding && p.Session.Amount == 0 {
		row.ReturnedAt = &at // there is nothing to return
	}
	if p.Subscription.ID != "" {
		starts := p.Subscription.PeriodStart.UTC()
		row.Subscription, row.PeriodStart = &p.Subscription.ID, &starts
	}
	if by := p.Session.PaidBy; state == sales.Completed && p.Session.Payment != "" {
		row.PaidKind, row.PaidBrand, row.PaidLast4 = by.Kind, by.Brand, by.Last4
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
	for _, g := range o.PackGrants() {
		if _, err := s.Grant(ctx, tx, credits.Grant{
			UID: o.UID, Pool: credits.TopUpPool, Amount: g.Amount, Cause: g.Cause, Description: g.Description, Reference: reference(o.ID),
		}); err != nil {
			return err
		}
	}
	line := o.Membership()
	if line == nil {
		return nil
	}
	sub, card := p.Subscription, p.Subscription.Charged()
	ends := sub.Ends().UTC()
	starts := sub.PeriodStart.UTC()
	if !ends.After(starts) {
		return fmt.Errorf("subscription %s ends before it begins", sub.ID)
	}
	if err := s.queries.SetPaidSubscription(ctx, tx, sqlcgen.SetPaidSubscriptionParams{
		Uid: o.UID, PlanID: line.ProductID, StartsAt: starts, EndsAt: ends, ProviderID: sub.ID,
		Period: sqlcgen.BillingPeriod(line.Size), PriceID: sub.PriceID, Renews: sub.Renews(), OrderID: o.ID,
		Amount: line.UnitAmount, Currency: o.Currency, PeriodCredits: line.Credits, EndedAt: null(sub.EndedAt),
		CardID: card.ID, CardBrand: card.Brand, CardLast4: card.Last4, CardGiven: sub.GivenBefore(),
	}); err != nil {
		return err
	}
	g := sales.PeriodGrant(*line, sub.ID, starts)
	until := ends
	if sub.Renews() {
		until = ends.Add(plans.Grace)
	}
	if g.Amount > 0 && until.After(at) { // a period that billing learns of after its end grants nothing
		if _, err := s.Grant(ctx, tx, credits.Grant{
			UID: o.UID, Pool: credits.PlanPool, Amount: g.Amount, Cause: g.Cause, ExpiresAt: until, Description: g.Description, Reference: reference(o.ID),
		}); err != nil {
			return err
		}
	}
	return s.outbox.Add(ctx, tx, events.SubscriptionStarted(o.UID, sub.ID, line.ProductID, ends))
}
