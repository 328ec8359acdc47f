package generation

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric/noop"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/metrics"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
)

// The environment of a test's own worker process: its database, its blobs, and the meditation that kills it.
const (
	workerDatabase = "TEST_WORKER_DATABASE"
	workerBlobs    = "TEST_WORKER_BLOBS"
	workerPoison   = "TEST_WORKER_POISON"
)

// poisoned is how a process ends of the poison.
const poisoned = 3

// propertyChecks of a run: each of them starts and ends processes, and waits for more than a second. -rapid.checks takes others.
const propertyChecks = 40

func TestMain(m *testing.M) {
	if os.Getenv(workerDatabase) == "" {
		if err := flag.Set("rapid.checks", strconv.Itoa(propertyChecks)); err != nil { // before the command line is read
			panic(err)
		}
		os.Exit(m.Run())
	}
	if err := runWorker(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runWorker makes meditations in this process, with a recorder that ends the process on one of them.
func runWorker(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, os.Getenv(workerDatabase))
	if err != nil {
		return err
	}
	blobs, err := blob.Open("file://" + os.Getenv(workerBlobs))
	if err != nil {
		return err
	}
	log := slog.New(slog.DiscardHandler)
	broker, err := bus.Connect("nats://127.0.0.1:1", Name, log)
	counted, merr := metrics.New(noop.NewMeterProvider())
	if err := errors.Join(err, merr); err != nil {
		return err
	}
	recorder := &fakeRecorder{}
	recorder.hook(func(_ context.Context, id string, _ int) error {
		if id == os.Getenv(workerPoison) {
			os.Exit(poisoned)
		}
		return nil
	})
	notifier := store.NewNotifier(pool, log)
	go func() { _ = notifier.Run(ctx) }()
	service := meditation.New(meditation.Ports{
		Store: store.New(pool, outbox.New(pool, broker, Name, log, time.Now)), Credits: willing{}, Writer: fakeWriter{}, Recorder: recorder,
		Blobs: blobs, Notifier: notifier, Metrics: counted, Now: time.Now, Log: log,
	})
	here := meditation.Worker{ID: uuid.New(), Name: "this machine", Recorders: 1, Lease: time.Hour}
	return meditation.NewWorkshop(service, here, 4).Run(ctx)
}

// willing is billing that has nothing against the ends of holds; the worker asks for nothing else.
type willing struct{ meditation.Credits }

func (willing) Capture(context.Context, uuid.UUID, uuid.UUID) error { return nil }
func (willing) Release(context.Context, uuid.UUID, uuid.UUID) error { return nil }

// With real processes: each that dies is followed by another in its place, which need not wait for any lease.
func TestAProcessThatWorkKillsIsKilledByItAFewTimesOnly(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(8)
	poison := h.create(p, uid)
	fine := []meditation.Meditation{h.create(p, uid), h.create(p, h.member(8))}
	atWork := func() bool {
		return h.count(`SELECT count(*) FROM meditations WHERE state IN ('queued', 'writing', 'narrating', 'finishing')`) > 0
	}
	deaths := 0
	for atWork() {
		worker := exec.Command(os.Args[0])
		worker.Env = append(os.Environ(), workerDatabase+"="+h.db.Pool.Config().ConnString(),
			workerBlobs+"="+h.blobDir, workerPoison+"="+poison.ID.String())
		worker.Stderr = os.Stderr
		require.NoError(t, worker.Start())
		ended := make(chan error, 1)
		go func() { ended <- worker.Wait() }()
		require.Eventually(t, func() bool { return len(ended) > 0 || !atWork() }, waitFor, 10*time.Millisecond)
		_ = worker.Process.Kill() // it may be dead already
		<-ended
		if worker.ProcessState.ExitCode() == poisoned {
			deaths++
		}
	}
	require.Equal(t, meditation.MaxCrashes, deaths)
	require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations WHERE id = $1 AND state = 'failed' AND failure_reason = $2`,
		poison.ID, meditation.ReasonNarration))
	for _, m := range fine {
		require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations WHERE id = $1 AND state = 'ready'`, m.ID))
	}
}
