package upstream_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"serein.app/services/content/internal/delivery"
	reader "serein.app/services/content/internal/delivery/postgres"
	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/content/internal/upstream"
	"serein.app/services/platform/config"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/seal"
	"serein.app/services/testkit"
)

const token = "a-read-token-that-nobody-may-log"

var editor = entry.Actor{Name: "amara", Editor: true}

// content is one content service's store with its delivery API.
type content struct {
	testkit.DB
	*store.Store
	api http.Handler
}

func newContent(t *testing.T, url string) *content {
	t.Helper()
	c := &content{DB: testkit.Postgres(t, "content", store.Migrate)}
	c.Store = store.Open(c.Pool, outbox.New(c.Pool, nil, "content", testkit.Logger(t), time.Now), time.Now).Entries
	tokens, err := delivery.ParseTokens(token)
	require.NoError(t, err)
	sealer, err := seal.New(config.Secret(strings.Repeat("s", 32)), "", "content delivery")
	require.NoError(t, err)
	c.api = delivery.New(delivery.Config{
		Store: reader.New(c.Pool), URL: url, Space: "serein", SpaceName: "Serein", Tokens: tokens, Sealer: sealer, PerSecond: 100_000,
		TokenLife: store.DeletionsKept, Now: time.Now, NewID: uuid.NewString, Log: testkit.Logger(t),
	})
	return c
}

// articles is the content type of the tests.
func articles() entry.ContentType {
	return entry.ContentType{Environment: entry.Master, ID: "article", Name: "Article", DisplayField: "title", Fields: []entry.Field{
		{ID: "title", Name: "Title", Type: entry.Symbol, Localized: true, Required: true},
		{ID: "about", Name: "About", Type: entry.Array, Items: &entry.Items{Type: entry.LinkType, LinkType: entry.KindEntry}},
	}}
}

func (c *content) publish(t *testing.T, id, title string) {
	t.Helper()
	key := entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
	draft := entry.Draft{Fields: entry.Fields{"title": {"en-GB": title}, "about": {"en-GB": []any{entry.Link{Kind: entry.KindEntry, ID: "a0"}.Value()}}}}
	before, err := c.Item(t.Context(), key)
	version := before.Version
	if err != nil {
		item, err := c.Create(t.Context(), editor, key, "article", draft)
		require.NoError(t, err)
		version = item.Version
	} else {
		item, err := c.Update(t.Context(), editor, key, version, draft)
		require.NoError(t, err)
		version = item.Version
	}
	_, err = c.Publish(t.Context(), editor, key, version)
	require.NoError(t, err)
}

func (c *content) unpublish(t *testing.T, id string) {
	t.Helper()
	key := entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
	item, err := c.Item(t.Context(), key)
	require.NoError(t, err)
	_, err = c.Unpublish(t.Context(), editor, key, item.Version)
	require.NoError(t, err)
}

// readers are what readers get, without what is a database's own.
func (c *content) readers(t *testing.T) []string {
	t.Helper()
	rows, err := c.Pool.Query(t.Context(), `SELECT kind || ' ' || id || ' ' || COALESCE(content_type, '') || ' ' || revision || ' ' || fields::text || ' ' || date_trunc('milliseconds', updated_at)::text
		FROM published WHERE environment = 'master' ORDER BY kind, id`)
	require.NoError(t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return all
}

// pair is an upstream behind a server that may do what it wants, and a content service that mirrors it.
type pair struct {
	upstream, mirror *content
	follower         *upstream.Mirror
	config           upstream.Config
	meters           *sdkmetric.ManualReader
	meter            metric.Meter

	mu     sync.Mutex
	log    bytes.Buffer
	answer http.Handler // instead of the upstream; nil: the upstream itself
	asked  []string     // paths and queries
	proofs []string     // what the requests brought as proof
}

func (p *pair) Write(line []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.Write(line)
}

func (p *pair) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	answer := p.answer
	p.asked, p.proofs = append(p.asked, r.URL.String()), append(p.proofs, r.Header.Get("Authorization"))
	p.mu.Unlock()
	if answer == nil {
		answer = p.upstream.api
	}
	answer.ServeHTTP(w, r)
}

