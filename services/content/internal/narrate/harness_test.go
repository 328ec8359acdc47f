package narrate_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/narrate"
	narratestore "serein.app/services/content/internal/narrate/postgres"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

// waitFor is only reached by what never happens.
const waitFor = 2 * time.Minute

var editor = entry.Actor{Name: "amara", Editor: true}

// fakeNarrator is the generation service, of which a test says how it goes.
type fakeNarrator struct {
	mu      sync.Mutex
	begun   []string // ids in the order of their start
	scripts map[string]narrate.Script
	// wordless is one of an earlier release, which does not say when sentences are heard.
	wordless bool
	// start and sound may fail, start also for some scripts alone; status may say something else than ready.
	start, sound error
	refuses      func(narrate.Script) error
	status       func(id string) narrate.Status
	until        time.Time // the deadline of the last question for a sound
}

func soundOf(id string) []byte { return []byte("sound of " + id) }

func (n *fakeNarrator) set(change func(*fakeNarrator)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	change(n)
}

func (n *fakeNarrator) order() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.begun)
}

func (n *fakeNarrator) Start(_ context.Context, id string, s narrate.Script) (narrate.Status, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.begun = append(n.begun, id)
	if n.start != nil {
		return narrate.Status{}, n.start
	}
	if n.refuses != nil {
		if err := n.refuses(s); err != nil {
			return narrate.Status{}, err
		}
	}
	n.scripts[id] = s
	return n.at(id), nil
}

func (n *fakeNarrator) Get(_ context.Context, id string) (narrate.Status, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, known := n.scripts[id]; !known {
		return narrate.Status{}, narrate.ErrUnknown
	}
	return n.at(id), nil
}

func (n *fakeNarrator) at(id string) narrate.Status {
	if n.status != nil {
		return n.status(id)
	}
	return narrate.Status{Stage: narrate.StageReady, Done: 4, Total: 4, Length: 90 * time.Second, Bytes: int64(len(soundOf(id)))}
}

func (n *fakeNarrator) Sound(ctx context.Context, id string) (io.ReadCloser, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.until, _ = ctx.Deadline()
	if n.sound != nil {
		return nil, n.sound
	}
	return io.NopCloser(bytes.NewReader(soundOf(id))), nil
}

func (n *fakeNarrator) Words(_ context.Context, id string) (io.ReadCloser, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.wordless {
		return nil, narrate.ErrUnknown
	}
	return io.NopCloser(strings.NewReader("WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n" + id + "\n")), nil
}

// narrations is their store.
type narrations = narratestore.Store

// harness is a database with the content types, a blob store, a narrator and a clock.
type harness struct {
	testkit.DB
	*store.Store
	*narrations
	t        *testing.T
	narrator *fakeNarrator
	blobs    blob.Store

	mu  sync.Mutex
	now time.Time
	// meters are what the services have counted.
	meters *sdkmetric.ManualReader
	meter  metric.Meter
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

func setup(t *testing.T) *harness {
	t.Helper()
	h := &harness{
		t: t, DB: testkit.Postgres(t, "content", store.Migrate), now: time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC),
		narrator: &fakeNarrator{scripts: map[string]narrate.Script{}}, meters: sdkmetric.NewManualReader(),
	}
	stores := store.Open(h.Pool, outbox.New(h.Pool, nil, "content", testkit.Logger(t), h.clock), h.clock)
	h.Store, h.narrations = stores.Entries, stores.Narrations
	h.meter = sdkmetric.NewMeterProvider(sdkmetric.WithReader(h.meters)).Meter("serein/content")
	var err error
	h.blobs, err = blob.Open("file://" + t.TempDir())
	require.NoError(t, err)
	text := func(ids ...string) (fields []entry.Field) {
		for _, id := range ids {
			fields = append(fields, entry.Field{ID: id, Name: id, Type: entry.Text, Localized: true})
		}
		return fields
	}
	flag := func(fields []entry.Field, ids ...string) []entry.Field {
		for _, id := range ids {
			fields = append(fields, entry.Field{ID: id, Name: id, Type: entry.Boolean})
		}
		return append(fields,
			entry.Field{ID: "audio", Name: "Narration", Type: entry.Symbol, Disabled: true},
			entry.Field{ID: "duration", Name: "Length", Type: entry.Integer, Disabled: true},
			entry.Field{ID: "narrationHash", Name: "Hash", Type: entry.Symbol, Disabled: true, Omitted: true})
	}
	for id, fields := range map[string][]entry.Field{
		"article":    flag(text("title", "body"), "open"),
		"meditation": flag(text("title", "script", "type", "voice", "createdBy"), "immersive", "intro", "verified"),
		"storeItem":  append(text("title"), entry.Field{ID: "meditation", Name: "Meditation", Type: entry.LinkType, LinkType: entry.KindEntry}),
	} {
		_, err := h.SetContentType(t.Context(), editor, entry.ContentType{Environment: entry.Master, ID: id, Name: id, Fields: fields})
		require.NoError(t, err)
	}
	return h
}

