package retention_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
)

const day = retention.Day

// house is a service's database with a table of letters, and a clock.
type house struct {
	t   *testing.T
	db  testkit.DB
	now time.Time
	tel *telemetry.Telemetry
}

func setup(t *testing.T) *house {
	t.Helper()
	db := testkit.Postgres(t, "retention", func(ctx context.Context, ownerURL string) error {
		return postgres.Migrate(ctx, ownerURL, fstest.MapFS{"migrations/001_letters.sql": {Data: []byte(`-- +goose Up
			CREATE TABLE letters (read_at timestamptz, kept boolean NOT NULL DEFAULT false);
			CREATE INDEX letters_read ON letters (read_at);`)}})
	})
	tel, err := telemetry.SetupTo(t.Context(), "retention", io.Discard)
	require.NoError(t, err)
	return &house{t: t, db: db, now: time.Now().Truncate(time.Microsecond), tel: tel}
}

// letters adds n of them that were read so long ago.
func (h *house) letters(n int, ago time.Duration) {
	h.t.Helper()
	_, err := h.db.Pool.Exec(h.t.Context(), "INSERT INTO letters SELECT $1 FROM generate_series(1, $2)", h.now.Add(-ago), n)
	require.NoError(h.t, err)
}

func (h *house) count(where string) (n int) {
	h.t.Helper()
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), "SELECT count(*) FROM letters WHERE "+where).Scan(&n))
	return n
}

// process is a replica that has just started: it remembers nothing.
func (h *house) process(policies ...retention.Policy) *retention.Retention {
	h.t.Helper()
	r, err := retention.New(h.db.Pool, "post", h.tel.Metrics, testkit.Logger(h.t), func() time.Time { return h.now })
	require.NoError(h.t, err)
	r.Add(policies...)
	return r
}

func (h *house) metrics() string {
	h.t.Helper()
	answer := httptest.NewRecorder()
	h.tel.Handler.ServeHTTP(answer, httptest.NewRequestWithContext(h.t.Context(), "GET", "/metrics", nil))
	return answer.Body.String()
}

func letters() retention.Policy {
	return retention.Policy{Name: "letters", Table: "letters", Column: "read_at", Where: "NOT kept", Keep: 30 * day, Reason: "They were read."}
}

func TestRowsGoAtTheirTimeAndNothingElseGoes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.letters(1, 30*day)
	h.letters(1, 30*day-time.Microsecond)
	_, err := h.db.Pool.Exec(t.Context(), "INSERT INTO letters VALUES (NULL, false), ($1, true)", h.now.Add(-90*day))
	require.NoError(t, err)
	require.NoError(t, h.process(letters()).Once(t.Context()))
	require.Equal(t, 3, h.count("true"))
	require.Zero(t, h.count(fmt.Sprintf("read_at <= '%s' AND NOT kept", h.now.Add(-30*day).Format(time.RFC3339Nano))))
}

func TestMoreRowsThanABatchGoInOneTurn(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.letters(5*retention.BatchSize+1, 31*day)
	require.NoError(t, h.process(letters()).Once(t.Context()))
	require.Zero(t, h.count("true"))
	require.Contains(t, h.metrics(), fmt.Sprintf(`serein_post_retention_removed_total{otel_scope_name="serein/retention",otel_scope_schema_url="",otel_scope_version="",policy="letters"} %d`, 5*retention.BatchSize+1))
}

// B6: every deploy would reset a time that only a process's memory holds.
func TestRestartsNeitherPostponeNorRepeatWhatIsDue(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.letters(1, 31*day)
	require.NoError(t, h.process(letters()).Once(t.Context()))
	require.Zero(t, h.count("true"), "what was never done is due at once")
	for range 9 {
		h.now = h.now.Add(time.Minute)
		h.letters(1, 31*day)
		require.NoError(t, h.process(letters()).Once(t.Context()))
	}
	require.Equal(t, 9, h.count("true"), "it was done minutes ago, whichever process asks")
	h.now = h.now.Add(time.Minute)
	require.NoError(t, h.process(letters()).Once(t.Context()))
	require.Zero(t, h.count("true"), "and is due after ten, though none of them lived as long")
}

