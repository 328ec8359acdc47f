package providertest

import (
	"context"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// Jobs that bring jobs end within so many rounds, and one that fails is done so often at most.
const (
	jobRounds = 20
	jobTries  = 10
)

// Jobs are those that billing's changes want, as River would have them; they are done when a test asks for it.
type Jobs struct {
	Sales       *sales.Service
	Memberships *subscriptions.Service

	mu      sync.Mutex
	waiting []func(context.Context) error
}

var _ store.Work = (*Jobs)(nil)

// ApplyEvent waits until it is done.
func (j *Jobs) ApplyEvent(_ context.Context, _ pgx.Tx, event string) error {
	return j.Later(func(ctx context.Context) error { return j.Sales.ApplyEvent(ctx, event) })
}

// ReturnPayment waits until it is done.
func (j *Jobs) ReturnPayment(_ context.Context, _ pgx.Tx, order uuid.UUID) error {
	return j.Later(func(ctx context.Context) error { return j.Sales.ReturnPayment(ctx, order) })
}

// EndMembership waits until it is done.
func (j *Jobs) EndMembership(_ context.Context, _ pgx.Tx, subscription string) error {
	return j.Later(func(ctx context.Context) error { return j.Sales.EndMembership(ctx, subscription) })
}

// EndAccount waits until it is done.
func (j *Jobs) EndAccount(_ context.Context, _ pgx.Tx, uid uuid.UUID) error {
	return j.Later(func(ctx context.Context) error { return j.Sales.EndAccount(ctx, uid) })
}

// StopRenewal waits until it is done.
func (j *Jobs) StopRenewal(_ context.Context, _ pgx.Tx, uid uuid.UUID) error {
	return j.Later(func(ctx context.Context) error { return j.Memberships.Leave(ctx, uid) })
}

// TakeBalance waits until it is done.
func (j *Jobs) TakeBalance(_ context.Context, _ pgx.Tx, order uuid.UUID) error {
	return j.Later(func(ctx context.Context) error { return j.Memberships.TakeBalance(ctx, order) })
}

// Later lets a job wait until it is done.
func (j *Jobs) Later(job func(context.Context) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting = append(j.waiting, job)
	return nil
}

// Waiting is how many there are.
func (j *Jobs) Waiting() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.waiting)
}

// Forget drops those that wait.
func (j *Jobs) Forget() { j.take() }

func (j *Jobs) take() []func(context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := j.waiting
	j.waiting = nil
	return all
}

// Do does those that wait, and those that they bring; what fails is tried again.
func (j *Jobs) Do(t require.TestingT) {
	for round := 0; ; round++ {
		todo := j.take()
		if len(todo) == 0 {
			return
		}
		require.Less(t, round, jobRounds, "jobs without end")
		for _, job := range todo {
			if err := job(context.Background()); err != nil {
				require.Less(t, round, jobTries, "a job without end: %v", err)
				_ = j.Later(job)
			}
		}
	}
}
