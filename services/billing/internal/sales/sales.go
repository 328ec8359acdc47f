package sales

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/credits"
)

// Store is what sales need of the database. Each change is one transaction, with its events and jobs.
type Store interface {
	// TakeCatalogue makes the kept copy of the catalogue the same as c.
	TakeCatalogue(ctx context.Context, c Catalogue) error
	Items(ctx context.Context) ([]Item, error)
	SaveAgreement(ctx context.Context, items []Item) error
	Account(ctx context.Context, uid uuid.UUID) (credits.Account, error)

	// StartOrder keeps a new order, or gives the one that the key has made. older are the member's other orders that wait.
	StartOrder(ctx context.Context, o Order) (kept Order, older []Order, err error)
	SetSession(ctx context.Context, id uuid.UUID, s Session) (Order, error)
	Order(ctx context.Context, id uuid.UUID) (Order, error)
	OrderByNumber(ctx context.Context, number int64) (Order, error)
	OrderOfSession(ctx context.Context, session string) (Order, error)
	OrderOfPayment(ctx context.Context, payment string) (Order, error)
	WaitingOf(ctx context.Context, uid uuid.UUID) ([]Order, error)
	Waiting(ctx context.Context, before time.Time, most int) ([]Order, error)
	MarkPolled(ctx context.Context, id uuid.UUID) error
	// IncrementAttempt gives the order's next try another number than o's. Calls with the same o count once.
	IncrementAttempt(ctx context.Context, o Order) error
	Close(ctx context.Context, id uuid.UUID) (Order, error)
	Process(ctx context.Context, id uuid.UUID) (Order, error)
	// Complete gives what a paid order bought, once, or begins to return it where it cannot be given any more.
	Complete(ctx context.Context, id uuid.UUID, p Paid) (Order, error)
	// NoteGone notes what of an order's money has gone, and why that is another sum than before: TakenByBank, Refund, GivenByBank,
	// RefundFailed, or empty where only who took it has changed. Credits are taken back by the share of what went, as far as they are
	// unspent, and given back by the share of what came. A membership of which all has gone ends at once, and is ended at the provider;
	// where that comes back before rest, the end of the period that it had paid for, it is open until then.
	NoteGone(ctx context.Context, id uuid.UUID, gone Gone, why RefundReason, rest time.Time) error
	// CodesUsed are the promotion codes that a member's orders were paid with, and how often each.
	CodesUsed(ctx context.Context, uid uuid.UUID) (map[string]int64, error)
	PaidOrders(ctx context.Context, uid uuid.UUID, below int64, most int32) ([]Order, error)

	Customer(ctx context.Context, uid uuid.UUID) (string, error)
	AddCustomer(ctx context.Context, uid uuid.UUID, customer string) (string, error)
	DropCustomer(ctx context.Context, uid uuid.UUID, customer string) error
	// ChangeCustomer tells a change, unless the member has no customer or a later one was told.
	ChangeCustomer(ctx context.Context, c CustomerChange, tell func(ctx context.Context, customer string) error) error
	MemberOfCustomer(ctx context.Context, customer string) (uuid.UUID, error)

	// KeepEvent keeps an event once and has it applied, unless it is refused; it says whether it is new.
	KeepEvent(ctx context.Context, e Event, refused string) (isNew bool, err error)
	Event(ctx context.Context, id string) (e Event, applied bool, err error)
	MarkApplied(ctx context.Context, id string) error
	EventsUntil(ctx context.Context) (time.Time, error)
	SetEventsUntil(ctx context.Context, until time.Time) error

	// PaidSubscription gives the provider's id of the subscription that a member pays for; empty if they pay for no subscription.
	PaidSubscription(ctx context.Context, uid uuid.UUID) (string, error)
	// Departed ends what a deleted account still has in billing.
	Departed(ctx context.Context, uid uuid.UUID, subscription string) error
}

// Shop gives the catalogue as content has it.
type Shop interface {
	Catalogue(ctx context.Context) (Catalogue, error)
}

// Memberships are brought to where the provider has them.
type Memberships interface {
	// Settle says whether it knows the provider's subscription.
	Settle(ctx context.Context, subscription string) (known bool, err error)
}

// Metrics counts what an operator has to look at.
type Metrics interface {
	// WebhookRefused: reason is signature, version, account or live.
	WebhookRefused(ctx context.Context, reason string)
	// WebhookLost: no webhook delivered what billing found by the hourly list (event) or by reading back (order).
	WebhookLost(ctx context.Context, found string)
	// SessionUnknown: the provider sent an event of a checkout or payment that billing did not start.
	SessionUnknown(ctx context.Context)
	// OrderMismatched: what was paid is not what was ordered.
	OrderMismatched(ctx context.Context)
	// CatalogueFailed: the catalogue or the provider's prices could not be read or kept.
	CatalogueFailed(ctx context.Context)
}

// Terms are the conditions that Serein sells under.
type Terms struct {
	// Live says that real money is taken.
	Live bool
	// VATPercent is contained in every price; 0 where none is charged.
	VATPercent int32
	// DeliveryAmount in minor units, for whatever an order holds; DeliveryCountries are ISO 3166-1 alpha-2 codes.
	DeliveryAmount    int64
	DeliveryCountries []string
	// PromotionCodes are taken on the provider's page.
	PromotionCodes bool
	// PaymentMethods are the kinds of payment that it offers, by the provider's names. A membership is paid by card, whatever they are.
	PaymentMethods []string
	// PublicURL is the gateway's address as members know it.
	PublicURL string
}

// Ports are what the service works with.
type Ports struct {
	Store    Store
	Provider Provider
	Shop     Shop
	Metrics  Metrics
	// Memberships are settled once their first order is given.
	Memberships Memberships
	Terms       Terms
	Log         *slog.Logger
	Now         func() time.Time
	NewID       func() (uuid.UUID, error)
}

// Service sells.
type Service struct {
	Ports
}

// New makes the service.
func New(p Ports) *Service { return &Service{p} }
