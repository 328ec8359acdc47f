package subscriptions

import (
	"context"
	"errors"
	"time"

	"serein.app/services/billing/internal/sales"
)

// ErrDeclined says that the card was refused, and what was asked for was not done. It is not a sales.ErrRefused: the same request may be
// taken tomorrow.
var ErrDeclined = errors.New("payment provider could not charge the card")

// Provider is what a membership's later life needs of a payment provider, with the errors of sales.Provider. Every write names a
// key, as there.
type Provider interface {
	// Subscription reads one; sales.ErrNotFound if the provider has no such subscription.
	Subscription(ctx context.Context, id string) (sales.ProviderSubscription, error)
	// Subscriptions lists those that have not ended, a page at a time: after is the id of the last of the page before, empty at first.
	Subscriptions(ctx context.Context, after string) (page []sales.ProviderSubscription, more bool, err error)
	// Invoices lists a subscription's invoices that were made since, the oldest first, with what was paid for each.
	Invoices(ctx context.Context, subscription string, since time.Time) ([]Invoice, error)
	// Payment reads one with the card that it was tried with last.
	Payment(ctx context.Context, id string) (sales.Payment, error)
	// ChargeTo sets the card that a subscription is charged to: one of those that its customer has given.
	ChargeTo(ctx context.Context, key, subscription, card string) error
	// PayInvoice tries an open invoice at once, with that card; ErrDeclined where it is refused, sales.ErrRefused where the invoice is
	// paid, or is not to be any more. However often and by how many it is asked for, an invoice is paid once.
	PayInvoice(ctx context.Context, key, invoice, card string) error
	// Balance is what a customer's next invoices are lowered by, below 0 what they are raised by; sales.ErrNotFound if the provider has no
	// such customer.
	Balance(ctx context.Context, customer string) (int64, error)
	// ChangeBalance adds to it, or takes from it, once for an order however often it is asked.
	ChangeBalance(ctx context.Context, key, customer string, change int64, currency, order string) error
	// PreviewChange says what changing to that price at that moment would come to, and changes nothing.
	PreviewChange(ctx context.Context, subscription, price string, at time.Time) (Preview, error)
	// ChangePrice changes at once, with the amounts that a preview of the same moment gave. Where the difference cannot be charged it
	// answers ErrDeclined and nothing is changed.
	ChangePrice(ctx context.Context, key, subscription, price string, at time.Time) (sales.ProviderSubscription, error)
	// CancelAtPeriodEnd has a subscription end with its period, for the reason that the member says, or takes that back with its reason.
	CancelAtPeriodEnd(ctx context.Context, key, subscription string, cancel bool, why sales.CancelReason) (sales.ProviderSubscription, error)
	// EndSubscription ends one at once, without a charge; one that has ended is fine.
	EndSubscription(ctx context.Context, key, id string) error
}

// InvoiceStatus is the provider's word for where an invoice stands.
type InvoiceStatus string

// The statuses.
const (
	Draft         InvoiceStatus = "draft"
	Open          InvoiceStatus = "open" // to be paid, perhaps tried in vain before
	Paid          InvoiceStatus = "paid"
	Uncollectible InvoiceStatus = "uncollectible"
	Void          InvoiceStatus = "void"
)

// InvoiceReason is why the provider made an invoice.
type InvoiceReason string

// The reasons; others are none of a membership's life.
const (
	First  InvoiceReason = "subscription_create" // of the first period: the order of its checkout
	Cycle  InvoiceReason = "subscription_cycle"  // of a further period
	Change InvoiceReason = "subscription_update" // of a change of the price
)

// Invoice is what the provider charges for a subscription at one moment.
type Invoice struct {
	ID     string
	Status InvoiceStatus
	Reason InvoiceReason
	// Total is what it comes to, below 0 where something is credited; Due what is left to charge of it after what the customer had
	// been credited before, Charged what was paid. In minor units of Currency.
	Total, Due, Charged int64
	// FromBalance is what the customer's balance paid of it, below 0 what it credited to that; Credit is what is left there for the next
	// invoices, below 0 what they owe.
	FromBalance, Credit int64
	Currency            string
	Lines               []InvoiceLine
	// Payment is the id to refund by; empty while nothing was paid, or where nothing was due. Pending is the one that is to pay it.
	Payment, Pending string
	// Attempts that were made to charge it, NextAttempt is when the next is made; zero where none is.
	Attempts    int
	NextAttempt time.Time
	CreatedAt   time.Time
}

// InvoiceLine is one line of an invoice.
type InvoiceLine struct {
	PriceID string
	Amount  int64 // in minor units, less its discount; below 0 for what is credited
	// Proration: for a part of a period that a change began or ended.
	Proration              bool
	PeriodStart, PeriodEnd time.Time
}

// Preview is what a change of the price would come to.
type Preview struct {
	// Amount is charged now, in minor units of Currency; below 0 what is credited to the next payments.
	Amount   int64
	Currency string
	// Lines come to Total. Balance is what the customer owed before; below 0 what was credited.
	Lines          []InvoiceLine
	Total, Balance int64
	// Credit is what the customer has for the next payments afterwards, of this change and of what was before; below 0 what they owe.
	Credit int64
	// PeriodStart and PeriodEnd are of the period that runs after the change: the same as before, unless its length changes.
	PeriodStart, PeriodEnd time.Time
}