// instead has the server answer otherwise; nil: as the upstream does.
func (p *pair) instead(h http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = nil
	if h != nil {
		p.answer = h
	}
}

func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{meters: sdkmetric.NewManualReader()}
	p.meter = sdkmetric.NewMeterProvider(sdkmetric.WithReader(p.meters)).Meter("serein/content")
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.upstream, p.mirror = newContent(t, "https://elsewhere.example"), newContent(t, "https://mirror.example")
	_, err := p.upstream.SetContentType(t.Context(), editor, articles())
	require.NoError(t, err)
	p.config = upstream.Config{URL: server.URL, Space: "serein", Environment: "master", Token: token, Every: time.Second, Timeout: 30 * time.Second}
	require.NoError(t, p.config.Validate())
	p.restart(t)
	return p
}

// restart is a new process that goes on.
func (p *pair) restart(t *testing.T) {
	t.Helper()
	var err error
	p.follower, err = upstream.New(p.config, p.mirror.Store, p.meter, time.Now, slog.New(slog.NewJSONHandler(p, nil)))
	require.NoError(t, err)
}

// leads is the lock of a process that mirrors alone.
func leads(context.Context) error { return nil }

func (p *pair) round(t *testing.T) {
	t.Helper()
	require.NoError(t, p.follower.Round(t.Context(), leads))
}

func TestTheMirrorIsWhatTheUpstreamIs(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	locales, err := p.upstream.Locales(t.Context(), entry.Master)
	require.NoError(t, err)
	require.NoError(t, p.upstream.MirrorLocales(t.Context(), append(locales, entry.Locale{Code: "cy", Name: "Welsh", Fallback: "en-GB"})))
	for i := range 5 {
		p.upstream.publish(t, fmt.Sprintf("a%d", i), "Title")
	}
	_, known := p.follower.Age()
	require.False(t, known)
	p.round(t)
	require.Len(t, p.mirror.readers(t), 5)
	require.Equal(t, p.upstream.readers(t), p.mirror.readers(t))
	age, known := p.follower.Age()
	require.True(t, known)
	require.Less(t, age, time.Minute)
	locales, err = p.mirror.Locales(t.Context(), entry.Master)
	require.NoError(t, err)
	require.True(t, locales.Has("cy"))

	p.upstream.publish(t, "a1", "Another title")
	p.upstream.publish(t, "new", "New")
	p.upstream.unpublish(t, "a3")
	p.restart(t)
	p.round(t)
	require.Equal(t, p.upstream.readers(t), p.mirror.readers(t))
	before, err := p.mirror.ContentType(t.Context(), entry.Master, "article")
	require.NoError(t, err)
	p.round(t)
	after, err := p.mirror.ContentType(t.Context(), entry.Master, "article")
	require.NoError(t, err)
	require.Equal(t, before, after, "what is as it was is not written")
	for i, asked := range p.asked {
		require.NotContains(t, asked, token)
		require.Equal(t, "Bearer "+token, p.proofs[i])
	}
}

func TestRestartedSyncWithdrawsItemsThatTheUpstreamLacks(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	_, err := p.mirror.SetContentType(t.Context(), editor, articles())
	require.NoError(t, err)
	p.mirror.publish(t, "house", "Of before")
	p.upstream.publish(t, "a0", "Title")
	p.upstream.publish(t, "a1", "Title")
	p.round(t)
	require.Equal(t, p.upstream.readers(t), p.mirror.readers(t))
	item, err := p.mirror.Item(t.Context(), entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: "house"})
	require.NoError(t, err, "its draft stays")
	require.Zero(t, item.PublishedVersion)

	// The token of the sync is of no use any more, and a deletion was missed.
	p.upstream.unpublish(t, "a1")
	_, err = p.mirror.Pool.Exec(t.Context(), "UPDATE upstream SET token = 'lost'")
	require.NoError(t, err)
	require.ErrorContains(t, p.follower.Round(t.Context(), leads), "expired")
	p.round(t)
	require.Equal(t, p.upstream.readers(t), p.mirror.readers(t))
}

