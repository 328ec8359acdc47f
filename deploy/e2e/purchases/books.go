package purchases

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
)

// settle waits until all work is done: no order waits for the provider, no event waits for the broker, and the baskets have received
// every order.
func (s *storm) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.SettleTime)
	defer cancel()
	if err := s.none(ctx, "billing", "orders that wait", `SELECT count(*) FROM orders WHERE state IN ('open', 'processing')`); err != nil {
		return err
	}
	for _, service := range stack.Databases() {
		if err := s.none(ctx, service, "events that wait", `SELECT count(*) FROM outbox WHERE published_at IS NULL`); err != nil {
			return err
		}
	}
	if err := s.hear(ctx, "the baskets", "basket", `SELECT count(DISTINCT order_id) FROM purchased`); err != nil {
		return err
	}
	if err := s.hear(ctx, "the mail", "mail", `SELECT count(*) FROM mails WHERE template = 'receipt'`); err != nil {
		return err
	}
	return s.none(ctx, "mail", "letters that wait", `SELECT count(*) FROM mails WHERE state = 'queued' AND held_until IS NULL`)
}

// hear waits until a service that consumes the events has a row for every order.
func (s *storm) hear(ctx context.Context, who, service, query string) error {
	return harness.Eventually(ctx, who+" hear of all orders", func(ctx context.Context) (bool, error) {
		n, err := harness.SQL[int64](ctx, s.product, service, query)
		return n >= s.report.Paid, err
	})
}

func (s *storm) none(ctx context.Context, service, what, query string) error {
	return harness.Eventually(ctx, what+" in "+service, func(ctx context.Context) (bool, error) {
		n, err := harness.SQL[int](ctx, s.product, service, query)
		if err == nil && n > 0 {
			err = fmt.Errorf("there are %d", n)
		}
		return err == nil, err
	})
}

// order is what billing has of one that was paid.
type order struct {
	ID      string `json:"id"`
	Number  int64  `json:"number"`
	UID     string `json:"uid"`
	State   string `json:"state"`
	Session string `json:"session"`
	Paid    int64  `json:"paid"`
	// Owed is what its lines bring in credits, Granted what the ledger has of it, Grants in how many entries and Causes the lines
	// that bring some.
	Owed    int64 `json:"owed"`
	Granted int64 `json:"granted"`
	Grants  int   `json:"grants"`
	Causes  int   `json:"causes"`
	// Pieces that it bought.
	Pieces int64 `json:"pieces"`
}

const paidOrders = `
	SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number, 'uid', o.uid, 'state', o.state, 'session', o.session_id, 'paid', o.paid_amount,
		'owed', l.owed, 'causes', l.causes, 'pieces', l.pieces, 'granted', e.granted, 'grants', e.grants)), '[]')
	FROM orders o
	CROSS JOIN LATERAL (SELECT sum(quantity * credits) AS owed, count(*) FILTER (WHERE credits > 0) AS causes, sum(quantity) AS pieces
		FROM order_lines WHERE order_id = o.id) AS l
	CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS granted, count(*) AS grants
		FROM entries WHERE uid = o.uid AND reference = 'order:' || o.id AND from_account = 'issued') AS e
	WHERE o.completed_at IS NOT NULL`

// compare holds the books of the provider, of billing, of the baskets and of the members against each other.
func (s *storm) compare(ctx context.Context, buyers []*buyer) error {
	orders, err := harness.SQL[[]order](ctx, s.product, "billing", paidOrders)
	if err != nil {
		return err
	}
	return errors.Join(
		s.sameMoney(ctx, orders), s.sameCredits(ctx, orders, buyers), s.toldOnce(ctx, orders), s.basketsAgree(ctx, orders), s.letters(ctx, orders, buyers))
}

