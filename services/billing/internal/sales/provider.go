package sales

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Errors of a Provider. Any other error is a fault of billing, or a fault of the provider that a retry does not mend.
var (
	// ErrProviderUnavailable: the provider could not be reached, answered too late, is busy or failed internally. It may have carried the
	// request out: retry with the same key.
	ErrProviderUnavailable = errors.New("payment provider is away")
	// ErrProviderFault is an ErrProviderUnavailable: the provider answered with an internal error, or the key was used for another request.
	// It may repeat that answer for the key's whole day: check whether it carried the request out, and retry with another key.
	ErrProviderFault = fmt.Errorf("%w: it failed internally", ErrProviderUnavailable)
	// ErrNotFound: the provider has nothing under that id.
	ErrNotFound = errors.New("payment provider knows no such thing")
	// ErrRefused: the provider refuses the request as it is, for ever.
	ErrRefused = errors.New("payment provider refused the request")
	// ErrOtherVersion is an ErrRefused of an event that the provider has signed and written in another version of its API than is spoken.
	ErrOtherVersion = fmt.Errorf("%w: it is of another version of the API", ErrRefused)
	// ErrNoCustomer is an ErrRefused because the customer that the request names is not there, or not any more.
	ErrNoCustomer = fmt.Errorf("%w: it has no such customer", ErrRefused)
)

// Provider is what sales need of a payment provider. Every write names a key: the same key does the same thing once, for 24
// hours; after that the caller looks whether it was done before it asks again.
type Provider interface {
	// Prices gives those that the lookup keys lead to; a key that leads nowhere is missing.
	Prices(ctx context.Context, lookupKeys []string) (map[string]ProviderPrice, error)
	// CreatePrice makes a price and takes its lookup key over from the price that had it.
	CreatePrice(ctx context.Context, key string, p NewPrice) (ProviderPrice, error)
	// CreateCustomer gives the customer's id. Customers are found again by FindCustomer.
	CreateCustomer(ctx context.Context, key string, c Customer) (string, error)
	// FindCustomer looks for a customer by our uid; ErrNotFound if the provider has no such customer.
	FindCustomer(ctx context.Context, uid string) (string, error)
	// UpdateCustomer changes the address or the name of one; what is empty stays. ErrNotFound where the customer is not there any more.
	UpdateCustomer(ctx context.Context, key, id string, c Customer) error
	// DeleteCustomer forgets who a customer was; one that is deleted already is fine.
	DeleteCustomer(ctx context.Context, key, id string) error
	// MayUse says whether a promotion code is taken still by a member who has used it so often.
	MayUse(ctx context.Context, code string, used int64) (bool, error)
	// CreateSession opens a hosted checkout.
	CreateSession(ctx context.Context, key string, s NewSession) (Session, error)
	// Session reads one back with what was paid, and with all of its lines.
	Session(ctx context.Context, id string) (Session, error)
	// SessionsOf lists a customer's sessions that were opened since, the newest first.
	SessionsOf(ctx context.Context, customer string, since time.Time) ([]Session, error)
	// ExpireSession closes an open checkout; one that is closed already is fine, one that was paid is ErrRefused.
	ExpireSession(ctx context.Context, key, id string) error
	// Subscription reads one.
	Subscription(ctx context.Context, id string) (ProviderSubscription, error)
	// EndSubscription ends one at once, without a charge.
	EndSubscription(ctx context.Context, key, id string) error
	// Refund returns what was paid for, whole. A payment that was returned already is fine.
	Refund(ctx context.Context, key, payment string) error
	// Payment reads what was paid, returned and disputed, all of it.
	Payment(ctx context.Context, id string) (Payment, error)
	// ChangeBalance adds to what a customer's next invoices are lowered by, or takes from it, once for an order however often it is asked;
	// ErrNotFound where the customer is not there any more.
	ChangeBalance(ctx context.Context, key, customer string, change int64, currency, order string) error
	// PortalURL opens the page where a customer mends their card.
	PortalURL(ctx context.Context, customer, returnURL string) (string, error)
	// Events lists what the provider told since, the oldest first, up to a bound: what a webhook may have missed.
	Events(ctx context.Context, since time.Time) ([]Event, error)
	// ReadEvent checks the signature of a webhook's raw body, and its age, and gives the event, of whatever account and mode.
	ReadEvent(payload []byte, signature string, now time.Time) (Event, error)
}