func TestARestartInTheMiddleOfPagesGoesOnWithTheNextPage(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	for i := range 6 {
		p.upstream.publish(t, fmt.Sprintf("a%d", i), "Title")
	}
	// Pages of two, and the upstream dies behind the first.
	pages := 0
	p.instead(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if query.Has("initial") {
			query.Set("limit", "2")
		}
		r.URL.RawQuery = query.Encode()
		if strings.HasSuffix(r.URL.Path, "/sync") {
			if pages++; pages > 1 {
				panic(http.ErrAbortHandler)
			}
		}
		p.upstream.api.ServeHTTP(w, r)
	})
	require.ErrorContains(t, p.follower.Round(t.Context(), leads), "away")
	require.Len(t, p.mirror.readers(t), 2)
	p.upstream.publish(t, "late", "Late")
	p.instead(nil)
	p.restart(t)
	p.round(t)
	p.round(t)
	require.Equal(t, p.upstream.readers(t), p.mirror.readers(t))
	first := 0
	for _, asked := range p.asked {
		if strings.Contains(asked, "initial") {
			first++
		}
	}
	require.Equal(t, 1, first, "it did not restart")
}

// dying is the store of a process that dies before it has kept where a round ended.
type dying struct{ *store.Store }

var errDied = errors.New("the process died")

func (dying) EndMirrorRound(context.Context, string, store.MirrorState, bool) error { return errDied }

func TestAFirstRoundWhoseEndWasNotKeptIsEndedByTheNext(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	_, err := p.mirror.SetContentType(t.Context(), editor, articles())
	require.NoError(t, err)
	p.mirror.publish(t, "house", "Of before")
	p.upstream.publish(t, "a0", "Title")
	p.follower, err = upstream.New(p.config, dying{p.mirror.Store}, p.meter, time.Now, testkit.Logger(t))
	require.NoError(t, err)
	require.ErrorIs(t, p.follower.Round(t.Context(), leads), errDied)
	require.Len(t, p.mirror.readers(t), 2)
	p.restart(t)
	p.round(t)
	require.Equal(t, p.upstream.readers(t), p.mirror.readers(t), "what the upstream does not have is taken from readers all the same")
}

// lie has one path answered so.
func (p *pair) lie(path, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, path) {
			_, _ = io.WriteString(w, body)
			return
		}
		p.upstream.api.ServeHTTP(w, r)
	}
}

// bomb is 80 MiB of spaces, packed.
func bomb(t *testing.T) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	spaces := bytes.Repeat([]byte(" "), 1<<20)
	for range 80 {
		_, err := w.Write(spaces)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return packed.Bytes()
}

