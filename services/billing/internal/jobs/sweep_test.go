package jobs_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing"
	"serein.app/services/billing/internal/jobs"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/testkit"
)

func TestASweepQueuedUnderItsFormerNameIsStillRun(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, billing.Name, billing.Migrate)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO river_job (kind, args, max_attempts) VALUES ('sweep_credits', '{}', 1)`)
	require.NoError(t, err)
	swept := make(chan struct{}, 1)
	workers, _ := jobs.New(func(context.Context) (int, error) { swept <- struct{}{}; return 0, nil }, nil, nil)
	client, err := platformjobs.New(db.Pool, workers, map[string]int{river.QueueDefault: 1}, nil, testkit.Logger(t), testkit.Telemetry(t).Metrics)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- platformjobs.Run(client, testkit.Logger(t))(ctx) }()
	require.Eventually(t, func() bool { return len(swept) == 1 }, testkit.Patience, 5*time.Millisecond)
	cancel()
	require.NoError(t, <-ended)
}

// slowSweeps are memberships whose sweep lasts until it is let go.
type slowSweeps struct {
	jobs.Memberships
	under, most, swept atomic.Int64
	let                chan struct{}
}

func (s *slowSweeps) SweepDue(context.Context) error {
	s.most.Store(max(s.most.Load(), s.under.Add(1)))
	defer s.under.Add(-1)
	<-s.let
	s.swept.Add(1)
	return nil
}

func (*slowSweeps) Reconcile(context.Context) error { return nil }

// applies are sales that hear of an event, and of nothing else.
type applies struct {
	jobs.Sales
	event chan string
}

func (a applies) ApplyEvent(_ context.Context, id string) error { a.event <- id; return nil }
func (applies) SyncPrices(context.Context) error                { return nil }
func (applies) PollPendingOrders(context.Context) error         { return nil }
func (applies) Reconcile(context.Context) error                 { return nil }

// After a day apart a sweep may last for minutes, and each minute another one is due.
func TestASweepThatLastsIsNotJoinedByTheNextAndKeepsNoWebhookWaiting(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, billing.Name, billing.Migrate)
	slow, sales := &slowSweeps{let: make(chan struct{})}, applies{event: make(chan string, 1)}
	workers, periodic := jobs.New(func(context.Context) (int, error) { return 0, nil }, sales, slow)
	client, err := platformjobs.New(db.Pool, workers, jobs.Queues(), periodic, testkit.Logger(t), testkit.Telemetry(t).Metrics)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- platformjobs.Run(client, testkit.Logger(t))(ctx) }()
	require.Eventually(t, func() bool { return slow.under.Load() > 0 }, testkit.Patience, 5*time.Millisecond, "one runs at the start")
	_, err = db.Pool.Exec(t.Context(), `INSERT INTO river_job (kind, args, max_attempts, queue)
		SELECT kind, args, max_attempts, queue FROM river_job, generate_series(1, 5) WHERE kind = 'billing.sweep_memberships'`)
	require.NoError(t, err)
	_, err = client.Insert(t.Context(), jobs.ApplyEventArgs{EventID: "evt_1"}, &river.InsertOpts{Queue: jobs.Queue})
	require.NoError(t, err)
	select {
	case id := <-sales.event:
		require.Equal(t, "evt_1", id)
	case <-time.After(testkit.Patience):
		require.Fail(t, "the webhook waits for the sweep")
	}
	close(slow.let)
	require.Eventually(t, func() bool { return slow.swept.Load() == 6 }, testkit.Patience, 5*time.Millisecond)
	require.EqualValues(t, 1, slow.most.Load(), "one at a time")
	cancel()
	require.NoError(t, <-ended)
}
