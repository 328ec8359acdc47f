package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/failpoint"
)

// Save keeps what a plan has become with all that comes of it: orders, credits, events and jobs, in one transaction, and only where
// it is as before still.
func (s *Store) Save(
	ctx context.Context, before, after subscriptions.State, happened []subscriptions.Happening, payments []subscriptions.Payment,
) error {
	err := s.asMember(ctx, after.UID, func(ctx context.Context, tx pgx.Tx) error {
		if !after.Replaced && (after != before || len(happened) > 0) {
			if err := s.keep(ctx, tx, before.Revision, after); err != nil {
				return err
			}
		}
		orders, err := s.addOrders(ctx, tx, after, payments)
		if err != nil {
			return err
		}
		for _, h := range happened {
			if err := s.happen(ctx, tx, after, h, orders[h.Invoice]); err != nil {
				return err
			}
		}
		failpoint.Pass(failpoint.AfterGrantBeforeCommit)
		return nil
	})
	if err == nil {
		failpoint.Pass(failpoint.AfterCommitBeforeAnswer)
		s.outbox.Wake()
	}
	return err
}

// happen stores the consequences of one happening. order is the order of its invoice, or the nil UUID if it has no invoice.
func (s *Store) happen(ctx context.Context, tx pgx.Tx, to subscriptions.State, h subscriptions.Happening, order uuid.UUID) error {
	switch h.Kind {
	case subscriptions.Renewed:
		if err := s.renew(ctx, tx, to, order); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, events.SubscriptionRenewed(to, order))
	case subscriptions.Changed:
		amount, err := s.changeCredits(ctx, tx, to, h, order)
		if err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, events.SubscriptionChanged(to, h, amount))
	case subscriptions.Failed:
		if err := s.noteFailedRenewal(ctx, tx, to, h); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, events.SubscriptionPaymentFailed(to, h))
	case subscriptions.CancellationScheduled:
		if err := s.moveExpiry(ctx, tx, to, to.AccessUntil()); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, events.SubscriptionCancellationScheduled(to, h.Why))
	case subscriptions.Reactivated:
		if err := s.moveExpiry(ctx, tx, to, to.AccessUntil()); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, events.SubscriptionReactivated(to))
	case subscriptions.HasEnded:
		return s.ended(ctx, tx, to, h.AtProvider)
	case subscriptions.TrialEnding:
		a, err := s.queries.Account(ctx, tx, to.UID)
		if err != nil {
			return err
		}
		left := toAccount(a).Balance
		return s.outbox.Add(ctx, tx, events.TrialEnding(to, left.PlanAvailable+left.TopUpAvailable))
	case subscriptions.TrialEnded:
		return s.outbox.Add(ctx, tx, events.TrialEnded(to.UID))
	}
	return fmt.Errorf("nobody knows what %q is", h.Kind)
}

// renew grants a further period's credits, which take the place of what was left.
func (s *Store) renew(ctx context.Context, tx pgx.Tx, to subscriptions.State, order uuid.UUID) error {
	g := sales.PeriodGrant(sales.Line{Name: to.PlanName, Credits: to.Credits}, to.ID, to.StartsAt)
	if g.Amount == 0 || !to.AccessUntil().After(s.now()) || to.Over() {
		return nil // a period that billing learns of after its end grants nothing
	}
	_, err := s.Grant(ctx, tx, credits.Grant{
		UID: to.UID, Pool: credits.PlanPool, Amount: g.Amount, Cause: g.Cause, ExpiresAt: to.AccessUntil(), Description: g.Description, Reference: reference(order),
	})
	return err
}

// reference names what a grant was paid by.
func reference(order uuid.UUID) string {
	if order == uuid.Nil {
		return ""
	}
	return "order:" + order.String()
}

// changeCredits replaces the plan credits by those that a change leaves, and says how many they are.
func (s *Store) changeCredits(ctx context.Context, tx pgx.Tx, to subscriptions.State, h subscriptions.Happening, order uuid.UUID) (amount int64, err error) {
	if !to.AccessUntil().After(s.now()) {
		return 0, nil
	}
	now := s.now()
	cause := fmt.Sprintf("change:%s:%d:%s", to.ID, h.At.Unix(), h.Invoice) // of two within a second each is its own
	outcome, err := s.settled(ctx, tx, to.UID, now, func() (outcome string, err error) {
		err = tx.QueryRow(ctx, `SELECT outcome, amount FROM change_plan_credits($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			to.UID, to.ID, h.Returned, h.Given, cause, to.AccessUntil(), to.PlanName, reference(order), now).Scan(&outcome, &amount)
		return outcome, err
	})
	if err == nil && outcome != "granted" { // the revision lets a change happen once: this is another one's cause
		err = fmt.Errorf("change of plan %s: %s", cause, outcome)
	}
	if err != nil || amount == 0 {
		return amount, err
	}
	s.metrics.moved(ctx, granted, amount)
	return amount, s.outbox.Add(ctx, tx, events.CreditsGranted(credits.Grant{UID: to.UID, Amount: amount, Cause: cause}))
}

// noteFailedRenewal tells the member's ledger that a further period was not paid, with the first notice of it.
func (s *Store) noteFailedRenewal(ctx context.Context, tx pgx.Tx, of subscriptions.State, h subscriptions.Happening) error {
	if h.Notice > 1 {
		return nil
	}
	cause, now := fmt.Sprintf("failed_renewal:%s:%d", of.ID, of.EndsAt.Unix()), s.now()
	_, err := s.settled(ctx, tx, of.UID, now, func() (outcome string, err error) {
		err = tx.QueryRow(ctx, `SELECT note_failed_renewal($1, $2, $3, $4)`, of.UID, cause, of.PlanName, now).Scan(&outcome)
		return outcome, err
	})
	return err
}

// moveExpiry has a membership's plan credits end at another moment.
func (s *Store) moveExpiry(ctx context.Context, tx pgx.Tx, of subscriptions.State, until time.Time) error {
	now := s.now()
	_, err := s.settled(ctx, tx, of.UID, now, func() (outcome string, err error) {
		err = tx.QueryRow(ctx, `SELECT move_plan_expiry($1, $2, $3, $4)`, of.UID, of.ID, until, now).Scan(&outcome)
		return outcome, err
	})
	return err
}

// ended tells that a membership is over, with its credits, and has it ended at the provider where it goes on there.
func (s *Store) ended(ctx context.Context, tx pgx.Tx, of subscriptions.State, atProvider bool) error {
	if err := s.moveExpiry(ctx, tx, of, s.now()); err != nil {
		return err
	}
	if err := s.outbox.Add(ctx, tx, events.SubscriptionCancelled(of.UID, of.ID, of.PlanID, of.PlanName, string(of.Reason))); err != nil {
		return err
	}
	if !atProvider {
		return nil
	}
	return s.work.EndMembership(ctx, tx, of.ID)
}
