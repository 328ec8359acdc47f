// Package providertest implements the interfaces of the payment provider in memory, for tests of what billing does when a call fails: a
// test names the call that is away, refused or loses its answer, and stops inside it. It repeats an answer to the same key. What
// Stripe's objects do is the payment sandbox's to know (services/testkit/paymentsandbox).
package providertest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// Signature that the provider's webhooks have.
const Signature = "signed by the provider"

// Fault is what goes wrong with a call.
type Fault int

// The faults.
const (
	// Away: nothing is done.
	Away Fault = iota + 1
	// Lost: it is done, and the answer is lost.
	Lost
	// Refused: nothing is done, for ever.
	Refused
	// Broken: nothing is done, and the key repeats that.
	Broken
	// BrokenAfter: it is done, and the key repeats that the provider has a fault.
	BrokenAfter
)

// Provider keeps customers, prices, checkouts, subscriptions and payments.
type Provider struct {
	mu        sync.Mutex
	now       func() time.Time
	n         int
	answers   map[string]any  // by idempotency key
	broken    map[string]bool // keys that repeat a fault
	prices    map[string]sales.ProviderPrice
	customers map[string]string
	contacts  map[string]sales.Customer // by the customers' ids
	deleted   map[string]bool           // customers, by their ids
	sessions  map[string]*sales.Session
	opened    map[string]time.Time // sessions
	asked     map[string]sales.NewSession
	subs      map[string]*sales.ProviderSubscription
	lives     map[string]*life // of subscriptions
	payments  map[string]*sales.Payment
	cards     map[string]string     // by uid; empty: one of the customer's own
	given     map[string]sales.Card // by customer: on the provider's page
	declines  map[string]bool       // cards, by their ids
	changed   map[string]bool       // balances, by the order that it was for
	codes     map[string]int64      // how often a member may use one
	events    []sales.Event
	listed    int // at once; 0 for all
	faults    map[string][]Fault
	before    func(call string)
	calls     map[string]int
}

var (
	_ sales.Provider         = (*Provider)(nil)
	_ subscriptions.Provider = (*Provider)(nil)
)

// New makes one without anything.
func New(now func() time.Time) *Provider {
	return &Provider{
		now: now, answers: map[string]any{}, broken: map[string]bool{}, prices: map[string]sales.ProviderPrice{}, customers: map[string]string{}, contacts: map[string]sales.Customer{}, deleted: map[string]bool{},
		sessions: map[string]*sales.Session{}, opened: map[string]time.Time{}, asked: map[string]sales.NewSession{}, subs: map[string]*sales.ProviderSubscription{}, lives: map[string]*life{},
		payments: map[string]*sales.Payment{}, cards: map[string]string{}, given: map[string]sales.Card{}, declines: map[string]bool{}, changed: map[string]bool{}, codes: map[string]int64{}, faults: map[string][]Fault{}, calls: map[string]int{},
	}
}

// Fail makes the next calls of that name fail in turn.
func (p *Provider) Fail(call string, faults ...Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults[call] = append(p.faults[call], faults...)
}

// Heal takes back the faults that have not happened yet.
func (p *Provider) Heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.faults)
}