// ProviderPrice is a price as the provider has it.
type ProviderPrice struct {
	ID        string
	LookupKey string
	Amount    int64  // in minor units
	Currency  string // ISO 4217, lower case
	Period    string // "month", "year", or empty for what is paid once
	Name      string // of the product, as it stands on the hosted checkout
	Active    bool
}

// NewPrice is a price to make.
type NewPrice struct {
	LookupKey string
	// ProductID is ours. If the provider has no product of that id, it is created under it, with Name as its name.
	ProductID string
	Name      string
	Amount    int64
	Currency  string
	Period    string
}

// Customer is who pays.
type Customer struct {
	UID, Email, Name string
}

// FullName is how a customer is called.
func FullName(given, family string) string { return strings.TrimSpace(given + " " + family) }

// NewSession is a checkout to open.
type NewSession struct {
	OrderID  string
	UID      string
	Customer string
	Email    string
	// Subscription says that the lines are paid every period; all of them are then.
	Subscription bool
	Lines        []SessionLine
	// PromotionCodes asks for one on the page.
	PromotionCodes bool
	// Delivery asks for an address in one of Countries and adds its price (0: free), named as DeliveryName.
	Delivery              bool
	DeliveryName          string
	DeliveryAmount        int64
	Currency              string
	Countries             []string
	SuccessURL, CancelURL string
	ExpiresAt             time.Time
	// Methods are the kinds of payment that the page offers, by the provider's names; empty for those of the account.
	Methods []string
}

// SessionLine is a price so many times.
type SessionLine struct {
	PriceID  string
	Quantity int64
	// Note is shown under the name, such as a size; empty for none.
	Note string
}

// SessionState is where a hosted checkout stands.
type SessionState string

// States of a checkout.
const (
	SessionOpen     SessionState = "open"
	SessionComplete SessionState = "complete"
	SessionExpired  SessionState = "expired"
)

// PaymentState is the provider's word for where a payment stands.
type PaymentState string

// States of a payment. internal/stripe/README.md has the table of them.
const (
	PaymentSucceeded PaymentState = "succeeded"
	// PaymentProcessing: a delayed method was taken, such as a bank debit, and its money has not come yet.
	PaymentProcessing PaymentState = "processing"
	// PaymentUnpaid: what was tried did not pay, and another means is asked for.
	PaymentUnpaid   PaymentState = "requires_payment_method"
	PaymentCanceled PaymentState = "canceled"
)

// Outcome is what becomes of an order by its checkout.
type Outcome string

// The outcomes.
const (
	StillOpen Outcome = "open"       // the member may pay yet
	OnItsWay  Outcome = "processing" // the member has done their part, and the money has not come
	HasPaid   Outcome = "paid"       // the money has come, or none was due
	NotPaid   Outcome = "not_paid"   // the payment failed or was called off
)

// Outcome is what becomes of the order: a checkout that is complete and unpaid waits for its payment, and ends when that has failed.
func (s Session) Outcome() Outcome {
	switch {
	case s.State == SessionExpired:
		return NotPaid
	case s.State != SessionComplete:
		return StillOpen
	case s.Paid:
		return HasPaid
	case s.PaymentState == PaymentUnpaid || s.PaymentState == PaymentCanceled:
		return NotPaid
	}
	return OnItsWay
}

