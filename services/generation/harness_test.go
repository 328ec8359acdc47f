package generation

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/generation/internal/billing"
	"serein.app/services/generation/internal/content"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/metrics"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/generation/internal/script"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/seal"
	"serein.app/services/testkit"
)

// harness is what outlives a process: the database, the blobs, the other services and the recorder.
type harness struct {
	t          testing.TB
	db         testkit.DB
	billing    *fakeBilling
	billingURL string
	contentURL string
	blobDir    string
	blobs      blob.Store
	recorder   *fakeRecorder
	broker     *bus.Bus
	reader     *sdkmetric.ManualReader
	meters     *sdkmetric.MeterProvider

	mu  sync.Mutex
	now time.Time
}

func newHarness(tb testing.TB) *harness {
	tb.Helper()
	h := &harness{t: tb, db: testkit.Postgres(tb, Name, Migrate), billing: newFakeBilling(), recorder: &fakeRecorder{}, blobDir: tb.TempDir(), reader: sdkmetric.NewManualReader()}
	h.meters = sdkmetric.NewMeterProvider(sdkmetric.WithReader(h.reader))
	h.now = time.Now().UTC().Truncate(time.Microsecond)
	h.billingURL = serveRPC(tb, "billing", auth.Policy{
		billingv1connect.CreditServiceHoldProcedure:    {Services: []string{Name}, Member: true},
		billingv1connect.CreditServiceCaptureProcedure: {Services: []string{Name}, Member: true},
		billingv1connect.CreditServiceReleaseProcedure: {Services: []string{Name}, Member: true},
		billingv1connect.CreditServiceRefundProcedure:  {Services: []string{Name}, Member: true},
	}, func(s *rpc.Server) *httptest.Server {
		_, handler := billingv1connect.NewCreditServiceHandler(h.billing, s.Options()...)
		return httptest.NewServer(handler)
	})
	h.contentURL = serveRPC(tb, "content", auth.Policy{
		contentv1connect.CatalogueServiceGetCatalogueProcedure: {Services: []string{Name}},
	}, func(s *rpc.Server) *httptest.Server {
		_, handler := contentv1connect.NewCatalogueServiceHandler(fakeContent{}, s.Options()...)
		return httptest.NewServer(handler)
	})
	var err error
	h.blobs, err = blob.Open("file://" + h.blobDir)
	require.NoError(tb, err)
	// Nobody listens there: events wait in the outbox, where the tests look for them.
	h.broker, err = bus.Connect("nats://127.0.0.1:1", Name, testkit.Logger(tb))
	require.NoError(tb, err)
	tb.Cleanup(h.broker.Close)
	tb.Cleanup(h.checkCounts)
	return h
}

// checkCounts holds the numbers that are kept against the rows, whatever the test did.
func (h *harness) checkCounts() {
	var wrong int
	err := h.db.Pool.QueryRow(context.Background(), `SELECT count(*) FROM meditation_counts c FULL JOIN (
			SELECT uid, count(*) FILTER (WHERE state = 'ready' AND deletes_at IS NULL) AS ready,
				count(*) FILTER (WHERE state = 'refunded' AND deletes_at IS NULL) AS refunded, count(*) FILTER (WHERE deletes_at IS NOT NULL) AS deleted
			FROM meditations GROUP BY uid) m USING (uid)
		WHERE (coalesce(c.ready, 0), coalesce(c.refunded, 0), coalesce(c.deleted, 0)) <> (coalesce(m.ready, 0), coalesce(m.refunded, 0), coalesce(m.deleted, 0))
			OR c.ready + c.refunded + c.deleted = 0 AND m.uid IS NULL`).Scan(&wrong)
	if err != nil || wrong > 0 {
		h.t.Errorf("the finished meditations of %d members are counted wrong: %v", wrong, err)
	}
}

func serveRPC(tb testing.TB, name string, policy auth.Policy, serve func(*rpc.Server) *httptest.Server) string {
	tb.Helper()
	guard, err := rpc.NewServer(testkit.Verifier(tb, name), policy, testkit.Telemetry(tb))
	require.NoError(tb, err)
	s := serve(guard)
	tb.Cleanup(s.Close)
	return s.URL
}

