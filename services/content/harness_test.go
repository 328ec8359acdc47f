package content

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/content/internal/narrate"
	store "serein.app/services/content/internal/postgres"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/content/internal/seeding"
	"serein.app/services/content/internal/tracks"
	"serein.app/services/content/seed"
	"serein.app/services/platform/config"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

// fakeSynthesiser makes a few bytes at once. Its sounds are proved where they are made.
type fakeSynthesiser struct{}

func (fakeSynthesiser) Version() string { return "fake" }

func (fakeSynthesiser) Window() (start, length time.Duration) {
	return 720 * time.Millisecond, 40 * time.Second
}

func (fakeSynthesiser) Synthesise(_ context.Context, id string) ([]byte, error) {
	return []byte("sound of " + id), nil
}

// slowSynthesiser makes nothing until a test closes begin.
type slowSynthesiser struct {
	fakeSynthesiser
	begin chan struct{}
}

func (s slowSynthesiser) Synthesise(ctx context.Context, id string) ([]byte, error) {
	select {
	case <-s.begin:
		return s.fakeSynthesiser.Synthesise(ctx, id)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// harness is the whole service, running.
type harness struct {
	t       *testing.T
	db      testkit.DB
	broker  *natstest.Server
	address string
}

// start runs the service and waits until it is ready.
func start(t *testing.T, made tracks.Synthesiser) *harness {
	t.Helper()
	return startIn(t, t.TempDir(), made)
}

// startIn keeps the sounds in that folder.
func startIn(t *testing.T, dir string, made tracks.Synthesiser) *harness {
	t.Helper()
	return startWith(t, dir, made, func(*Config) {})
}

// startWith changes the configuration.
func startWith(t *testing.T, dir string, made tracks.Synthesiser, change func(*Config)) *harness {
	t.Helper()
	db, broker := testkit.Postgres(t, Name, migrateAndSeed), natstest.New(t)
	cfg := Config{
		Narrate: narrate.All,
		Config: service.Config{
			Server:   server.Config{Addr: "127.0.0.1:0"},
			Database: postgres.Config{URL: config.URL(db.URL), MaxConns: 8},
			Auth:     testkit.Auth(t, Name), NATSURL: config.URL(broker.URL),
		},
		BlobURL: config.URL("file://" + dir), GenerationURL: "http://127.0.0.1:1", // no narrator listens there
	}
	change(&cfg)
	s, err := service.Start(t.Context(), Name, cfg.Config, handlers.Policy(), testkit.Telemetry(t))
	require.NoError(t, err)
	require.NoError(t, build(t.Context(), s, cfg, made))
	address, _ := testkit.Serve(t, s)
	h := &harness{t: t, db: db, broker: broker, address: address}
	require.Eventually(t, func() bool { return h.get("/readyz", "", nil).StatusCode == http.StatusOK },
		testkit.Patience, 10*time.Millisecond, "the first content takes its time where all tests run beside it")
	return h
}

// migrateAndSeed makes the database that every test gets a copy of. The editors' files are in it, so that a service which starts
// there finds each applied, as it does at every start but the first: reading them in takes seconds.
func migrateAndSeed(ctx context.Context, ownerURL string) error {
	if err := Migrate(ctx, ownerURL); err != nil {
		return err
	}
	owner, err := pgx.ParseConfig(ownerURL)
	if err != nil {
		return err
	}
	address, err := postgres.WithLogin(ownerURL, owner.Database, Name, owner.Password) // testkit's roles have one password
	if err != nil {
		return err
	}
	db, err := postgres.Open(ctx, postgres.Config{URL: config.URL(address), MaxConns: 4}, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	log := slog.New(slog.DiscardHandler)
	content := store.Open(db, outbox.New(db, nil, Name, log, time.Now), time.Now).Entries
	// The files of assets are kept by each service, in its own folder.
	keepNone := func(context.Context, string, []byte) error { return nil }
	_, err = seeding.New(seed.FS, content, keepNone, log).Once(ctx)
	return err
}

// get asks as that service; "" proves nothing.
func (h *harness) get(path, as string, header map[string]string) *http.Response {
	h.t.Helper()
	t := h.t
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.address+path, nil)
	require.NoError(t, err)
	for name, value := range header {
		req.Header.Set(name, value)
	}
	if as != "" {
		require.NoError(t, testkit.Dialer(t, as).Sign(req, Name))
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// catalogue is a client of that service.
func (h *harness) catalogue(as string) contentv1connect.CatalogueServiceClient {
	h.t.Helper()
	c, base, options := testkit.Dialer(h.t, as).To(Name, h.address)
	return contentv1connect.NewCatalogueServiceClient(c, base, options)
}

// trackPath of the first track.
func (h *harness) trackPath() string {
	h.t.Helper()
	res, err := h.catalogue("gateway").GetCatalogue(h.t.Context(), &contentv1.GetCatalogueRequest{})
	require.NoError(h.t, err)
	return "/media/" + res.GetTracks()[0].GetPath()
}