func key(id string) entry.Key {
	return entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
}

// draft of fields in the default locale.
func draft(fields map[string]any) entry.Draft {
	d := entry.Draft{Fields: entry.Fields{}}
	for id, value := range fields {
		d.Fields[id] = map[string]any{"en-GB": value}
	}
	return d
}

// publish makes an entry that readers get.
func (h *harness) publish(contentType, id string, fields map[string]any) {
	h.t.Helper()
	item, err := h.Create(h.t.Context(), editor, key(id), contentType, draft(fields))
	require.NoError(h.t, err)
	_, err = h.Publish(h.t.Context(), editor, key(id), item.Version)
	require.NoError(h.t, err)
}

func (h *harness) meditation(id, script string, more ...map[string]any) {
	h.t.Helper()
	fields := map[string]any{"title": id, "script": script, "type": "Better Sleep", "immersive": false, "intro": false, "verified": true}
	for _, m := range more {
		for id, value := range m {
			fields[id] = value
		}
	}
	h.publish("meditation", id, fields)
}

// edit changes fields of the draft, and publishes it where it says so.
func (h *harness) edit(id string, publish bool, fields map[string]any) {
	h.t.Helper()
	item, err := h.Item(h.t.Context(), key(id))
	require.NoError(h.t, err)
	d := entry.Draft{Fields: item.Fields}
	for id, value := range fields {
		d.Fields[id] = map[string]any{"en-GB": value}
	}
	item, err = h.Update(h.t.Context(), editor, key(id), item.Version, d)
	require.NoError(h.t, err)
	if publish {
		_, err = h.Store.Publish(h.t.Context(), editor, key(id), item.Version)
		require.NoError(h.t, err)
	}
}

// service is one process's; with work it narrates all until stop or the end of the test.
func (h *harness) service(work bool) (s *narrate.Service, stop func()) {
	h.t.Helper()
	return h.serviceOf(narrate.All, work)
}

func (h *harness) serviceOf(scope narrate.Scope, work bool) (s *narrate.Service, stop func()) {
	h.t.Helper()
	offer, err := catalogue.Load()
	require.NoError(h.t, err)
	s, err = narrate.New(narrate.Ports{
		Store: h.narrations, Narrator: h.narrator, Blobs: h.blobs, Scripts: narrate.NewScripts(offer), Scope: scope, Now: h.clock, Log: testkit.Logger(h.t),
		Lead: func(ctx context.Context, work func(context.Context, func(context.Context) error) error) (bool, error) {
			return postgres.Lead(ctx, h.Pool, "narrations", func(ctx context.Context, conn *pgxpool.Conn) error { return work(ctx, conn.Ping) })
		},
	}, h.meter)
	require.NoError(h.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	if work {
		running.Go(func() { _ = s.Run(ctx) })
	}
	stop = sync.OnceFunc(func() { cancel(); running.Wait() })
	h.t.Cleanup(stop)
	return s, stop
}

// readers is what they get.
func (h *harness) readers(id string) entry.Published {
	h.t.Helper()
	p, err := h.Published(h.t.Context(), key(id))
	require.NoError(h.t, err)
	return p
}

func field(p entry.Published, id string) any { return p.Fields[id]["en-GB"] }

// reaches waits until all of the entries are in that state.
func (h *harness) reaches(s narrate.State, ids ...string) {
	h.t.Helper()
	require.Eventually(h.t, func() bool {
		all, err := h.Narrations(h.t.Context(), ids)
		if err != nil {
			return false
		}
		for _, id := range ids {
			if all[id].State != s {
				return false
			}
		}
		return true
	}, waitFor, 10*time.Millisecond, "%v %s", ids, s)
}

// narrated are those entries in the order in which the narrator began with them.
func (h *harness) narrated(ids ...string) (order []string) {
	h.t.Helper()
	byHash := map[any]string{}
	for _, id := range ids {
		byHash[field(h.readers(id), "narrationHash")] = id
	}
	for _, hash := range h.narrator.order() {
		order = append(order, byHash[hash])
	}
	return order
}

func (h *harness) exec(sql string, args ...any) {
	h.t.Helper()
	_, err := h.Pool.Exec(h.t.Context(), sql, args...)
	require.NoError(h.t, err)
}

var errAway = errs.ErrUnavailable.Because(errors.New("connection refused"))
