package jobs

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/jobs"
)

// Queues by their names in River: Queue has the jobs that wait for the payment provider. Jobs that run by a schedule have separate queues, so
// that a long one delays no webhook.
const (
	Queue       = "sales"
	sweeps      = "sales_sweeps"
	comparisons = "sales_comparisons"
)

// Queues gives the number of workers of each queue. In one process the next sweep or comparison starts only after the one before has ended.
// Another replica's may run at the same time; every member is settled under their lock.
func Queues() map[string]int {
	return map[string]int{river.QueueDefault: 1, Queue: 4, sweeps: 1, comparisons: 1}
}

const (
	// syncEvery is how often prices are compared, pollEvery how often waiting orders are read back, and reconcileEvery how often the
	// provider's list of events is read.
	syncEvery, pollEvery, reconcileEvery = time.Minute, 5 * time.Minute, time.Hour
	// workTime bounds one job. A reconciliation after a long time apart reads page after page.
	workTime = 10 * time.Minute
	// attempts of what must not be given up: River's waits between them come to three weeks.
	attempts = 25
)

// Sales does the work.
type Sales interface {
	ApplyEvent(ctx context.Context, id string) error
	ReturnPayment(ctx context.Context, order uuid.UUID) error
	// EndSubscription is of jobs that the release before this one has left; this one's are EndMembership's.
	EndSubscription(ctx context.Context, order uuid.UUID) error
	EndMembership(ctx context.Context, subscription string) error
	EndAccount(ctx context.Context, uid uuid.UUID) error
	ChangeCustomer(ctx context.Context, c sales.CustomerChange) error
	SyncPrices(ctx context.Context) error
	PollPendingOrders(ctx context.Context) error
	Reconcile(ctx context.Context) error
}

// ApplyEventArgs asks for one event of the provider to be applied.
type ApplyEventArgs struct {
	EventID string `json:"event_id"`
}

// Kind is the stable name of the job.
func (ApplyEventArgs) Kind() string { return "billing.apply_event" }

// ReturnPaymentArgs asks for the money of an order to be returned.
type ReturnPaymentArgs struct {
	OrderID uuid.UUID `json:"order_id"`
}

// Kind is the stable name of the job.
func (ReturnPaymentArgs) Kind() string { return "billing.return_payment" }

// EndSubscriptionArgs asks for the subscription of an order whose money went back to be ended at the provider.
type EndSubscriptionArgs struct {
	OrderID uuid.UUID `json:"order_id"`
}

// Kind is the stable name of the job.
func (EndSubscriptionArgs) Kind() string { return "billing.end_subscription" }

// EndMembershipArgs asks for a subscription that has ended here to be ended at the provider.
type EndMembershipArgs struct {
	SubscriptionID string `json:"subscription_id"`
}

// Kind is the stable name of the job.
func (EndMembershipArgs) Kind() string { return "billing.end_membership" }

// EndAccountArgs asks for what a deleted account pays for to be ended.
type EndAccountArgs struct {
	UID uuid.UUID `json:"uid"`
}

// Kind is the stable name of the job.
func (EndAccountArgs) Kind() string { return "billing.end_account" }

// ChangeCustomerArgs asks for the provider's customer to follow the member. It holds the address or the name until it is done: nothing
// else of billing's does.
type ChangeCustomerArgs struct {
	UID   uuid.UUID `json:"uid"`
	Email string    `json:"email,omitempty"`
	Name  string    `json:"name,omitempty"`
	At    time.Time `json:"at"`
}

// Kind is the stable name of the job.
func (ChangeCustomerArgs) Kind() string { return "billing.change_customer" }

// SyncPricesArgs is the job that compares the catalogue with the provider's prices.
type SyncPricesArgs struct{}

// Kind is the stable name of the job.
func (SyncPricesArgs) Kind() string { return "billing.agree_prices" }

// PollPendingOrdersArgs asks for the orders that wait to be read back.
type PollPendingOrdersArgs struct{}

// Kind is the stable name of the job.
func (PollPendingOrdersArgs) Kind() string { return "billing.read_back" }

// ReconcileArgs asks for the provider's own list of events to be read.
type ReconcileArgs struct{}

// Kind is the stable name of the job.
func (ReconcileArgs) Kind() string { return "billing.reconcile" }

// does is a worker that calls a function.
type does[A river.JobArgs] struct {
	river.WorkerDefaults[A]
	work func(ctx context.Context, args A) error
}

// Timeout of one job.
func (does[A]) Timeout(*river.Job[A]) time.Duration { return workTime }

