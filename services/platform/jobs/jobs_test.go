package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/jobs"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
)

func migrate(ctx context.Context, url string) error {
	return postgres.Migrate(ctx, url, fstest.MapFS{})
}

type letterArgs struct {
	ID string `json:"id"`
}

func (letterArgs) Kind() string { return "test.letter" }

// writer works a letter by calling work.
type writer struct {
	river.WorkerDefaults[letterArgs]
	work func(ctx context.Context, id string) error
}

func (w *writer) Work(ctx context.Context, job *river.Job[letterArgs]) error {
	return w.work(ctx, job.Args.ID)
}

// NextRetry is at once.
func (*writer) NextRetry(*river.Job[letterArgs]) time.Time { return time.Now() }

// run works jobs until the test ends or the answer is called.
func run(t *testing.T, db testkit.DB, log *slog.Logger, work func(ctx context.Context, id string) error) (*jobs.Client, func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	client, wait := runUntil(ctx, t, db, log, work)
	stop := sync.OnceFunc(func() { cancel(); wait() })
	t.Cleanup(stop)
	return client, stop
}

// runUntil works jobs until ctx ends; wait waits for the last of them.
func runUntil(
	ctx context.Context, t *testing.T, db testkit.DB, log *slog.Logger, work func(ctx context.Context, id string) error,
) (client *jobs.Client, wait func()) {
	t.Helper()
	return runPlan(ctx, t, db, log, testkit.Telemetry(t), nil, work)
}

// runPlan works jobs and those of a plan.
func runPlan(
	ctx context.Context, t *testing.T, db testkit.DB, log *slog.Logger, tel *telemetry.Telemetry, plan []*river.PeriodicJob, work func(ctx context.Context, id string) error,
) (client *jobs.Client, wait func()) {
	t.Helper()
	workers := river.NewWorkers()
	river.AddWorker(workers, &writer{work: work})
	client, err := jobs.New(db.Pool, workers, map[string]int{"default": 2}, plan, log, tel.Metrics)
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- jobs.Run(client, log)(ctx) }()
	return client, func() { require.NoError(t, <-ended) }
}

func TestAJobIsQueuedWithTheChangeThatWantsIt(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	worked := make(chan string, 10)
	client, _ := run(t, db, testkit.Logger(t), func(_ context.Context, id string) error { worked <- id; return nil })
	undone := errors.New("undone")
	require.ErrorIs(t, postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		_, err := client.InsertTx(ctx, tx, letterArgs{"never"}, nil)
		require.NoError(t, err)
		return undone
	}), undone)
	require.NoError(t, postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		_, err := client.InsertTx(ctx, tx, letterArgs{"kept"}, nil)
		return err
	}))
	require.Equal(t, "kept", <-worked)
	require.Empty(t, worked)
}

func TestAJobThatFailsOrPanicsIsTriedAgain(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	var mu sync.Mutex
	tries := map[string]int{}
	done := make(chan string, 2)
	client, _ := run(t, db, testkit.Logger(t), func(_ context.Context, id string) error {
		mu.Lock()
		defer mu.Unlock()
		tries[id]++
		switch {
		case tries[id] == 2:
			done <- id
			return nil
		case id == "panics":
			panic("out of range")
		}
		return errors.New("not yet")
	})
	for _, id := range []string{"fails", "panics"} {
		_, err := client.Insert(t.Context(), letterArgs{id}, nil)
		require.NoError(t, err)
	}
	require.ElementsMatch(t, []string{"fails", "panics"}, []string{<-done, <-done})
}

