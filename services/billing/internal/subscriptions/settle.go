package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
	"serein.app/services/platform/postgres"
)

const (
	// settleTries bounds how often a membership is read again because another call has changed it.
	settleTries = 5
	// invoicesBefore is how much earlier than a period the search for its invoices begins: the provider's clock may differ from ours.
	invoicesBefore = time.Hour
)

var errUnsettled = errors.New("the membership keeps changing")

// Settle brings a membership to where the provider has it; known is false where it is none of ours. However often and by how many at
// once it is called, each thing happens once.
func (s *Service) Settle(ctx context.Context, id string) (known bool, err error) {
	known, _, err = s.settle(ctx, id, true)
	return known, err
}

// settle also says whether the membership changed. If pays is true and the member has given another card for an invoice that is owed, settle
// pays it; calls that only view or end the membership pass false.
func (s *Service) settle(ctx context.Context, id string, pays bool) (known, changed bool, err error) {
	for range settleTries {
		// Our row is read before the provider's state, so that the provider's state is never older than the row it is compared with.
		state, err := s.Store.Subscription(ctx, id)
		if errors.Is(err, postgres.ErrNotFound) {
			return false, false, nil
		}
		if err != nil {
			return false, false, err
		}
		changed, err = s.apply(ctx, state, pays)
		if !errors.Is(err, ErrStale) {
			return true, changed, err
		}
	}
	return true, false, fmt.Errorf("subscription %s: %w", id, errUnsettled)
}

// apply moves a membership on by what the provider says.
func (s *Service) apply(ctx context.Context, state State, pays bool) (changed bool, err error) {
	told, err := s.ask(ctx, state)
	if err == nil {
		err = s.takeCard(ctx, state, &told)
	}
	if err == nil && pays {
		told, err = s.payOwed(ctx, state, told)
	}
	if err != nil {
		return false, fmt.Errorf("subscription %s: %w", state.ID, err)
	}
	if _, sold := told.Items[told.Subscription.PriceID]; !sold && told.Subscription.PriceID != state.PriceID && !state.Over() {
		s.Log.ErrorContext(ctx, "a membership has a price that is not sold; its plan stays as it was", "subscription", state.ID, "price", told.Subscription.PriceID)
	}
	after, happened := Next(state, told, s.Now().UTC().Truncate(time.Microsecond))
	payments, err := s.Store.NewPayments(ctx, Payments(after, told, happened))
	if err != nil || after == state && len(happened)+len(payments) == 0 {
		return false, err
	}
	for i := range payments {
		payments[i].CardFingerprint = told.Subscription.Charged().Fingerprint
		if payments[i].PaidBy, err = s.paidBy(ctx, payments[i].Invoice); err != nil {
			return false, fmt.Errorf("subscription %s: %w", state.ID, err)
		}
	}
	for _, id := range told.unbooked() {
		s.Log.ErrorContext(ctx, "an invoice was paid by no payment of the provider's; it is in no books", "subscription", state.ID, "invoice", id)
	}
	if err := s.Store.Save(ctx, state, after, happened, payments); err != nil {
		return false, err
	}
	for _, h := range happened {
		if h.Kind == CancellationScheduled {
			s.Metrics.CancellationScheduled(ctx, h.Why)
		}
	}
	return len(happened)+len(payments) > 0, nil
}

// paidBy is what an invoice was paid by, which need not be what the membership is charged to now.
func (s *Service) paidBy(ctx context.Context, invoice Invoice) (sales.Means, error) {
	p, err := s.Provider.Payment(ctx, invoice.Payment)
	if errors.Is(err, sales.ErrNotFound) {
		return sales.Means{}, nil // it is booked all the same
	}
	return p.PaidBy, err
}

// ask reads a membership and its invoices from the provider.
func (s *Service) ask(ctx context.Context, state State) (told Told, err error) {
	told.Subscription, err = s.Provider.Subscription(ctx, state.ID)
	if errors.Is(err, sales.ErrNotFound) && !s.Now().Before(state.AccessUntil()) {
		// Another account's key would say so of all: it is believed where nothing is open any more, and by the clock it is over.
		s.Log.ErrorContext(ctx, "the provider knows nothing of a membership whose time is over", "subscription", state.ID)
		told.Subscription = sales.ProviderSubscription{ID: state.ID, EndedAt: state.AccessUntil()}
		return told, nil
	}
	if err != nil {
		return told, err
	}
	if told.Invoices, err = s.Provider.Invoices(ctx, state.ID, state.StartsAt.Add(-invoicesBefore)); err != nil {
		return told, err
	}
	items, err := s.Store.Items(ctx)
	told.Items = map[string]sales.Item{}
	for _, item := range items {
		if item.Kind == itemkind.Membership && item.PriceID != "" {
			told.Items[item.PriceID] = item
		}
	}
	return told, err
}
