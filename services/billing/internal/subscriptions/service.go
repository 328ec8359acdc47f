package subscriptions

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/postgres"
)

// Store is what memberships need of the database. Each change is one transaction, with its entries, orders, events and jobs.
type Store interface {
	Items(ctx context.Context) ([]sales.Item, error)
	Account(ctx context.Context, uid uuid.UUID) (credits.Account, error)
	// Subscription gives the one of the provider's id, also one that another has replaced; SubscriptionOf a member's.
	Subscription(ctx context.Context, id string) (State, error)
	SubscriptionOf(ctx context.Context, uid uuid.UUID) (State, error)
	// NewPayments are those that no order is there for.
	NewPayments(ctx context.Context, payments []Payment) ([]Payment, error)
	// Save keeps what a plan has become, with what has happened and was paid; ErrStale where it is not as before any more.
	Save(ctx context.Context, before, after State, happened []Happening, payments []Payment) error
	// Due are those that time has something to do with, after one of them; Postpone has one looked at later.
	Due(ctx context.Context, now time.Time, after Due, most int) ([]Due, error)
	Postpone(ctx context.Context, uid uuid.UUID, now, until time.Time) error
	// Running are the memberships that have not ended, after a member.
	Running(ctx context.Context, after uuid.UUID, most int) ([]Due, error)

	// Stays says whether a member who had asked for the account to be deleted has taken that back.
	Stays(ctx context.Context, uid uuid.UUID) (bool, error)

	// Order gives an order; Customer gives the member's customer at the provider. postgres.ErrNotFound if it is not stored.
	Order(ctx context.Context, id uuid.UUID) (sales.Order, error)
	Customer(ctx context.Context, uid uuid.UUID) (string, error)

	// ChangeByKey and OpenChange give a change that was asked for; postgres.ErrNotFound if it is not stored.
	ChangeByKey(ctx context.Context, uid uuid.UUID, key string) (PlanChange, error)
	OpenChange(ctx context.Context, uid uuid.UUID) (PlanChange, error)
	// StartChange keeps one before the provider is asked; false where another of the member's is under way.
	StartChange(ctx context.Context, c PlanChange) (bool, error)
	FinishChange(ctx context.Context, c PlanChange) error
	DropChange(ctx context.Context, c PlanChange) error
}

// Due is a plan that is looked at.
type Due struct {
	UID uuid.UUID
	At  time.Time
	// ID is the provider's; empty for the trial.
	ID string
}

// Metrics are what needs somebody when it happens, and what members say when they go.
type Metrics interface {
	// SubscriptionMended: here and at the provider stood something else, though nothing was on its way.
	SubscriptionMended(ctx context.Context)
	// SubscriptionUnknown: the provider charges for a subscription that is no membership here.
	SubscriptionUnknown(ctx context.Context)
	// CancellationScheduled: a member has cancelled, for that reason.
	CancellationScheduled(ctx context.Context, why sales.CancelReason)
}

// Ports are what the service works with.
type Ports struct {
	Store    Store
	Provider Provider
	Metrics  Metrics
	Log      *slog.Logger
	Now      func() time.Time
	NewID    func() (uuid.UUID, error)
}

// Service keeps memberships as the provider has them.
type Service struct {
	Ports
}

// New makes the service.
func New(p Ports) *Service { return &Service{p} }

// Get gives a member's plan as it is kept.
func (s *Service) Get(ctx context.Context, uid uuid.UUID) (State, error) {
	state, err := s.Store.SubscriptionOf(ctx, uid)
	if errors.Is(err, postgres.ErrNotFound) {
		return state, ErrNotFound
	}
	return state, err
}

// running gives a membership that is paid every period and has not ended, as the provider has it now.
func (s *Service) running(ctx context.Context, uid uuid.UUID) (State, error) {
	state, err := s.Get(ctx, uid)
	if err == nil && state.Paid() && !state.Over() {
		if _, _, err = s.settle(ctx, state.ID, false); err != nil {
			return state, sales.Unavailable(err)
		}
		state, err = s.Get(ctx, uid)
	}
	if err == nil && (!state.Paid() || state.Over() || state.Reopened) { // what was reopened has ended at the provider
		return state, ErrNotFound
	}
	return state, err
}