// River logs a failed job below the level of warnings, so package jobs logs a warning.
func TestAJobThatFailsOrPanicsIsToldInTheLog(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	var told bytes.Buffer
	client, stop := run(t, db, slog.New(slog.NewJSONHandler(&told, nil)), func(_ context.Context, id string) error {
		if id == "panics" {
			panic("out of range")
		}
		return errors.New("the server is away")
	})
	failed, _ := client.Subscribe(river.EventKindJobFailed)
	for _, id := range []string{"fails", "panics"} {
		_, err := client.Insert(t.Context(), letterArgs{id}, &river.InsertOpts{MaxAttempts: 1})
		require.NoError(t, err)
		<-failed
	}
	stop()
	var lines []string // on a slow machine River logs further lines
	for line := range strings.Lines(told.String()) {
		if strings.Contains(line, `"kind":"test.letter"`) {
			lines = append(lines, line)
		}
	}
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], `"level":"WARN","msg":"job failed for good","kind":"test.letter"`)
	require.Contains(t, lines[0], "the server is away")
	require.Contains(t, lines[1], `"kind":"test.letter","panic_val":"out of range"`)
}

// Every five seconds a row for a week would be 120,000 of them, each with what it could not do.
func TestAPlannedJobThatFailsOrPanicsForGoodIsToldAndGoesWithThoseThatAreDone(t *testing.T) {
	t.Parallel()
	for _, attempts := range []int{1, 2} {
		db := testkit.Postgres(t, "mail", migrate)
		var out lockedBuffer
		plan := func(id string) *river.PeriodicJob {
			return river.NewPeriodicJob(river.PeriodicInterval(time.Hour), func() (river.JobArgs, *river.InsertOpts) {
				return letterArgs{id}, &river.InsertOpts{MaxAttempts: attempts}
			}, &river.PeriodicJobOpts{RunOnStart: true})
		}
		ctx, cancel := context.WithCancel(t.Context())
		tel := testkit.Telemetry(t)
		_, wait := runPlan(ctx, t, db, slog.New(slog.NewJSONHandler(&out, nil)), tel, []*river.PeriodicJob{plan("fails"), plan("panics")},
			func(_ context.Context, id string) error {
				if id == "panics" {
					panic("out of range")
				}
				return errors.New("billing is away")
			})
		stop := sync.OnceFunc(func() { cancel(); wait() })
		t.Cleanup(stop)
		done := func() (n int) {
			require.NoError(t, db.Pool.QueryRow(context.Background(), `SELECT count(*) FROM river_job WHERE state = 'completed' AND attempt = $1`, attempts).Scan(&n))
			return n
		}
		require.Eventually(t, func() bool { return done() >= 2 }, testkit.Patience, 5*time.Millisecond)
		stop() // after a pause of the machine River may elect a leader again, and start both jobs once more
		ended := done()
		require.Equal(t, ended, bytes.Count(out.bytes(), []byte(`"level":"WARN","msg":"job failed for good","kind":"test.letter"`)))
		require.Contains(t, string(out.bytes()), "billing is away")
		require.Regexp(t, fmt.Sprintf(`serein_jobs_failed[a-z_]*\{kind="test.letter".*\} %d`, ended*attempts), scrape(t, tel))
		require.Contains(t, string(out.bytes()), "out of range")
	}
}

func scrape(t *testing.T, tel *telemetry.Telemetry) string {
	t.Helper()
	answer := httptest.NewRecorder()
	tel.Handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	return answer.Body.String()
}

func TestAJobKeepsOnlyTheBeginningOfALongError(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	client, stop := run(t, db, testkit.Logger(t), func(_ context.Context, id string) error {
		if id == "cancelled" {
			return river.JobCancel(errors.New(strings.Repeat("x", 1<<20)))
		}
		return errors.New(strings.Repeat("x", 1<<20))
	})
	failed, _ := client.Subscribe(river.EventKindJobFailed, river.EventKindJobCancelled)
	for _, id := range []string{"fails", "cancelled"} {
		_, err := client.Insert(t.Context(), letterArgs{id}, &river.InsertOpts{MaxAttempts: 1})
		require.NoError(t, err)
		<-failed
	}
	stop()
	rows, err := db.Pool.Query(t.Context(), `SELECT state::text, length(errors[1]::text) FROM river_job ORDER BY id`)
	require.NoError(t, err)
	for _, state := range []string{"discarded", "cancelled"} {
		var was string
		var kept int
		require.True(t, rows.Next())
		require.NoError(t, rows.Scan(&was, &kept))
		require.Equal(t, state, was)
		require.Less(t, kept, 3000)
	}
	require.False(t, rows.Next())
	require.NoError(t, rows.Err())
}

