package sales

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/failpoint"
	"serein.app/services/platform/postgres"
)

// Receive checks a webhook's signature and keeps its event, once. What was kept is applied afterwards.
func (s *Service) Receive(ctx context.Context, payload []byte, signature string) error {
	e, err := s.Provider.ReadEvent(payload, signature, s.Now())
	if errors.Is(err, ErrOtherVersion) {
		s.Metrics.WebhookRefused(ctx, "version")
		s.Log.ErrorContext(ctx, "the webhook endpoint is set up with another version of the API: nothing that it tells is taken", "error", err)
		return ErrWebhookInvalid.Because(err)
	}
	if err != nil {
		s.Metrics.WebhookRefused(ctx, "signature")
		s.Log.DebugContext(ctx, "webhook refused", "error", err) // anyone can send requests here, so the log has it at debug level only and operators watch the metric
		return ErrWebhookInvalid.Because(err)
	}
	if _, err := s.storeEvent(ctx, e); err != nil {
		return err
	}
	failpoint.Pass(failpoint.AfterWebhookKept)
	return nil
}

// storeEvent stores an event once. isNew says that it was not stored before and that billing accepts it.
func (s *Service) storeEvent(ctx context.Context, e Event) (isNew bool, err error) {
	refused := s.foreign(e)
	isNew, err = s.Store.KeepEvent(ctx, e, refused)
	if err == nil && isNew && refused != "" {
		s.Metrics.WebhookRefused(ctx, refused)
		s.Log.ErrorContext(ctx, "event is not ours and is not acted upon", "event", e.ID, "type", e.Type, "reason", refused)
	}
	return isNew && refused == "", err
}

// foreign says why billing does not accept an event; empty if it accepts it.
func (s *Service) foreign(e Event) string {
	switch {
	case e.Account != "":
		return "account"
	case e.Live != s.Terms.Live:
		return "live"
	}
	return ""
}

// ApplyEvent does what an event calls for, by what the provider says now. Applied again it changes nothing.
func (s *Service) ApplyEvent(ctx context.Context, id string) error {
	e, applied, err := s.Store.Event(ctx, id)
	if errors.Is(err, postgres.ErrNotFound) || err == nil && applied {
		return nil
	}
	if err != nil {
		return err
	}
	if look, subscribed := looks[e.Type]; subscribed {
		err = look(s, ctx, e)
	} else {
		s.Log.WarnContext(ctx, "the payment provider tells of what nobody has asked for; its endpoint sends more than it is to", "event", e.ID, "type", e.Type)
	}
	if err != nil {
		return fmt.Errorf("event %s (%s): %w", e.ID, e.Type, err)
	}
	return s.Store.MarkApplied(ctx, id)
}

// applySession settles the order of a checkout, also one that was closed while its payment was on its way.
func (s *Service) applySession(ctx context.Context, e Event) error {
	id := e.ObjectID
	o, err := s.Store.OrderOfSession(ctx, id)
	if err == nil {
		if o.Waits() || o.State == Closed && e.Type != sessionExpired {
			_, err = s.settle(ctx, o)
		}
		return err
	}
	if !errors.Is(err, postgres.ErrNotFound) {
		return err
	}
	// The event may arrive before the provider's answer to the call that opened the checkout.
	session, err := s.Provider.Session(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return s.unknown(ctx, id)
	}
	if err != nil {
		return err
	}
	order, err := uuid.Parse(session.OrderID)
	if err != nil {
		return s.unknown(ctx, id)
	}
	o, err = s.Store.Order(ctx, order)
	switch {
	case errors.Is(err, postgres.ErrNotFound):
		return s.unknown(ctx, id)
	case err != nil:
		return err
	case o.SessionID != "":
		return s.alert(ctx, o, MismatchError{"id", o.SessionID, id})
	}
	_, err = s.Settle(ctx, o) // which looks for it among the member's own
	return err
}

// applyMembership settles the membership of an invoice; others are none of ours.
func (s *Service) applyMembership(ctx context.Context, e Event) error {
	if e.Subscription == "" {
		return nil
	}
	return s.applySubscription(ctx, e.Subscription)
}

// applySubscription settles what its customer's member has waiting, since the checkout that began it may be among it; then the
// membership itself.
func (s *Service) applySubscription(ctx context.Context, id string) error {
	sub, err := s.Provider.Subscription(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return s.unknown(ctx, id)
	}
	if err != nil {
		return err
	}
	if err := s.settleCustomer(ctx, sub.Customer); err != nil {
		return err
	}
	_, err = s.Memberships.Settle(ctx, id)
	return err
}

func (s *Service) settleCustomer(ctx context.Context, customer string) error {
	uid, err := s.Store.MemberOfCustomer(ctx, customer)
	if errors.Is(err, postgres.ErrNotFound) {
		return nil // not a customer that billing created, or a deleted member's
	}
	if err != nil {
		return err
	}
	waiting, err := s.Store.WaitingOf(ctx, uid)
	for _, o := range waiting {
		if err == nil {
			_, err = s.Settle(ctx, o)
		}
	}
	return err
}

