package service_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

func migrate(ctx context.Context, url string) error {
	return postgres.Migrate(ctx, url, fstest.MapFS{})
}

// away is a whole configuration whose database and broker nobody serves.
func away(t *testing.T) service.Config {
	t.Helper()
	return service.Config{
		Server:   server.Config{Addr: "127.0.0.1:0"},
		Auth:     testkit.Auth(t, "mail"),
		Database: postgres.Config{URL: "postgres://mail:hunter2@127.0.0.1:1/mail", MaxConns: 2},
		NATSURL:  "nats://127.0.0.1:1",
	}
}

func ready(t *testing.T, url string) int {
	t.Helper()
	res, err := http.Get(url + "/readyz")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

func TestAServiceStartsAndAnswersWhileItsDatabaseAndBrokerAreAway(t *testing.T) {
	t.Parallel()
	s, err := service.Start(t.Context(), "mail", away(t), auth.Policy{}, testkit.Telemetry(t))
	require.NoError(t, err)
	url, stop := testkit.Serve(t, s)
	require.Equal(t, http.StatusServiceUnavailable, ready(t, url), "it says that it is not ready")
	res, err := http.Get(url + "/healthz")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode, "and that it lives")
	stop()
}

func TestAServiceWithoutADatabaseHasNone(t *testing.T) {
	t.Parallel()
	cfg := away(t)
	cfg.Database.URL = ""
	s, err := service.Start(t.Context(), "mail", cfg, auth.Policy{}, testkit.Telemetry(t))
	require.NoError(t, err)
	require.Nil(t, s.DB)
	require.Nil(t, s.Bus)
	require.Nil(t, s.Outbox)
	require.NotNil(t, s.RPC)
	require.NotNil(t, s.Dialer)
	url, _ := testkit.Serve(t, s)
	require.Equal(t, http.StatusOK, ready(t, url))
}

func TestAWrongConfigurationIsRefusedWithTheServicesNameAndWithoutSecrets(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*service.Config){
		"database":    func(c *service.Config) { c.Database.URL = "postgres://mail:hunter2@host:port/" },
		"broker":      func(c *service.Config) { c.NATSURL = "nats://user:hunter2@host:port" },
		"service key": func(c *service.Config) { c.Auth.ServiceKey = "hunter2" },
		"peers":       func(c *service.Config) { c.Auth.Peers = "gateway=hunter2" },
	} {
		cfg := away(t)
		change(&cfg)
		_, err := service.Start(t.Context(), "mail", cfg, auth.Policy{}, testkit.Telemetry(t))
		require.ErrorContains(t, err, "mail", name)
		require.NotContains(t, err.Error(), "hunter2", name)
	}
}

// What was opened is closed in the opposite order, also when the wiring fails half-way.
func TestAWiringThatFailsLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	var closed []string
	note := func(what string) func(context.Context) error {
		return func(context.Context) error { closed = append(closed, what); return nil }
	}
	var started *service.Service
	errWire := errors.New("no such part")
	err := service.Run(t.Context(), "mail", away(t), auth.Policy{}, func(_ context.Context, s *service.Service) error {
		started = s
		s.Defer(note("first"))
		s.Defer(note("second"))
		return errWire
	})
	require.ErrorIs(t, err, errWire)
	require.Equal(t, []string{"second", "first"}, closed)
	require.Error(t, started.DB.Ping(t.Context()))
	require.ErrorContains(t, started.DB.Ping(t.Context()), "closed pool")
}

func TestARunEndsInOrderWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	cfg := away(t)
	cfg.Database.URL = ""
	closed := false
	err := service.Run(ctx, "mail", cfg, auth.Policy{}, func(_ context.Context, s *service.Service) error {
		s.Go("stops everything", func(loop context.Context) error { stop(); <-loop.Done(); return nil })
		s.Defer(func(context.Context) error { closed = true; return nil })
		return nil
	})
	require.NoError(t, err)
	require.True(t, closed)
}

// whole is a running service with its own database and broker.
func whole(t *testing.T, build func(*service.Service)) (*service.Service, string) {
	t.Helper()
	db, broker := testkit.Postgres(t, "mail", migrate), natstest.New(t)
	cfg := away(t)
	cfg.Database = postgres.Config{URL: config.URL(db.URL), MaxConns: 6}
	cfg.NATSURL = config.URL(broker.URL)
	s, err := service.Start(t.Context(), "mail", cfg, auth.Policy{}, testkit.Telemetry(t))
	require.NoError(t, err)
	build(s)
	url, _ := testkit.Serve(t, s)
	require.Eventually(t, func() bool { return ready(t, url) == http.StatusOK }, testkit.Patience, 5*time.Millisecond)
	return s, url
}

func TestEventsLeaveByTheOutboxAndComeToTheConsumer(t *testing.T) {
	t.Parallel()
	got := make(chan string, 1)
	s, _ := whole(t, func(s *service.Service) {
		s.Consume(bus.Consumer{Name: "mail-sent", Subject: "serein.mail.message.sent.v1", Handle: func(_ context.Context, e *eventsv1.Envelope) error {
			got <- e.GetUid()
			return nil
		}})
	})
	require.NoError(t, postgres.InTx(t.Context(), s.DB, func(ctx context.Context, tx pgx.Tx) error {
		return s.Outbox.Add(ctx, tx, outbox.Event{Aggregate: "m", UID: "ada", Message: &eventsv1.MailSent{MailId: "m"}})
	}))
	require.Equal(t, "ada", <-got)
}