func (h *harness) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *harness) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// ports are those of a fresh process.
func (h *harness) ports(notifier meditation.Notifier) meditation.Ports {
	dialer := testkit.Dialer(h.t, Name)
	log := testkit.Logger(h.t)
	counted, err := metrics.New(h.meters)
	require.NoError(h.t, err)
	links, err := seal.New(testkit.Auth(h.t, Name).ServiceKey, "", "generation links")
	require.NoError(h.t, err)
	return meditation.Ports{
		Sealer:     links,
		Metrics:    counted,
		Store:      store.New(h.db.Pool, outbox.New(h.db.Pool, h.broker, Name, log, time.Now)),
		Credits:    billing.New(billingv1connect.NewCreditServiceClient(dialer.To("billing", h.billingURL))),
		Catalogue:  content.New(contentv1connect.NewCatalogueServiceClient(dialer.To("content", h.contentURL)), time.Now, log),
		Writer:     fakeWriter{},
		Rewriter:   script.Rewriter{},
		Recorder:   h.recorder,
		Blobs:      h.blobs,
		Notifier:   notifier,
		CheckTitle: func(title string) (string, error) { return title, nil },
		Now:        h.clock,
		NewID:      func() uuid.UUID { return uuid.Must(uuid.NewV7()) },
		Log:        log,
	}
}

// process is one running generation service, without its RPCs.
type process struct {
	*meditation.Service
	kill context.CancelFunc
	done chan struct{}
}

type option func(*meditation.Ports)

// start runs a process that makes as many meditations at once as it has slots; with 0 nobody works.
func (h *harness) start(slots int, lease time.Duration, options ...option) *process {
	ctx, cancel := context.WithCancel(context.Background())
	notifier := store.NewNotifier(h.db.Pool, testkit.Logger(h.t))
	ports := h.ports(notifier)
	for _, o := range options {
		o(&ports)
	}
	p := &process{Service: meditation.New(ports), kill: cancel, done: make(chan struct{})}
	var running sync.WaitGroup
	running.Go(func() { _ = notifier.Run(ctx) })
	if slots > 0 {
		worker := meditation.Worker{ID: uuid.New(), Recorders: 1, Lease: lease}
		running.Go(func() { _ = meditation.NewWorkshop(p.Service, worker, slots).Run(ctx) })
	}
	go func() { running.Wait(); close(p.done) }()
	h.t.Cleanup(p.stop)
	return p
}

// stop ends the process as SIGTERM does.
func (p *process) stop() {
	p.kill()
	<-p.done
}

func request() meditation.Request {
	return meditation.Request{
		Title: "A quiet evening", TypeID: "better-sleep", PracticeID: "zen", SizeID: "minimed",
		Immersive: true, TrackID: "rain", Day: "2026-11-21", Key: uuid.New(),
	}
}

func (h *harness) member(credits int64) uuid.UUID {
	uid := uuid.New()
	h.billing.grant(uid, credits)
	return uid
}

// waitFor is only reached by what never happens: narration is slow where the race detector watches and
// all tests share two cores.
const waitFor = 2 * time.Minute

// ended waits until the member's meditation has ended and billing knows.
func (h *harness) ended(p *process, uid, id uuid.UUID) meditation.Meditation {
	h.t.Helper()
	var m meditation.Meditation
	require.Eventually(h.t, func() bool {
		var err error
		m, _, err = p.Get(h.t.Context(), uid, id)
		return err == nil && m.State.Ended() && m.Reconciled
	}, waitFor, 5*time.Millisecond)
	return m
}

// reaches waits for a state.
func (h *harness) reaches(p *process, uid, id uuid.UUID, state meditation.State) meditation.Meditation {
	h.t.Helper()
	var m meditation.Meditation
	require.Eventually(h.t, func() bool {
		var err error
		m, _, err = p.Get(h.t.Context(), uid, id)
		return err == nil && m.State == state
	}, waitFor, 2*time.Millisecond, "state %s", state)
	return m
}

// lapse takes all workers for dead, as if they had been silent for long.
func (h *harness) lapse() {
	h.exec(`UPDATE workers SET lost_at = now() WHERE lost_at IS NULL`)
}

func (h *harness) exec(sql string, args ...any) {
	h.t.Helper()
	_, err := h.db.Pool.Exec(h.t.Context(), sql, args...)
	require.NoError(h.t, err)
}

func (h *harness) count(sql string, args ...any) int {
	h.t.Helper()
	var n int
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), sql, args...).Scan(&n))
	return n
}

// events counts those in the outbox by the last but one word of their subject.
func (h *harness) events() map[string]int {
	h.t.Helper()
	rows, err := h.db.Pool.Query(h.t.Context(), `SELECT split_part(subject, '.', 4), count(*) FROM outbox GROUP BY 1`)
	require.NoError(h.t, err)
	out := map[string]int{}
	for rows.Next() {
		var name string
		var n int
		require.NoError(h.t, rows.Scan(&name, &n))
		out[name] = n
	}
	require.NoError(h.t, rows.Err())
	return out
}

// audio is the whole recording.
func (h *harness) audio(p *process, uid, id uuid.UUID) []byte {
	h.t.Helper()
	_, file, err := p.OpenAudio(h.t.Context(), uid, id)
	require.NoError(h.t, err)
	data, err := io.ReadAll(file)
	require.NoError(h.t, errors.Join(err, file.Close()))
	return data
}