func TestInvalidUpstreamAnswersChangeNothingAndAreReported(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.upstream.publish(t, "a0", "Title")
	p.round(t)
	want := p.mirror.readers(t)
	foreign := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("somebody else was asked") }))
	t.Cleanup(foreign.Close)
	packed := bomb(t)
	item := func(sys, fields string) string {
		return `{"items":[{"sys":` + sys + `,"fields":` + fields + `}],"nextSyncUrl":"x?sync_token=t"}`
	}
	const times = `"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","revision":2`
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   string
	}{
		"no JSON":                 {p.lie("/sync", "<html>"), "lying"},
		"half of it":              {p.lie("/sync", `{"items":[`), "lying"},
		"other types":             {p.lie("/sync", `{"items":{},"nextSyncUrl":1}`), "lying"},
		"no way on":               {p.lie("/sync", `{"items":[]}`), "lying"},
		"two ways on":             {p.lie("/sync", `{"items":[],"nextSyncUrl":"x?sync_token=a","nextPageUrl":"x?sync_token=a"}`), "lying"},
		"empty pages without end": {p.lie("/sync", `{"items":[],"nextPageUrl":"x?sync_token=next"}`), "lying"},
		"an unknown kind":         {p.lie("/sync", item(`{"id":"a0","type":"Secret",`+times+`}`, `{}`)), "lying"},
		"an id that is none":      {p.lie("/sync", item(`{"id":"../a0","type":"Entry",`+times+`}`, `{}`)), "lying"},
		"no content type":         {p.lie("/sync", item(`{"id":"a0","type":"Entry",`+times+`}`, `{}`)), "lying"},
		"no times":                {p.lie("/sync", item(`{"id":"a0","type":"Entry"}`, `{}`)), "lying"},
		"broken content types":    {p.lie("/content_types", `{"total":1,"items":[{"sys":{"id":"no id"}}]}`), "lying"},
		"fewer than it has":       {p.lie("/content_types", `{"total":2000,"items":[]}`), "lying"},
		"no default locale":       {p.lie("/locales", `{"total":1,"items":[{"code":"en-GB","name":"E"}]}`), "lying"},
		"a foreign host": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, foreign.URL+r.URL.Path, http.StatusFound)
		}, "lying"},
		"a bomb": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed)
		}, "lying"},
		"401": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "denied"},
		"500": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, "away"},
		"429": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "40")
			w.WriteHeader(http.StatusTooManyRequests)
		}, "busy"},
		"dead in the middle": {func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/sync") { // its address has the token of the sync
				panic(http.ErrAbortHandler)
			}
			p.upstream.api.ServeHTTP(w, r)
		}, "away"},
		"dead": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "away"},
	} {
		p.instead(c.answer)
		err := p.follower.Round(t.Context(), leads)
		var failure *upstream.Error
		require.ErrorAs(t, err, &failure, name)
		require.Equal(t, upstream.Kind(c.kind), failure.Kind, name)
		require.NotContains(t, err.Error(), token, name)
		require.NotContains(t, err.Error(), "sync_token=", name)
		if name == "429" {
			require.Equal(t, 40*time.Second, failure.RetryAfter)
		}
		require.Equal(t, want, p.mirror.readers(t), name)
	}
	p.instead(nil)
	p.upstream.publish(t, "a1", "After all that")
	p.round(t)
	require.Equal(t, p.upstream.readers(t), p.mirror.readers(t))
}

func TestOfAnAnswerThatIsTooLargeNoMoreIsReadThanTheBound(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	const offered = 256 // MiB
	var taken atomic.Int64
	p.instead(func(w http.ResponseWriter, _ *http.Request) {
		spaces := bytes.Repeat([]byte(" "), 1<<20)
		for range offered {
			if _, err := w.Write(spaces); err != nil {
				return
			}
			taken.Add(1)
		}
	})
	var failure *upstream.Error
	require.ErrorAs(t, p.follower.Round(t.Context(), leads), &failure)
	require.Equal(t, upstream.Lying, failure.Kind)
	require.Less(t, taken.Load(), int64(offered/2), "64 MiB, and what the connection holds")
}

func TestAnItemThatBreaksItsTypeIsRefusedAloneAndReadersKeepWhatTheyHad(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.upstream.publish(t, "a0", "Title")
	p.upstream.publish(t, "a1", "Title")
	p.round(t)
	want := p.mirror.readers(t)
	sys := func(id string) string {
		return `{"id":"` + id + `","type":"Entry","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-02T00:00:00Z","revision":9,"contentType":{"sys":{"id":"article"}}}`
	}
	state, err := p.mirror.MirrorState(t.Context(), p.config.URL+" serein master")
	require.NoError(t, err)
	page, err := json.Marshal(map[string]any{
		"nextSyncUrl": "x?sync_token=" + state.Token,
		"items": []json.RawMessage{
			json.RawMessage(`{"sys":` + sys("a0") + `,"fields":{"title":{"en-GB":7}}}`),
			json.RawMessage(`{"sys":` + sys("a1") + `,"fields":{"title":{"en-GB":"nul \u0000"}}}`),
			json.RawMessage(`{"sys":` + sys("good") + `,"fields":{"title":{"en-GB":"Good"}}}`),
		},
	})
	require.NoError(t, err)
	p.instead(p.lie("/sync", string(page)))
	p.round(t)
	got := p.mirror.readers(t)
	require.Len(t, got, 3)
	require.Equal(t, want, got[:2])
	require.Equal(t, 2, strings.Count(p.log.String(), "an item of the upstream is refused"))
}

