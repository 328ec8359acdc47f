package sales

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/postgres"
)

const (
	// pollAfter is how long an order goes without an event or a read before billing reads it back.
	pollAfter = 5 * time.Minute
	// maxPolled is how many orders one round reads.
	maxPolled = 100
	// overlap is how much of the provider's list each reconciliation reads again, and lookBack how much of it the first one reads.
	overlap, lookBack = 10 * time.Minute, 24 * time.Hour
	// onItsWay is how long a webhook may take: billing does not count a younger event of the list as lost.
	onItsWay = time.Minute
	// maxPages is how many pages of the provider's list one reconciliation reads at most.
	maxPages = 50
)

// PollPendingOrders settles orders for which billing has received no event: the webhook may be lost, or the member may have closed the
// browser.
func (s *Service) PollPendingOrders(ctx context.Context) error {
	before := s.Now().Add(-pollAfter)
	for {
		waiting, err := s.Store.Waiting(ctx, before, maxPolled)
		if err != nil {
			return err
		}
		var faults []error
		for _, o := range waiting {
			if err := s.pollOrder(ctx, o); err != nil {
				// The next run takes it up, behind the others: those that fail for long keep none of them waiting.
				faults = append(faults, err, s.Store.MarkPolled(ctx, o.ID))
			}
		}
		if len(faults) > 0 || len(waiting) < maxPolled || ctx.Err() != nil {
			return errors.Join(faults...)
		}
	}
}

// pollOrder settles an order. If the order turns out paid, it counts and logs that the webhook was lost.
func (s *Service) pollOrder(ctx context.Context, o Order) error {
	after, err := s.Settle(ctx, o)
	if err == nil && after.Paid() {
		s.Metrics.WebhookLost(ctx, "order")
		s.Log.ErrorContext(ctx, "an order was paid, and no webhook arrived: only reading it back found the payment", "order", o.Number())
	}
	return err
}

// Reconcile reads the provider's events since the last reconciliation, stores those that no webhook delivered, and reads back all orders
// that wait.
func (s *Service) Reconcile(ctx context.Context) error {
	return errors.Join(s.readEvents(ctx), s.PollPendingOrders(ctx))
}

func (s *Service) readEvents(ctx context.Context) error {
	until, err := s.Store.EventsUntil(ctx)
	if errors.Is(err, postgres.ErrNotFound) {
		until, err = s.Now().Add(-lookBack), nil
	}
	if err != nil {
		return err
	}
	since := until.Add(-overlap)
	for range maxPages {
		events, err := s.Provider.Events(ctx, since)
		if err != nil {
			return fmt.Errorf("list the provider's events: %w", err)
		}
		for _, e := range events {
			if err := s.heal(ctx, e); err != nil {
				return err
			}
			if e.CreatedAt.After(until) {
				until = e.CreatedAt
			}
		}
		if err := s.Store.SetEventsUntil(ctx, until); err != nil {
			return err
		}
		// The next page begins where this one ends and not at until: the events that are read again may fill a page, which leaves until unchanged.
		if len(events) == 0 || !events[len(events)-1].CreatedAt.After(since) {
			return nil
		}
		since = events[len(events)-1].CreatedAt
	}
	return nil
}

// heal stores an event of the provider's list. It counts and logs an event that no webhook has delivered.
func (s *Service) heal(ctx context.Context, e Event) error {
	isNew, err := s.storeEvent(ctx, e)
	if err == nil && isNew && s.Now().Sub(e.CreatedAt) >= onItsWay {
		s.Metrics.WebhookLost(ctx, "event")
		s.Log.ErrorContext(ctx, "no webhook has brought this event, only the provider's list", "event", e.ID, "type", e.Type)
	}
	return err
}

// ReturnPayment gives the money of a returning order back, and ends the subscription that it began.
func (s *Service) ReturnPayment(ctx context.Context, id uuid.UUID) error {
	o, err := s.Store.Order(ctx, id)
	if err != nil || o.State != Refunding {
		return err
	}
	if o.Subscription != "" {
		if err := s.endSubscription(ctx, o.Subscription); err != nil {
			return err
		}
	}
	if err := s.returnBalance(ctx, o); err != nil {
		return fmt.Errorf("return what order %s took from the balance: %w", o.Number(), err)
	}
	if o.Payment == "" || o.Refunded == o.Charged() {
		return nil // nothing was charged, or it has gone back
	}
	// Looked at first: a key is good for a day, and this is tried for longer.
	p, err := s.Provider.Payment(ctx, o.Payment)
	if err != nil {
		return err
	}
	if p.Gone().All() < p.Amount && p.Gone().Disputed == 0 {
		if err := s.Provider.Refund(ctx, "return:"+o.ID.String(), o.Payment); err != nil {
			return fmt.Errorf("return the payment of order %s: %w", o.Number(), err)
		}
	}
	return s.followPayment(ctx, o)
}