func TestAJobUnderWayIsFinishedBeforeTheServiceStops(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	begun, release := make(chan struct{}), make(chan struct{})
	ctx, signal := context.WithCancel(context.Background())
	client, wait := runUntil(ctx, t, db, testkit.Logger(t), func(ctx context.Context, _ string) error {
		close(begun)
		<-release
		return ctx.Err()
	})
	job, err := client.Insert(t.Context(), letterArgs{"one"}, nil)
	require.NoError(t, err)
	<-begun
	signal()
	close(release)
	wait()
	after, err := client.JobGet(t.Context(), job.Job.ID)
	require.NoError(t, err)
	require.Equal(t, "completed", string(after.State))
}

// A job that does not end holds a stop up for a moment, and the next process does it.
func TestAJobThatDoesNotEndIsCutAndDoneAgain(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	begun, ended := make(chan struct{}), make(chan error, 1)
	client, stop := run(t, db, testkit.Logger(t), func(ctx context.Context, _ string) error {
		close(begun)
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	_, err := client.Insert(t.Context(), letterArgs{"one"}, nil)
	require.NoError(t, err)
	<-begun
	stop()
	require.ErrorIs(t, <-ended, context.Canceled, "cut by the stop, not by its own deadline")
	worked := make(chan string, 1)
	run(t, db, testkit.Logger(t), func(_ context.Context, id string) error { worked <- id; return nil })
	require.Equal(t, "one", <-worked)
}

func TestWorkBeginsWhenTheDatabaseIsThere(t *testing.T) {
	t.Parallel()
	away, err := postgres.Open(t.Context(), postgres.Config{URL: "postgres://mail:x@127.0.0.1:1/mail", MaxConns: 1}, nil)
	require.NoError(t, err)
	t.Cleanup(away.Close)
	var out lockedBuffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	_, stop := run(t, testkit.DB{Pool: away}, log, func(context.Context, string) error { return nil })
	require.Eventually(t, func() bool { return bytes.Contains(out.bytes(), []byte("waits for the database")) }, testkit.Patience, 5*time.Millisecond)
	stop()
}

// A release before or after this one may have queued it; the process that knows it will work it.
func TestAJobOfAnUnknownKindIsLeftForWhoeverKnowsIt(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	var unknown int64
	require.NoError(t, db.Pool.QueryRow(t.Context(),
		`INSERT INTO river_job (kind, args, max_attempts) VALUES ('test.parcel', '{}', 1) RETURNING id`).Scan(&unknown))
	worked := make(chan string, 1)
	client, stop := run(t, db, testkit.Logger(t), func(_ context.Context, id string) error { worked <- id; return nil })
	_, err := client.Insert(t.Context(), letterArgs{"later"}, nil)
	require.NoError(t, err)
	require.Equal(t, "later", <-worked, "what comes behind it is worked")
	stop()
	left, err := client.JobGet(t.Context(), unknown)
	require.NoError(t, err)
	require.Equal(t, "available", string(left.State))
	require.Zero(t, left.Attempt)
}

func TestAQueueThatIsHealthySaysNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	var out lockedBuffer
	worked := make(chan string, 1)
	client, stop := run(t, db, slog.New(slog.NewTextHandler(&out, nil)), func(_ context.Context, id string) error { worked <- id; return nil })
	_, err := client.Insert(t.Context(), letterArgs{"one"}, nil)
	require.NoError(t, err)
	<-worked
	stop()
	require.NotContains(t, string(out.bytes()), "level=INFO")
}

func TestWorkersThatAreWrongAreRefusedAtTheStart(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	_, err := jobs.New(db.Pool, river.NewWorkers(), map[string]int{"default": -1}, nil, testkit.Logger(t), testkit.Telemetry(t).Metrics)
	require.ErrorContains(t, err, "job queue")
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.b.Bytes())
}
