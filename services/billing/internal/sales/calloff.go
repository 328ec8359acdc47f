package sales

import (
	"context"
	"errors"
	"fmt"

	"serein.app/services/platform/postgres"
)

// ErrNotCalledOff says that an order does not wait because something else was paid than was ordered.
var ErrNotCalledOff = errors.New("it does not wait for somebody to look at it")

// CallOff ends an order that waits for ever because what was paid is not what was ordered: its subscription ends, its payment goes back, and
// it is closed. Nothing of it was given. What can still be given or paid is refused.
func (s *Service) CallOff(ctx context.Context, number int64) (Order, error) {
	o, err := s.Store.OrderByNumber(ctx, number)
	if errors.Is(err, postgres.ErrNotFound) || err == nil && (!o.Waits() || o.SessionID == "") {
		return o, ErrNotCalledOff
	}
	if err != nil {
		return o, err
	}
	session, err := s.Provider.Session(ctx, o.SessionID)
	if err != nil {
		return o, fmt.Errorf("read the session of order %s: %w", o.Number(), err)
	}
	customer, err := s.Store.Customer(ctx, o.UID)
	if err != nil && !errors.Is(err, postgres.ErrNotFound) {
		return o, err
	}
	odd, err := s.odd(ctx, o, session, customer)
	if err != nil || !odd {
		return o, errors.Join(ErrNotCalledOff, err)
	}
	if session.Subscription != "" {
		if err := s.endSubscription(ctx, session.Subscription); err != nil {
			return o, fmt.Errorf("end the subscription of order %s: %w", o.Number(), err)
		}
	}
	if session.Payment != "" {
		if err := s.Provider.Refund(ctx, "call-off:"+o.ID.String(), session.Payment); err != nil {
			return o, fmt.Errorf("return the payment of order %s: %w", o.Number(), err)
		}
	}
	return s.Store.Close(ctx, o.ID)
}

// odd says that a session was paid and is not what was ordered.
func (s *Service) odd(ctx context.Context, o Order, session Session, customer string) (bool, error) {
	if session.Outcome() != HasPaid || session.OrderID != o.ID.String() || session.UID != o.UID.String() {
		return false, nil // it is not paid, or not the order's to end
	}
	if differs := matches(o, session, customer) != nil; differs || o.Membership() == nil {
		return differs, nil //nolint:nilerr // that it differs is the answer
	}
	sub, err := s.Provider.Subscription(ctx, session.Subscription)
	return err == nil && subscribes(o, session, sub) != nil, err
}
