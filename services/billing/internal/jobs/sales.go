package jobs

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"serein.app/services/platform/jobs"
)

// Queue is River's queue of what waits for the payment provider.
const Queue = "sales"

const (
	// agreeEvery, readBackEvery and reconcileEvery are how often the catalogue is compared, orders that wait are read back, and
	// the provider's own list of events is.
	agreeEvery, readBackEvery, reconcileEvery = time.Minute, 5 * time.Minute, time.Hour
	// workTime bounds one job. A reconciliation after a long time apart reads page after page.
	workTime = 10 * time.Minute
	// attempts of what must not be given up: River's waits between them come to three weeks.
	attempts = 25
)

// Sales does the work.
type Sales interface {
	ApplyEvent(ctx context.Context, id string) error
	ReturnPayment(ctx context.Context, order uuid.UUID) error
	EndSubscription(ctx context.Context, order uuid.UUID) error
	EndAccount(ctx context.Context, uid uuid.UUID) error
	Agree(ctx context.Context) error
	ReadBack(ctx context.Context) error
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

// EndAccountArgs asks for what a deleted account pays for to be ended.
type EndAccountArgs struct {
	UID uuid.UUID `json:"uid"`
}

// Kind is the stable name of the job.
func (EndAccountArgs) Kind() string { return "billing.end_account" }

// AgreeArgs asks for the catalogue to be compared with the provider's prices.
type AgreeArgs struct{}

// Kind is the stable name of the job.
func (AgreeArgs) Kind() string { return "billing.agree_prices" }

// ReadBackArgs asks for the orders that wait to be read back.
type ReadBackArgs struct{}

// Kind is the stable name of the job.
func (ReadBackArgs) Kind() string { return "billing.read_back" }

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
	add(to, func(ctx context.Context, a EndAccountArgs) error { return s.EndAccount(ctx, a.UID) })
	add(to, func(ctx context.Context, _ AgreeArgs) error { return s.Agree(ctx) })
	add(to, func(ctx context.Context, _ ReadBackArgs) error { return s.ReadBack(ctx) })
	add(to, func(ctx context.Context, _ ReconcileArgs) error { return s.Reconcile(ctx) })
}

// planned runs by a plan. One that fails is tried again soon, a few times, and then left: the next one comes anyway.
func planned(every time.Duration, tries int, args river.JobArgs) *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(every), func() (river.JobArgs, *river.InsertOpts) {
		return args, &river.InsertOpts{Queue: Queue, MaxAttempts: tries}
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

// EndSubscription has an order's subscription ended.
func (e Enqueuer) EndSubscription(ctx context.Context, tx pgx.Tx, order uuid.UUID) error {
	return e.insert(ctx, tx, EndSubscriptionArgs{order}, river.UniqueOpts{})
}

// EndAccount has what a deleted account pays for ended.
func (e Enqueuer) EndAccount(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	return e.insert(ctx, tx, EndAccountArgs{uid}, river.UniqueOpts{})
}

// AgreePrices has the catalogue compared soon: several that ask while one waits ask once.
func (e Enqueuer) AgreePrices(ctx context.Context, tx pgx.Tx) error {
	return e.insert(ctx, tx, AgreeArgs{}, river.UniqueOpts{ByPeriod: time.Second})
}

func (e Enqueuer) insert(ctx context.Context, tx pgx.Tx, args river.JobArgs, unique river.UniqueOpts) error {
	_, err := e.client.InsertTx(ctx, tx, args, &river.InsertOpts{Queue: Queue, MaxAttempts: attempts, UniqueOpts: unique})
	return err
}