// B4, B7: no service can forget to: the rows of outbox and inbox hold names and addresses.
func TestEveryServiceWithADatabaseRemovesWhatThePlatformsTablesHoldTooLong(t *testing.T) {
	t.Parallel()
	s, _ := whole(t, func(s *service.Service) {
		s.Retain(retention.Policy{Name: "its own", Remove: func(context.Context, *pgxpool.Pool, time.Time, int) (int, error) { return 0, nil }})
		_, err := s.DB.Exec(t.Context(), `WITH old AS (
				INSERT INTO outbox (id, subject, payload, created_at, published_at)
				VALUES (gen_random_uuid(), 's', 'amara@example.org', now() - interval '31 days', now() - interval '31 days'))
			INSERT INTO inbox (consumer, event_id, handled_at) VALUES ('c', gen_random_uuid(), now() - interval '91 days')`)
		require.NoError(t, err)
	})
	done := func() (names []string) {
		rows, err := s.DB.Query(t.Context(), "SELECT name FROM retention")
		require.NoError(t, err)
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return names
	}
	require.Eventually(t, func() bool { return len(done()) == len(service.Retention())+1 }, testkit.Patience, 5*time.Millisecond)
	require.Contains(t, done(), "its own")
	var left int
	require.NoError(t, s.DB.QueryRow(t.Context(), "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM inbox)").Scan(&left))
	require.Zero(t, left)
}

func TestAServiceShowsWhatItsOutboxAndItsStreamHold(t *testing.T) {
	t.Parallel()
	_, url := whole(t, func(*service.Service) {})
	for _, metric := range []string{"serein_outbox_unpublished", "serein_outbox_oldest_age_seconds", "serein_bus_stream_fill"} {
		require.Eventually(t, func() bool { return strings.Contains(scrape(t, url), metric) }, testkit.Patience, 50*time.Millisecond, metric)
	}
}

func scrape(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/metrics", nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(body)
}

func TestARunThatEndsLeavesNoConnectionToItsBroker(t *testing.T) {
	t.Parallel()
	broker := natstest.New(t)
	cfg := away(t)
	cfg.NATSURL = config.URL(broker.URL)
	s, err := service.Start(t.Context(), "mail", cfg, auth.Policy{}, testkit.Telemetry(t))
	require.NoError(t, err)
	_, stop := testkit.Serve(t, s)
	connected := func(n int) func() bool { return func() bool { return broker.Clients() == n } }
	require.Eventually(t, connected(1), testkit.Patience, 5*time.Millisecond)
	stop()
	require.Eventually(t, connected(0), testkit.Patience, 5*time.Millisecond)
}

// What the closing of the others reports is still sent: the collector hears from the service last.
//
//nolint:paralleltest // where traces go is the environment's to say
func TestTelemetryIsTheLastThatCloses(t *testing.T) {
	var s *service.Service
	pings := make(chan error, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		pings <- s.DB.Ping(context.Background())
	}))
	t.Cleanup(collector.Close)
	for name, value := range map[string]string{
		"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL,
		"OTEL_BSP_SCHEDULE_DELAY": "3600000", // milliseconds: nothing is sent before the end
	} {
		t.Setenv(name, value)
	}
	tel, err := telemetry.Setup(t.Context(), "mail")
	require.NoError(t, err)
	s, err = service.Start(t.Context(), "mail", away(t), auth.Policy{}, tel)
	require.NoError(t, err)
	s.Defer(func(ctx context.Context) error {
		_, span := tel.Tracing.Tracer("test").Start(ctx, "closing")
		span.End()
		return nil
	})
	require.NoError(t, s.Close(t.Context()))
	require.ErrorContains(t, <-pings, "closed pool")
}

type countArgs struct {
	N int `json:"n"`
}

func (countArgs) Kind() string { return "mail.count" }

type counter struct {
	river.WorkerDefaults[countArgs]
	done chan int
}

func (c *counter) Work(_ context.Context, job *river.Job[countArgs]) error {
	c.done <- job.Args.N
	return nil
}

func TestJobsAreWorkedWhileTheServiceRuns(t *testing.T) {
	t.Parallel()
	workers, c := river.NewWorkers(), &counter{done: make(chan int, 1)}
	river.AddWorker(workers, c)
	var queue *river.Client[pgx.Tx]
	whole(t, func(s *service.Service) {
		var err error
		queue, err = s.Work(workers, map[string]int{"default": 1}, nil)
		require.NoError(t, err)
	})
	_, err := queue.Insert(t.Context(), countArgs{N: 7}, nil)
	require.NoError(t, err)
	require.Equal(t, 7, <-c.done)
}

func TestAConfigurationNeverPrintsItsSecrets(t *testing.T) {
	t.Parallel()
	cfg := away(t)
	cfg.NATSURL = "nats://user:hunter2@host"
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		_, _ = fmt.Fprintf(&out, verb, cfg)
	}
	require.NotContains(t, out.String(), "hunter2")
	require.NotContains(t, out.String(), cfg.Auth.ServiceKey.Reveal())
}