// No rule of a content type bounds an object, but the index of words does.
func TestAnItemThatTheDatabaseCannotHoldIsRefusedAloneAndTheRestGoesOn(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	long := articles()
	long.Fields = append(long.Fields, entry.Field{ID: "data", Name: "Data", Type: entry.Object})
	long.Version = 1
	_, err := p.upstream.SetContentType(t.Context(), editor, long)
	require.NoError(t, err)
	p.upstream.publish(t, "a0", "Title")
	p.round(t)
	want := p.mirror.readers(t)
	state, err := p.mirror.MirrorState(t.Context(), p.config.URL+" serein master")
	require.NoError(t, err)
	var words strings.Builder
	for i := range 200_000 {
		fmt.Fprint(&words, "word", i, " ")
	}
	var items []map[string]any
	for _, id := range []string{"before", "a0", "new", "behind"} {
		fields := map[string]any{"title": map[string]any{"en-GB": id}}
		if id == "a0" || id == "new" {
			fields["data"] = map[string]any{"en-GB": map[string]any{"words": words.String()}}
		}
		items = append(items, map[string]any{"fields": fields, "sys": map[string]any{
			"id": id, "type": "Entry", "createdAt": time.Now(), "updatedAt": time.Now(), "revision": 9, "contentType": map[string]any{"sys": map[string]any{"id": "article"}},
		}})
	}
	page, err := json.Marshal(map[string]any{"nextSyncUrl": "x?sync_token=" + state.Token, "items": items})
	require.NoError(t, err)
	p.instead(p.lie("/sync", string(page)))
	p.round(t)
	got := p.mirror.readers(t)
	require.Len(t, got, 3, "before, behind and what was there")
	require.Equal(t, want[0], got[0])
	require.Equal(t, 2, strings.Count(p.log.String(), "an item of the upstream is refused"))
	require.Equal(t, 2, int(testkit.Metric(t, p.meters, "serein.content.upstream.failures")))

	// The upstream still has the item, so a restarted sync does not withdraw it.
	_, err = p.mirror.Pool.Exec(t.Context(), "UPDATE upstream SET token = ''")
	require.NoError(t, err)
	p.round(t)
	require.Equal(t, got, p.mirror.readers(t))
}

// interrupted is the store of a process that dies behind so many transactions of a page.
type interrupted struct {
	*store.Store

	left    *int
	largest *int
}

func (i interrupted) Mirror(ctx context.Context, source string, to store.MirrorState, changes []store.MirrorChange, refused func(entry.Key, error)) error {
	*i.largest = max(*i.largest, len(changes))
	if *i.left--; *i.left < 0 {
		return errDied
	}
	return i.Store.Mirror(ctx, source, to, changes, refused)
}

func TestAPageIsKeptInSmallTransactionsAndComesAgainWhereTheLastWasNotKept(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	for i := range 250 {
		p.upstream.publish(t, fmt.Sprintf("a%d", i), "Title")
	}
	left, largest := 2, 0
	var err error
	p.follower, err = upstream.New(p.config, interrupted{p.mirror.Store, &left, &largest}, p.meter, time.Now, testkit.Logger(t))
	require.NoError(t, err)
	require.ErrorIs(t, p.follower.Round(t.Context(), leads), errDied)
	require.Len(t, p.mirror.readers(t), 200)
	require.Equal(t, 100, largest, "an editor who publishes waits for no more than these")
	state, err := p.mirror.MirrorState(t.Context(), p.config.URL+" serein master")
	require.NoError(t, err)
	require.Empty(t, state.Token, "the page is not kept yet")

	p.upstream.unpublish(t, "a3") // a restarted sync does not report this
	p.restart(t)
	p.round(t)
	require.Len(t, p.mirror.readers(t), 249)
	require.Equal(t, p.upstream.readers(t), p.mirror.readers(t))
}