// returnBalance gives back what a customer's balance paid of an order that could not be given.
func (s *Service) returnBalance(ctx context.Context, o Order) error {
	if o.FromBalance == 0 {
		return nil
	}
	customer, err := s.Store.Customer(ctx, o.UID)
	if err == nil {
		err = s.Provider.ChangeBalance(ctx, "balance:"+o.ID.String(), customer, o.FromBalance, o.Currency, o.ID.String())
	}
	if errors.Is(err, postgres.ErrNotFound) || errors.Is(err, ErrNotFound) {
		return nil // it has gone with the account
	}
	return err
}

// EndSubscription ends the subscription of an order whose money went back whole, so that it is charged no more.
func (s *Service) EndSubscription(ctx context.Context, id uuid.UUID) error {
	o, err := s.Store.Order(ctx, id)
	if err != nil || o.State != Completed || o.Subscription == "" || o.Payment == "" || o.Refunded < o.Charged() {
		return err
	}
	if err := s.endSubscription(ctx, o.Subscription); err != nil {
		return fmt.Errorf("end the subscription of order %s: %w", o.Number(), err)
	}
	return nil
}

// EndMembership ends a subscription that has ended here, so that it is charged no more.
func (s *Service) EndMembership(ctx context.Context, subscription string) error {
	if err := s.endSubscription(ctx, subscription); err != nil {
		return fmt.Errorf("end subscription %s: %w", subscription, err)
	}
	return nil
}

func (s *Service) endSubscription(ctx context.Context, id string) error {
	sub, err := s.Provider.Subscription(ctx, id)
	if errors.Is(err, ErrNotFound) || err == nil && !sub.EndedAt.IsZero() {
		return nil
	}
	if err != nil {
		return err
	}
	return s.Provider.EndSubscription(ctx, "end:"+id, id)
}

// EndAccount ends what a deleted account still pays for: open checkouts are closed, the subscription ends, and the customer is
// forgotten, here and at the provider. What was paid at the last moment is returned.
func (s *Service) EndAccount(ctx context.Context, uid uuid.UUID) error {
	waiting, err := s.Store.WaitingOf(ctx, uid)
	if err != nil {
		return err
	}
	for _, o := range waiting {
		if err := s.expireCheckout(ctx, o); err != nil {
			return err
		}
	}
	subscription, err := s.Store.PaidSubscription(ctx, uid)
	if err != nil {
		return err
	}
	if subscription != "" {
		if err := s.endSubscription(ctx, subscription); err != nil {
			return fmt.Errorf("end the subscription of %s: %w", uid, err)
		}
	}
	// An order whose page may yet be found keeps the account's customer until its time is over.
	if waiting, err = s.Store.WaitingOf(ctx, uid); err != nil {
		return err
	}
	for _, o := range waiting {
		if err := s.endUnsettled(ctx, o); err != nil {
			return fmt.Errorf("end the subscription of order %s: %w", o.Number(), err)
		}
	}
	if len(waiting) > 0 {
		return fmt.Errorf("%d orders of %s still wait", len(waiting), uid)
	}
	if err := s.deleteCustomer(ctx, uid); err != nil {
		return fmt.Errorf("delete the customer of %s: %w", uid, err)
	}
	return s.Store.Departed(ctx, uid, subscription)
}

// endUnsettled ends the subscription of a deleted account's order that waits. An order whose payment differs from it waits until an
// operator has looked at it, and its subscription must charge no one until then.
func (s *Service) endUnsettled(ctx context.Context, o Order) error {
	if o.SessionID == "" {
		return nil
	}
	session, err := s.Provider.Session(ctx, o.SessionID)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil || session.Subscription == "" || session.OrderID != o.ID.String() || session.UID != o.UID.String() {
		return err
	}
	return s.endSubscription(ctx, session.Subscription)
}

// deleteCustomer deletes the member's customer at the provider, even if billing never received the answer to its creation.
func (s *Service) deleteCustomer(ctx context.Context, uid uuid.UUID) error {
	customer, err := s.Store.Customer(ctx, uid)
	if errors.Is(err, postgres.ErrNotFound) {
		customer, err = s.Provider.FindCustomer(ctx, uid.String())
	}
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.Provider.DeleteCustomer(ctx, "delete:"+customer, customer)
}