// Before has something done at the start of each call: tests wait or act in it. nil: nothing.
func (p *Provider) Before(do func(call string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before = do
}

// Calls is how often a call came.
func (p *Provider) Calls(call string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[call]
}

func (p *Provider) id(kind string) string {
	p.n++
	return fmt.Sprintf("%s_%06d", kind, p.n)
}

// call runs one under the lock, with the faults that are due.
func call[T any](p *Provider, name, key string, do func() (T, error)) (T, error) {
	p.mu.Lock()
	before := p.before
	p.mu.Unlock()
	if before != nil {
		before(name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[name]++
	var fault Fault
	if due := p.faults[name]; len(due) > 0 {
		fault, p.faults[name] = due[0], due[1:]
	}
	var none T
	switch fault {
	case Away:
		return none, fmt.Errorf("%s: %w", name, sales.ErrProviderUnavailable)
	case Refused:
		return none, fmt.Errorf("%s: %w", name, sales.ErrRefused)
	case Lost, Broken, BrokenAfter:
	}
	if key != "" {
		key = name + " " + key
	}
	if p.broken[key] || fault == Broken {
		p.broken[key] = key != ""
		return none, fmt.Errorf("%s: %w", name, sales.ErrProviderFault)
	}
	answer, known := p.answers[key].(T)
	var err error
	if key == "" || !known {
		answer, err = do()
		if err == nil && key != "" {
			p.answers[key] = answer
		}
	}
	switch fault {
	case Lost:
		return none, fmt.Errorf("%s: %w", name, sales.ErrProviderUnavailable)
	case BrokenAfter:
		p.broken[key] = key != ""
		return none, fmt.Errorf("%s: %w", name, sales.ErrProviderFault)
	case Away, Refused, Broken:
	}
	return answer, err
}

// CreateSession opens one.
func (p *Provider) CreateSession(_ context.Context, key string, n sales.NewSession) (sales.Session, error) {
	return call(p, "CreateSession", key, func() (sales.Session, error) {
		if p.deleted[n.Customer] {
			return sales.Session{}, sales.ErrNoCustomer
		}
		s := sales.Session{
			ID: p.id("cs"), OrderID: n.OrderID, UID: n.UID, Customer: n.Customer, State: sales.SessionOpen, Currency: n.Currency,
			Delivery: n.DeliveryAmount, Amount: n.DeliveryAmount,
		}
		s.URL = "https://pay.example/" + s.ID
		for _, line := range n.Lines {
			price, ok := p.byID(line.PriceID)
			if !ok {
				return s, sales.ErrRefused
			}
			s.Lines = append(s.Lines, sales.PaidLine{PriceID: line.PriceID, Quantity: line.Quantity, Amount: price.Amount * line.Quantity})
			s.Amount += price.Amount * line.Quantity
		}
		p.sessions[s.ID], p.opened[s.ID] = &s, p.now()
		p.asked[s.ID] = n
		return s, nil
	})
}

func (p *Provider) byID(id string) (sales.ProviderPrice, bool) {
	for _, price := range p.prices {
		if price.ID == id {
			return price, true
		}
	}
	return sales.ProviderPrice{}, false
}

// Session reads one back.
func (p *Provider) Session(_ context.Context, id string) (sales.Session, error) {
	return call(p, "Session", "", func() (sales.Session, error) {
		if s, ok := p.sessions[id]; ok {
			return *s, nil
		}
		return sales.Session{}, sales.ErrNotFound
	})
}

// SessionsOf lists a customer's.
func (p *Provider) SessionsOf(_ context.Context, customer string, since time.Time) ([]sales.Session, error) {
	return call(p, "SessionsOf", "", func() ([]sales.Session, error) {
		var found []sales.Session
		for _, s := range p.sessions {
			if s.Customer == customer && !p.opened[s.ID].Before(since) {
				found = append(found, *s)
			}
		}
		slices.SortFunc(found, func(a, b sales.Session) int { return p.opened[b.ID].Compare(p.opened[a.ID]) })
		return found, nil
	})
}

// ExpireSession closes one that is open.
func (p *Provider) ExpireSession(_ context.Context, key, id string) error {
	_, err := call(p, "ExpireSession", key, func() (bool, error) {
		s, ok := p.sessions[id]
		switch {
		case !ok:
			return false, sales.ErrNotFound
		case s.State == sales.SessionComplete:
			return false, sales.ErrRefused
		}
		s.State = sales.SessionExpired
		return true, nil
	})
	return err
}

// Subscription reads one.
func (p *Provider) Subscription(_ context.Context, id string) (sales.ProviderSubscription, error) {
	return call(p, "Subscription", "", func() (sales.ProviderSubscription, error) {
		if s, ok := p.subs[id]; ok {
			read := *s
			read.CustomerCard = p.given[s.Customer]
			return read, nil
		}
		return sales.ProviderSubscription{}, sales.ErrNotFound
	})
}

// EndSubscription ends one.
func (p *Provider) EndSubscription(_ context.Context, key, id string) error {
	_, err := call(p, "EndSubscription", key, func() (bool, error) {
		s, ok := p.subs[id]
		if !ok {
			return false, sales.ErrNotFound
		}
		if s.EndedAt.IsZero() {
			p.end(s, p.now())
		}
		return true, nil
	})
	return err
}

// Refund returns a payment, whole.
func (p *Provider) Refund(_ context.Context, key, payment string) error {
	_, err := call(p, "Refund", key, func() (bool, error) {
		pay, ok := p.payments[payment]
		if !ok {
			return false, sales.ErrNotFound
		}
		pay.Refunded = pay.Amount
		p.tell("charge.refunded", "charge", "ch_"+payment, payment)
		return true, nil
	})
	return err
}

// Payment reads one.
func (p *Provider) Payment(_ context.Context, id string) (sales.Payment, error) {
	return call(p, "Payment", "", func() (sales.Payment, error) {
		if pay, ok := p.payments[id]; ok {
			return *pay, nil
		}
		return sales.Payment{}, sales.ErrNotFound
	})
}

// PortalURL is a page of the customer's own.
func (p *Provider) PortalURL(_ context.Context, customer, _ string) (string, error) {
	return call(p, "PortalURL", "", func() (string, error) {
		if p.deleted[customer] {
			return "", fmt.Errorf("PortalURL: %w", sales.ErrNoCustomer)
		}
		return "https://pay.example/portal/" + customer, nil
	})
}