// Work calls it.
func (w *does[A]) Work(ctx context.Context, job *river.Job[A]) error { return w.work(ctx, job.Args) }

func add[A river.JobArgs](to *river.Workers, work func(ctx context.Context, args A) error) {
	river.AddWorker(to, &does[A]{work: work})
}

func addSales(to *river.Workers, s Sales) {
	add(to, func(ctx context.Context, a ApplyEventArgs) error { return s.ApplyEvent(ctx, a.EventID) })
	add(to, func(ctx context.Context, a ReturnPaymentArgs) error { return s.ReturnPayment(ctx, a.OrderID) })
	add(to, func(ctx context.Context, a EndSubscriptionArgs) error { return s.EndSubscription(ctx, a.OrderID) })
	add(to, func(ctx context.Context, a EndMembershipArgs) error { return s.EndMembership(ctx, a.SubscriptionID) })
	add(to, func(ctx context.Context, a EndAccountArgs) error { return s.EndAccount(ctx, a.UID) })
	add(to, func(ctx context.Context, a ChangeCustomerArgs) error {
		return s.ChangeCustomer(ctx, sales.CustomerChange(a))
	})
	add(to, func(ctx context.Context, _ SyncPricesArgs) error { return s.SyncPrices(ctx) })
	add(to, func(ctx context.Context, _ PollPendingOrdersArgs) error { return s.PollPendingOrders(ctx) })
	add(to, func(ctx context.Context, _ ReconcileArgs) error { return s.Reconcile(ctx) })
}

// planned runs by a plan. One that fails is tried again soon, a few times, and then left: the next one comes anyway.
func planned(queue string, every time.Duration, tries int, args river.JobArgs) *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(every), func() (river.JobArgs, *river.InsertOpts) {
		return args, &river.InsertOpts{Queue: queue, MaxAttempts: tries}
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// Enqueuer adds the jobs that changes want, in their transactions.
type Enqueuer struct{ client *jobs.Client }

// By makes an Enqueuer.
func By(client *jobs.Client) Enqueuer { return Enqueuer{client} }

// ApplyEvent has an event applied.
func (e Enqueuer) ApplyEvent(ctx context.Context, tx pgx.Tx, id string) error {
	return e.insert(ctx, tx, ApplyEventArgs{id}, river.UniqueOpts{})
}

// ReturnPayment has an order's money returned.
func (e Enqueuer) ReturnPayment(ctx context.Context, tx pgx.Tx, order uuid.UUID) error {
	return e.insert(ctx, tx, ReturnPaymentArgs{order}, river.UniqueOpts{})
}

// EndMembership has a subscription ended by its id.
func (e Enqueuer) EndMembership(ctx context.Context, tx pgx.Tx, subscription string) error {
	return e.insert(ctx, tx, EndMembershipArgs{subscription}, river.UniqueOpts{})
}

// TakeBalance has what a change has credited of an order's money taken back.
func (e Enqueuer) TakeBalance(ctx context.Context, tx pgx.Tx, order uuid.UUID) error {
	return e.insert(ctx, tx, TakeBalanceArgs{order}, river.UniqueOpts{})
}

// EndAccount has what a deleted account pays for ended.
func (e Enqueuer) EndAccount(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	return e.insert(ctx, tx, EndAccountArgs{uid}, river.UniqueOpts{})
}

// ChangeCustomer has the provider's customer follow the member.
func (e Enqueuer) ChangeCustomer(ctx context.Context, tx pgx.Tx, c sales.CustomerChange) error {
	return e.insert(ctx, tx, ChangeCustomerArgs(c), river.UniqueOpts{})
}

// StopRenewal has the membership of a member who leaves cancelled.
func (e Enqueuer) StopRenewal(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	return e.insert(ctx, tx, StopRenewalArgs{uid}, river.UniqueOpts{})
}

// AgreePrices has the catalogue compared soon: several that ask while one waits ask once.
func (e Enqueuer) AgreePrices(ctx context.Context, tx pgx.Tx) error {
	return e.insert(ctx, tx, SyncPricesArgs{}, river.UniqueOpts{ByPeriod: time.Second})
}

func (e Enqueuer) insert(ctx context.Context, tx pgx.Tx, args river.JobArgs, unique river.UniqueOpts) error {
	_, err := e.client.InsertTx(ctx, tx, args, &river.InsertOpts{Queue: Queue, MaxAttempts: attempts, UniqueOpts: unique})
	return err
}
