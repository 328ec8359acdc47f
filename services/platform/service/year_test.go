package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/inbox"
	"serein.app/services/platform/jobs"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
	"serein.app/services/testkit/year"
)

// nothing is a job.
type nothing struct{}

func (nothing) Kind() string { return "mail.nothing" }

// B1: the relay's statements, prepare among them, the inbox's, River's and those of retention, recorded as
// they run, cost after a year what they cost in the first week.
func TestAfterAYearTheRelayTheInboxAndTheJobsTouchWhatTheyTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "mail", migrate)
	db, ran := year.Record(t, testkit.Postgres(t, "mail", migrate))
	ctx, stop := context.WithCancel(t.Context())
	log, tel := testkit.Logger(t), testkit.Telemetry(t)
	broker, err := bus.Connect(natstest.New(t).URL, "mail", log)
	require.NoError(t, err)
	t.Cleanup(broker.Close)
	out := outbox.New(db, broker, "mail", log, time.Now)
	require.NoError(t, out.Measure(tel.Metrics))
	keep, err := retention.New(db, "mail", tel.Metrics, log, time.Now)
	require.NoError(t, err)
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(context.Context, *river.Job[nothing]) error { return nil }))
	queue, err := jobs.New(db, workers, map[string]int{river.QueueDefault: 1}, nil, log, testkit.Telemetry(t).Metrics)
	require.NoError(t, err)
	for _, loop := range []func(context.Context) error{out.Run, keep.Run, jobs.Run(queue, log)} {
		ended := make(chan error, 1)
		go func() { ended <- loop(ctx) }()
		t.Cleanup(func() { require.NoError(t, <-ended) })
	}
	t.Cleanup(stop)
	require.NoError(t, postgres.InTx(ctx, db, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := inbox.Once(ctx, tx, "c", uuid.NewString()); err != nil {
			return err
		}
		return out.Add(ctx, tx, outbox.Event{Aggregate: "m", UID: "ada", Message: &eventsv1.MailSent{MailId: "m"}})
	}))
	for _, words := range []string{
		"UPDATE outbox SET published_at = NULL", "UPDATE outbox SET published_at = now()", "INSERT INTO inbox", "INSERT INTO outbox", "river_job", "FROM retention",
	} {
		require.Eventually(t, func() bool { return ran.Recorded(words) }, testkit.Patience, 5*time.Millisecond, words)
	}
	y.CheckRecorded(ran)
	y.CheckRetention(service.Retention())
}