// sameMoney: each payment that the provider has is one completed order, and each completed order one payment.
func (s *storm) sameMoney(ctx context.Context, orders []order) error {
	sessions, err := s.sessions(ctx)
	if err != nil {
		return err
	}
	told, err := s.told(ctx)
	if err != nil {
		return err
	}
	for _, n := range told {
		s.report.Webhooks += n
	}
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	byID := map[string]session{}
	for _, page := range sessions {
		if page.Status == "open" {
			fault("%s of order %s can still be paid", page.ID, page.Metadata["order_id"])
		}
		if page.PaymentStatus != "paid" {
			continue
		}
		byID[page.ID] = page
		s.report.Provider += page.Amount
		if _, known := s.paid[page.ID]; !known {
			fault("%s is paid, and nobody has paid it", page.ID)
		}
	}
	given := map[string]int{}
	for _, o := range orders {
		s.report.Billing += o.Paid
		given[o.Session]++
		if page := byID[o.Session]; o.State != "completed" || page.Amount != o.Paid {
			fault("order %s is %s with %d, and the provider has %d", o.ID, o.State, o.Paid, page.Amount)
		}
	}
	for id := range s.paid {
		if given[id] != 1 {
			fault("%s was paid and is %d orders", id, given[id])
		}
	}
	if n := int64(len(orders)); n != s.report.Paid || int64(len(byID)) != n || int64(told["payment_intent.succeeded"]) != n {
		fault("%d purchases, %d paid checkouts, %d payments, %d orders", s.report.Paid, len(byID), told["payment_intent.succeeded"], n)
	}
	return errors.Join(faults...)
}

// sameCredits: an order has brought what its lines say, once, and a member has what they bought.
func (s *storm) sameCredits(ctx context.Context, orders []order, buyers []*buyer) error {
	var faults []error
	for _, o := range orders {
		if o.Granted != o.Owed || o.Grants != o.Causes {
			faults = append(faults, fmt.Errorf("order %s brings %d credits in %d grants, and the ledger has %d in %d", o.ID, o.Owed, o.Causes, o.Granted, o.Grants))
		}
	}
	sums, err := harness.SQL[map[string]int64](ctx, s.product, "billing", `
		SELECT coalesce(jsonb_object_agg(uid, sum), '{}') FROM (SELECT uid,
			sum(CASE WHEN from_account = 'issued' THEN amount ELSE -amount END) FROM entries GROUP BY uid) AS s`)
	faults = append(faults, err)
	for _, b := range buyers {
		want, bought := s.bought[b.UID]
		if !bought { // the trial is as it was
			continue
		}
		seen, err := b.Credits(ctx)
		has := seen.GetPlan() + seen.GetTopUp()
		if err != nil || has != want || sums[b.UID] != want {
			faults = append(faults, fmt.Errorf("%s bought %d credits, sees %d and has %d by the ledger: %w", b.UID, want, has, sums[b.UID], err))
		}
	}
	return errors.Join(faults...)
}

// toldOnce: one event an order, which each consumer has applied once.
func (s *storm) toldOnce(ctx context.Context, orders []order) error {
	payloads, err := harness.SQL[[][]byte](ctx, s.product, "billing",
		`SELECT coalesce(array_agg(payload), '{}') FROM outbox WHERE subject = 'serein.billing.order.completed.v1'`)
	if err != nil {
		return err
	}
	events := map[string]int{}
	for _, payload := range payloads {
		envelope, completed := &eventsv1.Envelope{}, &eventsv1.OrderCompleted{}
		if err := proto.Unmarshal(payload, envelope); err != nil {
			return err
		}
		if err := envelope.GetPayload().UnmarshalTo(completed); err != nil {
			return err
		}
		events[completed.GetOrderId()]++
	}
	var faults []error
	for _, o := range orders {
		if events[o.ID] != 1 {
			faults = append(faults, fmt.Errorf("order %s has %d events", o.ID, events[o.ID]))
		}
	}
	if len(events) != len(orders) {
		faults = append(faults, fmt.Errorf("%d orders have an event, of %d", len(events), len(orders)))
	}
	return errors.Join(faults...)
}

// basketsAgree: what was bought is in no basket any more, and is kept as purchased, all of it.
func (s *storm) basketsAgree(ctx context.Context, orders []order) error {
	left, err := harness.SQL[int](ctx, s.product, "basket", `SELECT count(*) FROM lines`)
	if err != nil {
		return err
	}
	kept, err := harness.SQL[map[string]int64](ctx, s.product, "basket",
		`SELECT coalesce(jsonb_object_agg(order_id, n), '{}') FROM (SELECT order_id, sum(quantity) AS n FROM purchased GROUP BY order_id) AS p`)
	if err != nil {
		return err
	}
	var faults []error
	if left > 0 {
		faults = append(faults, fmt.Errorf("%d lines are left in baskets", left))
	}
	for _, o := range orders {
		if kept[o.ID] != o.Pieces {
			faults = append(faults, fmt.Errorf("order %s bought %d pieces, and %d are purchased", o.ID, o.Pieces, kept[o.ID]))
		}
	}
	if len(kept) != len(orders) {
		faults = append(faults, fmt.Errorf("%d orders are purchased, of %d", len(kept), len(orders)))
	}
	return errors.Join(faults...)
}
