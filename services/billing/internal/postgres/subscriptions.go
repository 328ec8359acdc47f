package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/postgres"
)

// Subscription gives the membership of the provider's id. One that another plan has replaced is over, and is known by the checkout
// that it began with.
func (s *Store) Subscription(ctx context.Context, id string) (subscriptions.State, error) {
	row, err := s.queries.SubscriptionByProvider(ctx, s.db, id)
	if !errors.Is(err, pgx.ErrNoRows) {
		return toState(row.Subscription, row.PlanName, row.Departed), postgres.Translate(err, nil)
	}
	found, err := s.queries.OrderOfSubscription(ctx, s.db, id)
	o, err := s.one(ctx, found, err)
	if err != nil {
		return subscriptions.State{}, err
	}
	line := o.Membership()
	return subscriptions.State{
		UID: o.UID, ID: id, PlanID: line.ProductID, PlanName: line.Name, Period: line.Size, PriceID: line.PriceID, Amount: line.UnitAmount,
		Currency: o.Currency, StartsAt: o.PeriodStart, EndsAt: o.PeriodStart, EndedAt: o.CompletedAt, Replaced: true,
	}, nil
}

// SubscriptionOf gives a member's plan.
func (s *Store) SubscriptionOf(ctx context.Context, uid uuid.UUID) (subscriptions.State, error) {
	row, err := s.queries.SubscriptionOfMember(ctx, s.db, uid)
	return toState(row.Subscription, row.PlanName, row.Departed), postgres.Translate(err, nil)
}

func toState(row sqlcgen.Subscription, plan string, departed bool) subscriptions.State {
	state := subscriptions.State{
		UID: row.Uid, ID: text(row.ProviderID), PlanID: row.PlanID, PlanName: plan, PriceID: text(row.PriceID), Amount: row.Amount,
		Currency: text(row.Currency), Credits: row.PeriodCredits, StartsAt: row.StartsAt.UTC(), EndsAt: row.EndsAt.UTC(), Renews: row.Renews,
		FailedAt: moment(row.FailedAt), NextAttempt: moment(row.NextAttempt), Notices: row.Notices, EndedAt: moment(row.EndedAt),
		Reason: subscriptions.EndReason(row.EndedReason), DueAt: moment(row.DueAt), Revision: row.Revision, Departed: departed,
		Card: sales.Card{ID: row.CardID, Brand: row.CardBrand, Last4: row.CardLast4}, Given: row.CardGiven, CardRead: row.CardRead || row.CardID != "",
		Reopened: row.Reopened,
	}
	if row.Period != nil {
		state.Period = string(*row.Period)
	}
	return state
}

// moment is the zero time for none, and null none for the zero time.
func moment(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return at.UTC()
}

func null(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

func optional[T ~string](word string) *T {
	if word == "" {
		return nil
	}
	t := T(word)
	return &t
}

// keep writes what a plan has become, unless it has changed since it was read.
func (s *Store) keep(ctx context.Context, tx pgx.Tx, revision int64, to subscriptions.State) error {
	n, err := s.queries.SaveSubscription(ctx, tx, sqlcgen.SaveSubscriptionParams{
		Uid: to.UID, Revision: revision, PlanID: to.PlanID, Period: optional[sqlcgen.BillingPeriod](to.Period), PriceID: optional[string](to.PriceID),
		Amount: to.Amount, Currency: optional[string](to.Currency), PeriodCredits: to.Credits, StartsAt: to.StartsAt, EndsAt: to.EndsAt, Renews: to.Renews,
		FailedAt: null(to.FailedAt), NextAttempt: null(to.NextAttempt), Notices: to.Notices, EndedAt: null(to.EndedAt), EndedReason: string(to.Reason),
		DueAt: null(to.DueAt), CardID: to.Card.ID, CardBrand: to.Card.Brand, CardLast4: to.Card.Last4, CardGiven: to.Given, CardRead: to.CardRead,
	})
	if err == nil && n == 0 {
		err = subscriptions.ErrStale
	}
	return err
}

// Due are plans that time has something to do with, the longest due first.
func (s *Store) Due(ctx context.Context, now time.Time, after subscriptions.Due, most int) ([]subscriptions.Due, error) {
	rows, err := s.queries.DueSubscriptions(ctx, s.db, sqlcgen.DueSubscriptionsParams{Now: now, AfterAt: after.At, AfterUid: after.UID, Most: int32(most)})
	due := make([]subscriptions.Due, len(rows))
	for i, row := range rows {
		due[i] = subscriptions.Due{UID: row.Uid, At: row.DueAt, ID: row.ProviderID}
	}
	return due, postgres.Translate(err, nil)
}

// Postpone has a plan that could not be settled looked at later.
func (s *Store) Postpone(ctx context.Context, uid uuid.UUID, now, until time.Time) error {
	return postgres.Translate(s.queries.PostponeSubscription(ctx, s.db, sqlcgen.PostponeSubscriptionParams{Uid: uid, Now: now, DueAt: until}), nil)
}

// Running are the memberships that have not ended, after a member.
func (s *Store) Running(ctx context.Context, after uuid.UUID, most int) ([]subscriptions.Due, error) {
	rows, err := s.queries.RunningSubscriptions(ctx, s.db, sqlcgen.RunningSubscriptionsParams{AfterUid: after, Most: int32(most)})
	running := make([]subscriptions.Due, len(rows))
	for i, row := range rows {
		running[i] = subscriptions.Due{UID: row.Uid, ID: row.ProviderID}
	}
	return running, postgres.Translate(err, nil)
}

// NewPayments are those that no order is there for.
func (s *Store) NewPayments(ctx context.Context, payments []subscriptions.Payment) ([]subscriptions.Payment, error) {
	if len(payments) == 0 {
		return nil, nil
	}
	ids := make([]string, len(payments))
	for i, p := range payments {
		ids[i] = p.Invoice.ID
	}
	known, err := s.queries.InvoicesWithOrder(ctx, s.db, ids)
	there := map[string]bool{}
	for _, id := range known {
		there[id] = true
	}
	var found []subscriptions.Payment
	for _, p := range payments {
		if !there[p.Invoice.ID] {
			found = append(found, p)
		}
	}
	return found, postgres.Translate(err, nil)
}

// PaidSubscription is the provider's id of the subscription that the member pays for; empty if they pay for no subscription.
func (s *Store) PaidSubscription(ctx context.Context, uid uuid.UUID) (string, error) {
	row, err := s.queries.PaidSubscription(ctx, s.db, uid)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return text(row.ProviderID), postgres.Translate(err, nil)
}

var _ sales.Store = (*Store)(nil)

var _ subscriptions.Store = (*Store)(nil)
