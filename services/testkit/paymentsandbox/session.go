package paymentsandbox

import (
	"fmt"
	"time"
)

// Modes and states of a hosted checkout.
const (
	modePayment      = "payment"
	modeSubscription = "subscription"
	open             = "open"
	complete         = "complete"
	expired          = "expired"
	unpaid           = "unpaid"
	paid             = "paid"
)

type session struct {
	ID        string            `json:"id"`
	URL       string            `json:"url"`
	Mode      string            `json:"mode"`
	Customer  string            `json:"customer"`
	Email     string            `json:"email"`
	Reference string            `json:"reference"`
	Metadata  map[string]string `json:"metadata"`
	PassedOn  map[string]string `json:"passedOn"` // metadata of the payment or the subscription that it leads to
	Lines     []line            `json:"lines"`
	Currency  string            `json:"currency"`
	Shipping  *shipping         `json:"shipping,omitempty"`
	Countries []string          `json:"countries"`
	// AllowCodes is nil where the caller did not say.
	AllowCodes *bool `json:"allowCodes,omitempty"`
	// Code is the id of the promotion code that is applied, with its coupon.
	Code   string `json:"code,omitempty"`
	Coupon string `json:"coupon,omitempty"`
	// CardAlways asks for a card where nothing is to be paid now: what renews is charged to it.
	CardAlways    bool     `json:"cardAlways,omitempty"`
	SuccessURL    string   `json:"successUrl"`
	CancelURL     string   `json:"cancelUrl"`
	Note          string   `json:"note"` // shown by the button
	Status        string   `json:"status"`
	PaymentStatus string   `json:"paymentStatus"`
	Payment       string   `json:"payment"`
	Invoice       string   `json:"invoice"`
	Subscription  string   `json:"subscription"`
	SentTo        *Address `json:"sentTo,omitempty"`
	Created       int64    `json:"created"`
	ExpiresAt     int64    `json:"expiresAt"`
	// Ahead is how far Advance has taken it, in seconds.
	Ahead int64 `json:"ahead"`
	// Waiting is the card whose bank wants the payment to be confirmed.
	Waiting *Payer `json:"waiting,omitempty"`
	// Attempt is the payment that was tried and declined.
	Attempt string `json:"attempt"`
	// Methods are the kinds of payment that it takes; empty for cards alone.
	Methods []string `json:"methods,omitempty"`
}

// Kinds of payment. A debit of a bank account is paid days after the checkout is complete, or not at all.
const (
	byCard  = "card"
	byDebit = "bacs_debit"
)

func (s *session) methods() []string {
	if len(s.Methods) == 0 {
		return []string{byCard}
	}
	return s.Methods
}

// line is a price so many times.
type line struct {
	ID       string            `json:"id"`
	Price    string            `json:"price"`
	Quantity int64             `json:"quantity"`
	Metadata map[string]string `json:"metadata"`
	// Item is the subscription's line that a line of an invoice is of, where it is not the same.
	Item string `json:"item,omitempty"`
	// Amount, Start and End are of a line for a part of a period; nil where the price says the amount.
	Amount *int64 `json:"amount,omitempty"`
	Start  int64  `json:"start,omitempty"`
	End    int64  `json:"end,omitempty"`
}

type shipping struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Amount int64  `json:"amount"`
}

// Address that things are sent to.
type Address struct {
	Name       string `json:"name"`
	Line1      string `json:"line1"`
	Line2      string `json:"line2"`
	City       string `json:"city"`
	PostalCode string `json:"postalCode"`
	Country    string `json:"country"`
}

func (s *session) id() string  { return s.ID }
func (s *session) made() int64 { return s.Created }

func (s *Sandbox) goods(lines []line) (sum int64) {
	for _, l := range lines {
		sum += s.amount(l)
	}
	return sum
}

func (s *Sandbox) amount(l line) int64 {
	if l.Amount != nil {
		return *l.Amount
	}
	p, _ := s.state.Prices.get(l.Price)
	return p.Amount * l.Quantity
}

// total is the goods without the discount, and the delivery in full.
func (s *Sandbox) total(found *session) int64 {
	return s.goods(found.Lines) - s.off(found.Coupon, found.Lines) + found.delivery()
}

func (s *session) delivery() int64 {
	if s.Shipping == nil {
		return 0
	}
	return s.Shipping.Amount
}

// asked is what a checkout charges: what begins a subscription is an invoice, to which the customer's balance goes as to any other.
func (s *Sandbox) asked(found *session) int64 {
	total := s.total(found)
	if found.Mode != modeSubscription {
		return total
	}
	balance := s.payerOrNil(found.Customer).Balance
	return total + balance - left(total, balance, found.Currency)
}

// asksForCard says whether somebody has to give a card to complete a checkout.
func (s *Sandbox) asksForCard(found *session) bool { return found.CardAlways || s.asked(found) > 0 }

func (s *Sandbox) session(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.state.Sessions.get(c.path)
	if !ok {
		return nil, missing("checkout.session", c.path)
	}
	return s.showSession(found), nil
}

func (s *Sandbox) listSessions(c *call) (object, error) {
	l := c.listing()
	by := [...]string{c.text("customer"), c.text("subscription"), c.text("status")}
	if err := c.finish(); err != nil {
		return nil, err
	}
	return page(l, "/v1/checkout/sessions", s.state.Sessions.Items, func(found *session) bool {
		for i, value := range [...]string{found.Customer, found.Subscription, found.Status} {
			if by[i] != "" && by[i] != value {
				return false
			}
		}
		return true
	}, s.showSession)
}

func (s *Sandbox) expireSession(c *call) (object, error) {
	if err := c.finish(); err != nil {
		return nil, err
	}
	found, ok := s.state.Sessions.get(c.path)
	if !ok {
		return nil, missing("checkout.session", c.path)
	}
	if found.Status != open {
		return nil, refused("", fmt.Sprintf("Only Checkout Sessions with a status in [\"open\"] can be expired. This Checkout Session has a status of %q.", found.Status))
	}
	s.endSession(found)
	return s.showSession(found), nil
}

func (s *Sandbox) endSession(found *session) {
	found.Status, found.Waiting = expired, nil
	s.tell("checkout.session.expired", s.showSession(found))
}

// A session lives for half an hour at least and a day at most, as Stripe has it. What a caller's clock and ours differ by is let
// pass.
const (
	shortestSession = 30 * time.Minute
	longestSession  = 24 * time.Hour
	clockSkew       = time.Minute
)