func TestAPolicyThatFailsKeepsNoOtherAndIsDueAgainAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.letters(1, 31*day)
	broken, healed := errors.New("the store is away"), false
	folders := retention.Policy{Name: "folders", Remove: func(context.Context, *pgxpool.Pool, time.Time, int) (int, error) {
		if healed {
			return 1, nil
		}
		return 0, broken
	}}
	missing := retention.Policy{Name: "missing", Table: "no_such_table", Column: "at"}
	require.ErrorIs(t, h.process(folders, missing, letters()).Once(t.Context()), broken)
	require.Zero(t, h.count("true"))
	require.Contains(t, h.metrics(), `policy="folders"} 1`)
	require.Contains(t, h.metrics(), `serein_post_retention_failures_total{otel_scope_name="serein/retention",otel_scope_schema_url="",otel_scope_version="",policy="missing"} 1`)
	healed = true
	require.NoError(t, h.process(folders, letters()).Once(t.Context()))
	require.Contains(t, h.metrics(), `serein_post_retention_removed_total{otel_scope_name="serein/retention",otel_scope_schema_url="",otel_scope_version="",policy="folders"} 1`)
}

func TestOneReplicaAtATimeRemoves(t *testing.T) {
	t.Parallel()
	h := setup(t)
	started, goOn := make(chan struct{}), make(chan struct{})
	turns := 0
	slow := retention.Policy{Name: "slow", Remove: func(context.Context, *pgxpool.Pool, time.Time, int) (int, error) {
		turns++
		close(started)
		<-goOn
		return 0, nil
	}}
	first := make(chan error, 1)
	go func() { first <- h.process(slow).Once(t.Context()) }()
	<-started
	h.letters(1, 31*day)
	require.NoError(t, h.process(slow, letters()).Once(t.Context()))
	require.Equal(t, 1, h.count("true"), "the other has the lock")
	close(goOn)
	require.NoError(t, <-first)
	require.NoError(t, h.process(slow, letters()).Once(t.Context()))
	require.Zero(t, h.count("true"))
	require.Equal(t, 1, turns)
}

func TestRowsThatSomebodyWorksWithAreLeftForAnotherTime(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.letters(3, 31*day)
	tx, err := h.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "SELECT * FROM letters LIMIT 1 FOR UPDATE")
	require.NoError(t, err)
	require.NoError(t, h.process(letters()).Once(t.Context()))
	require.Equal(t, 1, h.count("true"))
	require.NoError(t, tx.Rollback(t.Context()))
}

func TestWhatIsOverdueIsMeasuredThoughNothingCanBeRemoved(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.letters(1, 30*day+2*time.Hour)
	tx, err := h.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "SELECT * FROM letters FOR UPDATE")
	require.NoError(t, err)
	overdue := `serein_post_retention_overdue_seconds{otel_scope_name="serein/retention",otel_scope_schema_url="",otel_scope_version="",policy="letters"} `
	require.NoError(t, h.process(letters()).Once(t.Context()))
	require.Contains(t, h.metrics(), overdue+"7200")
	h.now = h.now.Add(10 * time.Minute)
	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, h.process(letters()).Once(t.Context()))
	require.Contains(t, h.metrics(), overdue+"0")
}

func TestRunGoesOnWhileTheDatabaseIsAwayAndEndsWithItsContext(t *testing.T) {
	t.Parallel()
	h := setup(t)
	away, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none")
	require.NoError(t, err)
	t.Cleanup(away.Close)
	r, err := retention.New(away, "post", h.tel.Metrics, testkit.Logger(t), time.Now)
	require.NoError(t, err)
	r.Add(letters())
	require.Error(t, r.Once(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	cancel()
	require.NoError(t, <-ended)
}