// settleMembership settles what a customer's member pays every period: a payment that nothing is known of may be for that, or a card
// that they have given.
func (s *Service) settleMembership(ctx context.Context, customer string) error {
	uid, err := s.Store.MemberOfCustomer(ctx, customer)
	if errors.Is(err, postgres.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	subscription, err := s.Store.PaidSubscription(ctx, uid)
	if err == nil && subscription != "" {
		_, err = s.Memberships.Settle(ctx, subscription)
	}
	return err
}

// applyPayment notes what of a payment has gone back.
func (s *Service) applyPayment(ctx context.Context, id string) error {
	o, err := s.Store.OrderOfPayment(ctx, id)
	if errors.Is(err, postgres.ErrNotFound) {
		// Nothing of it is known yet: it may belong to what waits.
		p, unread := s.Provider.Payment(ctx, id)
		if errors.Is(unread, ErrNotFound) {
			return s.unknown(ctx, id)
		}
		if unread == nil {
			unread = errors.Join(s.settleCustomer(ctx, p.Customer), s.settleMembership(ctx, p.Customer))
		}
		if unread != nil {
			return unread
		}
		o, err = s.Store.OrderOfPayment(ctx, id)
	}
	if errors.Is(err, postgres.ErrNotFound) {
		return nil // a payment that failed
	}
	if err != nil {
		return err
	}
	return s.followPayment(ctx, o)
}

// maxReads is how often a payment is read again because another call has stored something of it since the last read.
const maxReads = 5

// followPayment notes what has gone of an order's payment until nothing is left to note. The order is read first, and the payment again after
// each note: what was read before somebody else's note could take that back otherwise.
func (s *Service) followPayment(ctx context.Context, o Order) error {
	for range maxReads {
		p, err := s.Provider.Payment(ctx, o.Payment)
		if errors.Is(err, ErrNotFound) {
			return s.unknown(ctx, o.Payment)
		}
		if err != nil {
			return err
		}
		noted, err := s.noteGone(ctx, o, p)
		if err != nil || !noted {
			return err
		}
		if o, err = s.Store.Order(ctx, o.ID); err != nil {
			return err
		}
	}
	return fmt.Errorf("order %s: its payment keeps changing", o.Number())
}

// noteGone stores which amounts of an order's payment have gone back by refunds and disputes, or are ours again, and says whether that was
// new. For a bank's inquiry it only logs an error for the operator.
func (s *Service) noteGone(ctx context.Context, o Order, p Payment) (bool, error) {
	if p.Amount != o.Charged() || p.Currency != o.Currency {
		return false, s.alert(ctx, o, MismatchError{"payment", fmt.Sprint(o.Charged(), o.Currency), fmt.Sprint(p.Amount, p.Currency)})
	}
	if strange := p.Strange(); len(strange) > 0 {
		s.Log.ErrorContext(ctx, "a refund or a dispute has a state that nobody knows; nothing is noted of its payment until somebody has looked",
			"order", o.ID, "number", o.Number(), "states", strange)
		return false, nil
	}
	gone := p.Gone()
	why := o.Change(gone)
	if why == "" && gone.Disputed == o.Disputed {
		s.noteDisputes(ctx, o, p)
		return false, nil
	}
	if why == RefundFailed {
		s.Log.ErrorContext(ctx, "a refund has failed: the money is ours again, and the member waits for it", "order", o.ID, "number", o.Number(), "gone", gone.All())
	}
	rest, err := s.restOf(ctx, o, why)
	if err != nil {
		return false, err
	}
	return true, s.Store.NoteGone(ctx, o.ID, gone, why, rest)
}

// restOf is when the period ends that an order paid for, where money of it is ours again; zero where its membership cannot run any more.
func (s *Service) restOf(ctx context.Context, o Order, why RefundReason) (time.Time, error) {
	if why != GivenByBank && why != RefundFailed || o.Subscription == "" {
		return time.Time{}, nil
	}
	sub, err := s.Provider.Subscription(ctx, o.Subscription)
	if errors.Is(err, ErrNotFound) || err == nil && !sub.PeriodStart.UTC().Truncate(time.Second).Equal(o.PeriodStart.Truncate(time.Second)) {
		return time.Time{}, nil // another period runs, or none
	}
	return sub.PeriodEnd.UTC(), err
}

// noteDisputes tells the operator of each dispute and inquiry: the bank waits for an answer at the provider's pages, or it is decided.
func (s *Service) noteDisputes(ctx context.Context, o Order, p Payment) {
	for _, d := range p.Disputes {
		level := slog.LevelInfo
		if d.Asks() {
			level = slog.LevelError
		}
		s.Log.Log(ctx, level, "a bank disputes a payment, or asks about it", "order", o.ID, "number", o.Number(), "dispute", d.ID, "status", d.Status,
			"amount", d.Amount, "withdrawn", d.Withdrawn)
	}
}

// unknown counts what the provider tells of that is none of ours.
func (s *Service) unknown(ctx context.Context, id string) error {
	s.Metrics.SessionUnknown(ctx)
	s.Log.WarnContext(ctx, "the payment provider tells of something that is none of ours", "object", id)
	return nil
}
