package sales

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"serein.app/services/platform/postgres"
)

// searchBefore is how much earlier than the order the search for its session begins: the provider's clock may differ from ours.
const searchBefore = 5 * time.Minute

// maxProcessing is how long a payment may be on its way before billing closes the order and publishes that it is unpaid. Few bank debits
// take longer, up to 14 working days at Stripe (https://docs.stripe.com/payments/payment-methods, "payment confirmation"); if their money
// arrives later, billing completes the order then.
const maxProcessing = 10 * 24 * time.Hour

// Settle reads an order's session back and brings the order to where it stands. However often and by how many at once it is
// called, an order is completed once.
func (s *Service) Settle(ctx context.Context, o Order) (Order, error) {
	if !o.Waits() {
		return o, nil
	}
	return s.settle(ctx, o)
}

// settle is Settle of an order that is closed as well: a payment that was given up may come all the same.
func (s *Service) settle(ctx context.Context, o Order) (Order, error) {
	customer, err := s.Store.Customer(ctx, o.UID)
	if err != nil && !errors.Is(err, postgres.ErrNotFound) {
		return o, err
	}
	if o.SessionID == "" {
		if o, err = s.find(ctx, o, customer); err != nil || o.SessionID == "" {
			return o, err
		}
	}
	session, err := s.Provider.Session(ctx, o.SessionID)
	if errors.Is(err, ErrNotFound) {
		return o, s.alert(ctx, o, MismatchError{"id", o.SessionID, "not there"})
	}
	if err != nil {
		return o, fmt.Errorf("read the session of order %s: %w", o.Number(), err)
	}
	return s.apply(ctx, o, session, customer)
}

// find looks for the session of an order whose opening was not answered, and closes one whose time is over without it.
func (s *Service) find(ctx context.Context, o Order, customer string) (Order, error) {
	var sessions []Session
	if customer != "" {
		var err error
		if sessions, err = s.Provider.SessionsOf(ctx, customer, o.CreatedAt.Add(-searchBefore)); err != nil {
			return o, fmt.Errorf("look for the session of order %s: %w", o.Number(), err)
		}
	}
	at := slices.IndexFunc(sessions, func(session Session) bool { return session.OrderID == o.ID.String() })
	if at >= 0 {
		return s.Store.SetSession(ctx, o.ID, sessions[at])
	}
	if s.Now().After(o.ExpiresAt) {
		return s.Store.Close(ctx, o.ID)
	}
	return o, s.Store.MarkPolled(ctx, o.ID)
}

// apply brings the order to where its session stands.
func (s *Service) apply(ctx context.Context, o Order, session Session, customer string) (Order, error) {
	switch session.Outcome() {
	case StillOpen:
		return o, s.Store.MarkPolled(ctx, o.ID)
	case NotPaid:
		return s.Store.Close(ctx, o.ID)
	case OnItsWay:
		if s.Now().Sub(o.CreatedAt) > maxProcessing {
			return s.giveUp(ctx, o)
		}
		return s.Store.Process(ctx, o.ID)
	case HasPaid:
	}
	if err := matches(o, session, customer); err != nil {
		return o, s.alert(ctx, o, err)
	}
	paid := Paid{Session: session}
	if o.Membership() != nil {
		sub, err := s.Provider.Subscription(ctx, session.Subscription)
		if err != nil {
			return o, fmt.Errorf("read the subscription of order %s: %w", o.Number(), err)
		}
		if err := subscribes(o, session, sub); err != nil {
			return o, s.alert(ctx, o, err)
		}
		paid.Subscription = sub
		by, err := s.payment(ctx, session.Payment)
		if err != nil {
			return o, fmt.Errorf("read the payment of order %s: %w", o.Number(), err)
		}
		paid.CardFingerprint, paid.Session.PaidBy = by.Card.Fingerprint, by.PaidBy
	}
	return s.Store.Complete(ctx, o.ID, paid)
}

// giveUp closes an order whose payment has been on its way for too long. If the money comes after all, its event gives the order.
func (s *Service) giveUp(ctx context.Context, o Order) (Order, error) {
	if o.State == Closed {
		return o, nil
	}
	s.Log.ErrorContext(ctx, "a payment has been on its way for too long; its order is closed", "order", o.ID, "number", o.Number(), "days", int(maxProcessing/(24*time.Hour)))
	return s.Store.Close(ctx, o.ID)
}

// payment reads what a membership was paid with; zero where nothing was charged.
func (s *Service) payment(ctx context.Context, id string) (Payment, error) {
	if id == "" {
		return Payment{}, nil
	}
	p, err := s.Provider.Payment(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return Payment{}, nil // what was paid is given all the same
	}
	return p, err
}

// alert reports to the operator an order that billing does not complete because the payment differs from the order. The caller gets no
// error: the order waits, and billing looks at it again.
func (s *Service) alert(ctx context.Context, o Order, mismatch error) error {
	s.Metrics.OrderMismatched(ctx)
	s.Log.ErrorContext(ctx, "what was paid is not what was ordered; nothing was given", "order", o.ID, "number", o.Number(), "error", mismatch)
	return s.Store.MarkPolled(ctx, o.ID)
}
