package sales

import (
	"context"
	"maps"
	"slices"
)

// Events of a checkout that more than the table below has to know by name.
const sessionExpired = "checkout.session.expired"

// look reads back what an event is about, and brings what it concerns to where that stands.
type look func(s *Service, ctx context.Context, e Event) error

var (
	aboutSession look = (*Service).applySession
	aboutPayment look = func(s *Service, ctx context.Context, e Event) error { return s.applyPayment(ctx, e.Payment) }
	// A customer's card may be another.
	aboutCustomer     look = func(s *Service, ctx context.Context, e Event) error { return s.settleMembership(ctx, e.ObjectID) }
	aboutSubscription look = func(s *Service, ctx context.Context, e Event) error { return s.applySubscription(ctx, e.ObjectID) }
	aboutInvoice      look = (*Service).applyMembership
)

// looks has a row for every event that the provider is asked to tell. An event says only what to look at: what is done follows from the
// state that is read then, by the functions named in the tables of internal/stripe/README.md.
var looks = map[string]look{
	"checkout.session.completed":               aboutSession,
	sessionExpired:                             aboutSession,
	"checkout.session.async_payment_succeeded": aboutSession,
	"checkout.session.async_payment_failed":    aboutSession,
	"customer.subscription.created":            aboutSubscription,
	"customer.subscription.updated":            aboutSubscription,
	"customer.subscription.deleted":            aboutSubscription,
	"customer.updated":                         aboutCustomer,
	"invoice.paid":                             aboutInvoice,
	"invoice.payment_failed":                   aboutInvoice,
	"invoice.marked_uncollectible":             aboutInvoice,
	"charge.refunded":                          aboutPayment,
	"refund.updated":                           aboutPayment,
	"refund.failed":                            aboutPayment,
	"charge.dispute.created":                   aboutPayment,
	"charge.dispute.updated":                   aboutPayment,
	"charge.dispute.closed":                    aboutPayment,
	"charge.dispute.funds_withdrawn":           aboutPayment,
	"charge.dispute.funds_reinstated":          aboutPayment,
}

// EventTypes are the events that the provider is asked to tell, in the order of their names.
func EventTypes() []string { return slices.Sorted(maps.Keys(looks)) }
