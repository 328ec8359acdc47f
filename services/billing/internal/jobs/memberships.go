package jobs

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// lookEvery is how often plans that time has something to do with are looked at; no entitlement depends on it.
const lookEvery = time.Minute

// Memberships are looked after by the clock, and against the provider's own list.
type Memberships interface {
	SweepDue(ctx context.Context) error
	Reconcile(ctx context.Context) error
	TakeBalance(ctx context.Context, order uuid.UUID) error
	// Leave cancels the membership of a member who leaves, where there is one.
	Leave(ctx context.Context, uid uuid.UUID) error
}

// StopRenewalArgs asks for the membership of a member who leaves to be cancelled.
type StopRenewalArgs struct {
	UID uuid.UUID `json:"uid"`
}

// Kind is the stable name of the job.
func (StopRenewalArgs) Kind() string { return "billing.stop_renewal" }

// TakeBalanceArgs asks for what a change has credited of an order's money to be taken back.
type TakeBalanceArgs struct {
	OrderID uuid.UUID `json:"order_id"`
}

// Kind is the stable name of the job.
func (TakeBalanceArgs) Kind() string { return "billing.take_balance" }

// SweepMembershipsArgs asks for what time has to do with plans.
type SweepMembershipsArgs struct{}

// Kind is the stable name of the job.
func (SweepMembershipsArgs) Kind() string { return "billing.sweep_memberships" }

// ReconcileMembershipsArgs asks for the provider's memberships to be held against ours.
type ReconcileMembershipsArgs struct{}

// Kind is the stable name of the job.
func (ReconcileMembershipsArgs) Kind() string { return "billing.reconcile_memberships" }

func addMemberships(to *river.Workers, m Memberships) {
	add(to, func(ctx context.Context, a TakeBalanceArgs) error { return m.TakeBalance(ctx, a.OrderID) })
	add(to, func(ctx context.Context, a StopRenewalArgs) error { return m.Leave(ctx, a.UID) })
	add(to, func(ctx context.Context, _ SweepMembershipsArgs) error { return m.SweepDue(ctx) })
	add(to, func(ctx context.Context, _ ReconcileMembershipsArgs) error { return m.Reconcile(ctx) })
}
