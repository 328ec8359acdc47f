package delivery_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/delivery"
	reader "serein.app/services/content/internal/delivery/postgres"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/config"
	"serein.app/services/platform/seal"
	"serein.app/services/testkit"
)

const (
	token       = "a-read-token-for-all-environments"
	masterToken = "a-read-token-for-master-alone"
	base        = "/spaces/serein/environments/master/"
)

// api is the delivery API on a separate database.
type api struct {
	testkit.DB

	t   testing.TB
	url string
	log bytes.Buffer
	// ahead is how far the API's clock is ahead, in nanoseconds.
	ahead atomic.Int64
	seq   int
}

func migrate(ctx context.Context, url string) error {
	return store.Migrate(ctx, url)
}

func newAPI(tb testing.TB, change ...func(*delivery.Config)) *api {
	tb.Helper()
	a := &api{DB: testkit.Postgres(tb, "content", migrate), t: tb}
	server := httptest.NewUnstartedServer(nil)
	a.url = "http://" + server.Listener.Addr().(*net.TCPAddr).String()
	tokens, err := delivery.ParseTokens(config.Secret(token + "," + masterToken + "=master"))
	require.NoError(tb, err)
	sealer, err := seal.New(config.Secret(strings.Repeat("s", 32)), "", "content delivery")
	require.NoError(tb, err)
	cfg := delivery.Config{
		Store: reader.New(a.Pool), URL: a.url, Space: "serein", SpaceName: "Serein", Tokens: tokens, Sealer: sealer, PerSecond: 100_000,
		TokenLife: 365 * 24 * time.Hour, Now: func() time.Time { return time.Now().Add(time.Duration(a.ahead.Load())) },
		NewID: uuid.NewString, Log: slog.New(slog.NewTextHandler(&a.log, nil)),
	}
	for _, c := range change {
		c(&cfg)
	}
	server.Config.Handler = delivery.New(cfg)
	server.Start()
	tb.Cleanup(server.Close)
	return a
}

// exec runs SQL.
func (a *api) exec(sql string, args ...any) {
	a.t.Helper()
	_, err := a.Pool.Exec(context.WithoutCancel(a.t.Context()), sql, args...)
	require.NoError(a.t, err, sql)
}

// day is when the n-th item was published.
func day(n int) time.Time { return time.Date(2026, 1, n, 9, 30, 0, 123_456_000, time.UTC) }

// publish publishes an entry, or an asset when contentType is empty. links names the fields that hold its links.
func (a *api) publish(id, contentType, fields string, links ...string) {
	a.t.Helper()
	a.publishIn("master", id, contentType, fields, links...)
}

func (a *api) publishIn(environment, id, contentType, fields string, links ...string) {
	a.t.Helper()
	kind, of := "Entry", &contentType
	if contentType == "" {
		kind, of = "Asset", nil
	}
	a.seq++
	a.exec(`INSERT INTO items (environment, kind, id, content_type, version, published_version, revision, fields, tags, concepts, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 3, 3, 1, $5, '{}', '{}', $6, $6) ON CONFLICT DO NOTHING`, environment, kind, id, of, fields, day(a.seq))
	a.exec(`INSERT INTO published (environment, kind, id, content_type, revision, version, fields, tags, concepts, created_at, first_published_at, updated_at, seq)
		VALUES ($1, $2, $3, $4, 1, 3, $5, '{}', '{}', $6, $6, $6, nextval('changes'))
		ON CONFLICT (environment, kind, id) DO UPDATE SET fields = excluded.fields, revision = published.revision + 1, updated_at = excluded.updated_at, seq = excluded.seq`,
		environment, kind, id, of, fields, day(a.seq))
	for _, link := range links {
		field, target, _ := strings.Cut(link, "=")
		targetKind, targetID, _ := strings.Cut(target, ":")
		a.exec("INSERT INTO links (environment, id, field, target_kind, target_id) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
			environment, id, field, targetKind, targetID)
	}
}

// remove unpublishes an item.
func (a *api) remove(kind, id string) {
	a.t.Helper()
	a.exec(`WITH gone AS (DELETE FROM published WHERE environment = 'master' AND kind = $1 AND id = $2 RETURNING *)
		INSERT INTO deletions (environment, kind, id, content_type, revision, created_at, deleted_at, seq)
		SELECT environment, kind, id, content_type, revision, created_at, now(), nextval('changes') FROM gone`, kind, id)
}

// answer is what the API answered.
type answer struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

// ask sends a request with the token.
func (a *api) ask(method, path string, body string, header ...string) answer {
	a.t.Helper()
	req, err := http.NewRequestWithContext(a.t.Context(), method, a.url+path, strings.NewReader(body))
	require.NoError(a.t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(a.t, err)
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	require.NoError(a.t, err)
	require.NotEqual(a.t, http.StatusInternalServerError, res.StatusCode, a.log.String())
	got := answer{status: res.StatusCode, header: res.Header, raw: string(raw)}
	if len(raw) > 0 && method != http.MethodHead {
		require.NoError(a.t, json.Unmarshal(raw, &got.body), string(raw))
	}
	return got
}

// get asks a path of the environment master; parameters are name=value, not escaped.
func (a *api) get(path string, parameters ...string) answer {
	a.t.Helper()
	values := url.Values{}
	for _, p := range parameters {
		name, value, _ := strings.Cut(p, "=")
		values.Add(name, value)
	}
	return a.ask(http.MethodGet, base+path+"?"+values.Encode(), "")
}

// ids lists the items of an answer.
func (g answer) ids(tb testing.TB) []string {
	tb.Helper()
	require.Equal(tb, http.StatusOK, g.status, g.raw)
	ids := []string{}
	for _, item := range g.list(tb, "items") {
		ids = append(ids, at(item, "sys", "id").(string))
	}
	return ids
}

func (g answer) list(tb testing.TB, path ...string) []any {
	tb.Helper()
	found, ok := at(g.body, path...).([]any)
	require.True(tb, ok, "%v in %s", path, g.raw)
	return found
}

// at follows a path into decoded JSON.
func at(value any, path ...string) any {
	for _, step := range path {
		object, _ := value.(map[string]any)
		value = object[step]
	}
	return value
}

// errorID is the id of a refusal.
func (g answer) errorID() string { return fmt.Sprint(at(g.body, "sys", "id")) }

// detail is the first of a refusal's details.
func (g answer) detail(tb testing.TB) map[string]any {
	tb.Helper()
	details := g.list(tb, "details", "errors")
	require.NotEmpty(tb, details)
	first, _ := details[0].(map[string]any)
	return first
}