// Session is a hosted checkout as the provider has it.
type Session struct {
	ID, URL      string
	OrderID, UID string // as they were given to it
	Customer     string
	State        SessionState
	// Paid: the money has come, or none was due.
	Paid bool
	// PaymentState of what is to pay it, where it is complete and not paid; else empty.
	PaymentState PaymentState
	Live         bool
	Amount       int64 // what is charged: the goods and the delivery, less the discount and what is from the balance
	Delivery     int64
	Discount     int64 // of the goods, by a promotion code
	// Code is the provider's id of that; empty for none.
	Code string
	// FromBalance is what the customer's balance pays of it; below 0 what it asks for besides.
	FromBalance int64
	Currency    string
	Lines       []PaidLine
	// Payment is the id to refund by; empty while nothing was paid, or where nothing was due. Subscription is empty where none was bought.
	Payment, Subscription string
	// PaidBy of what a checkout charged itself; a membership's is that of its invoice's payment.
	PaidBy  Means
	Address *Address
}

// PaidLine is a line as it is charged.
type PaidLine struct {
	PriceID  string
	Quantity int64
	Amount   int64 // of the whole line, before a discount
}

// Address that things are sent to.
type Address struct {
	Name, Line1, Line2, City, PostalCode, Country string
}

// Lines of the street, without those that are empty.
func (a Address) Lines() []string {
	var lines []string
	for _, line := range []string{a.Line1, a.Line2} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// ProviderSubscription is a subscription as the provider has it.
type ProviderSubscription struct {
	ID, Customer, UID string
	// Status is the provider's word: active, past_due, unpaid, canceled, incomplete, incomplete_expired, or that of a trial.
	Status            string
	PriceID           string
	CreatedAt         time.Time
	PeriodStart       time.Time
	PeriodEnd         time.Time
	CancelAtPeriodEnd bool
	CancelReason      CancelReason // empty where the member said none of ours
	EndedAt           time.Time    // zero while it runs
	// Card is the subscription's default card, which the provider charges first. CustomerCard is the customer's default, which it charges
	// for subscriptions without a Card.
	Card, CustomerCard Card
}

// Charged is what its invoices are charged to; without an id where there is nothing.
func (s ProviderSubscription) Charged() Card {
	if s.Card.ID == "" {
		return s.CustomerCard
	}
	return s.Card
}

// GivenBefore is the card that the customer had when the subscription was bought, which was given for something else; empty for none.
func (s ProviderSubscription) GivenBefore() string {
	if s.CustomerCard.GivenAt.After(s.CreatedAt) {
		return ""
	}
	return s.CustomerCard.ID
}

// Card is what is charged, as one customer gave it at one time.
type Card struct {
	ID           string
	Brand, Last4 string    // empty where it is no card
	GivenAt      time.Time // zero where the provider does not say
	// Fingerprint identifies the physical card: the same for every customer and every time it is added; empty if the provider sends none.
	Fingerprint string
}

// CancelReason is why a member cancels, as they say, events name it and the provider keeps it; empty where they do not say.
type CancelReason string

// The reasons.
const (
	TooExpensive CancelReason = "too_expensive"
	Unused       CancelReason = "unused"
	OtherReason  CancelReason = "other"
)

// Payment is what was paid once.
type Payment struct {
	ID, Customer string
	Amount       int64
	// Refunded is what refunds have sent back or are sending, without those that failed.
	Refunded int64
	// StrangeRefunds are the unknown states of its refunds, in the provider's words; Refunded does not count those refunds.
	StrangeRefunds []string
	Currency       string
	// Disputes that banks have begun about it, and their inquiries.
	Disputes []Dispute
	// Card that it was tried with last, be it paid or not.
	Card Card
	// PaidBy is zero while nothing has been charged.
	PaidBy Means
}

// Event is a hint that something has changed: what it is about is fetched before anything is done.
type Event struct {
	ID        string
	Type      string
	CreatedAt time.Time
	Live      bool
	// Object is the kind of what it is about: "checkout.session", "subscription", "customer", "invoice", "charge", "refund",
	// "dispute".
	Object string
	// ObjectID is its id; for a charge, a refund and a dispute Payment names the payment.
	ObjectID string
	Payment  string
	// Subscription is its id where the event is about one, or about an invoice of one.
	Subscription string
	// Account is empty for our own.
	Account string
}
