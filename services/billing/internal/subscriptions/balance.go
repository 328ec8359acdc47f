package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/postgres"
)

// TakeBalance takes back what a change has credited of an order's money, once all of that has gone back: as far as it is left, and as no
// other payment can have paid for it.
func (s *Service) TakeBalance(ctx context.Context, order uuid.UUID) error {
	o, err := s.Store.Order(ctx, order)
	if err != nil || o.Subscription == "" || o.Payment == "" || o.Refunded < o.Charged() {
		return err
	}
	customer, err := s.Store.Customer(ctx, o.UID)
	if errors.Is(err, postgres.ErrNotFound) {
		return nil // gone with the account
	}
	if err == nil {
		err = s.takeBalance(ctx, o, customer)
	}
	if errors.Is(err, sales.ErrNotFound) {
		return nil // somebody deleted the customer
	}
	if err != nil {
		return fmt.Errorf("take back what order %s has left in the balance: %w", o.Number(), err)
	}
	return nil
}

func (s *Service) takeBalance(ctx context.Context, o sales.Order, customer string) error {
	invoices, err := s.Provider.Invoices(ctx, o.Subscription, time.Time{})
	if err != nil {
		return err
	}
	credited := creditedOf(o, invoices)
	if credited <= 0 {
		return nil
	}
	balance, err := s.Provider.Balance(ctx, customer)
	if take := min(credited, balance); err == nil && take > 0 {
		err = s.Provider.ChangeBalance(ctx, fmt.Sprintf("balance:%s:%d", o.ID, take), customer, -take, o.Currency, o.ID.String())
	}
	return err
}

// creditedOf is what is left of what the invoices after an order's own have credited, less all that was paid for them: of that no more can
// have come from another payment. While a payment is charged nothing is left in the balance, so what was there before has not come
// from this one either.
func creditedOf(o sales.Order, invoices []Invoice) (left int64) {
	own := slices.IndexFunc(invoices, func(i Invoice) bool { return i.Payment == o.Payment })
	if own < 0 {
		return 0
	}
	for _, later := range invoices[own+1:] {
		left -= later.FromBalance + later.Charged
	}
	return min(left, o.Charged())
}