func TestAnUpstreamThatHasNothingTakesNothingAway(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	_, err := p.mirror.SetContentType(t.Context(), editor, articles())
	require.NoError(t, err)
	p.mirror.publish(t, "house", "Of before")
	require.ErrorContains(t, p.follower.Round(t.Context(), leads), "nothing at all")
	require.Len(t, p.mirror.readers(t), 1)
}

func TestTheMirrorWaitsForAnUpstreamThatIsAwayAndTellsOfIt(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.upstream.publish(t, "a0", "Title")
	p.instead(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- p.follower.Run(ctx) }()
	require.Eventually(t, func() bool { return testkit.Metric(t, p.meters, "serein.content.upstream.failures") > 0 }, testkit.Patience, 10*time.Millisecond)
	p.instead(nil)
	require.Eventually(t, func() bool { return len(p.mirror.readers(t)) == 1 }, testkit.Patience, 10*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
	p.mu.Lock()
	defer p.mu.Unlock()
	require.Contains(t, p.log.String(), `"kind":"away"`)
	require.NotContains(t, p.log.String(), token)
}

// The lock ends with its connection, and another replica then follows the upstream. The replica that had the lock must stop.
func TestReplicaStopsMirroringWhenItLosesTheLock(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.upstream.publish(t, "a0", "Title")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- p.follower.Run(ctx) }()
	require.Eventually(t, func() bool { return len(p.mirror.readers(t)) == 1 }, testkit.Patience, 10*time.Millisecond)
	_, err := p.mirror.Pool.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_locks
		WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return strings.Contains(p.log.String(), "the upstream is not followed")
	}, testkit.Patience, 10*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
}

func TestWhoLosesTheLockInTheMiddleOfARoundKeepsNothingMore(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.upstream.publish(t, "a0", "Title")
	lost := errors.New("the connection is gone")
	require.ErrorIs(t, p.follower.Round(t.Context(), func(context.Context) error { return lost }), lost)
	require.Empty(t, p.mirror.readers(t))
}

func TestAnUpstreamThatIsSlowIsNotWaitedForForEver(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	p.instead(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	p.config.Timeout = 200 * time.Millisecond
	p.restart(t)
	var failure *upstream.Error
	require.ErrorAs(t, p.follower.Round(t.Context(), leads), &failure)
	require.Equal(t, upstream.Away, failure.Kind)
}

func TestAnUpstreamThatCannotWorkDoesNotStart(t *testing.T) {
	t.Parallel()
	require.NoError(t, upstream.Config{}.Validate())
	good := upstream.Config{URL: "https://cdn.example", Space: "s", Environment: "master", Token: token, Every: time.Minute, Timeout: 30 * time.Second}
	require.NoError(t, good.Validate())
	for name, change := range map[string]func(*upstream.Config){
		"UPSTREAM_URL": func(c *upstream.Config) { c.URL = "not an address" }, "UPSTREAM_SPACE": func(c *upstream.Config) { c.Space = "" },
		"UPSTREAM_TOKEN": func(c *upstream.Config) { c.Token = "" }, "UPSTREAM_EVERY": func(c *upstream.Config) { c.Every = 0 },
		"UPSTREAM_TIMEOUT": func(c *upstream.Config) { c.Timeout = 31 * time.Second },
	} {
		broken := good
		change(&broken)
		require.ErrorContains(t, broken.Validate(), name)
	}
}
