package gateway

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"

	"serein.app/gateway/internal/login"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/upstream"
	"serein.app/services/platform/config"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
	"serein.app/services/testkit/clock"
	"serein.app/services/testkit/issuer"
	"serein.app/services/testkit/redistest"
)

// stack is the gateway, twice if need be, among everything it talks to.
type stack struct {
	clock    *clock.Clock
	redis    *redistest.Server
	op       *issuer.Issuer
	services *services
	cfg      Config
	gateways []*running
}

type running struct {
	*gateway
	URL, host string
	// internal is the address of metrics and readiness.
	internal string
	stop     context.CancelFunc
	done     chan error
}

// settings are what a test's gateways get beside their configuration.
type settings struct {
	parts
	tel *telemetry.Telemetry
}

// options change the configuration of a test's gateways.
type options func(*Config, *settings)

func scaled(by float64) options { return func(c *Config, _ *settings) { c.LimitScale = by } }

func start(tb testing.TB, replicas int, change ...options) *stack {
	tb.Helper()
	s := &stack{clock: clock.New(), redis: redistest.New(tb)}
	s.op = issuer.Start(tb, s.clock.Now)
	s.services = startServices(tb, s.op.URL)
	s.cfg = Config{
		EdgeConfig: service.EdgeConfig{Server: server.Config{Addr: "127.0.0.1:0"}, ServiceKey: testkit.Key(Name)},
		AssetsDir:  app(tb), RedisURL: config.URL("redis://" + s.redis.Addr()), LimitScale: 1000, DebugSignIn: true,
		Session: session.Config{Secret: config.Secret(strings.Repeat("session secret ", 3)), Idle: time.Hour, MaxAge: 24 * time.Hour},
		Login:   login.Config{Issuer: s.op.URL, ClientID: issuer.ClientID, ClientSecret: issuer.ClientSecret},
		Upstream: upstream.Config{
			Identity: s.services.identity.URL, Billing: s.services.billing.URL, Basket: s.services.basket.URL,
			Content: s.services.content.URL, Generation: s.services.generation.URL,
			Mail: s.services.mail.URL,
		},
	}
	for range replicas {
		s.gateways = append(s.gateways, s.replica(tb, change...))
	}
	return s
}

func (s *stack) replica(tb testing.TB, change ...options) *running {
	tb.Helper()
	listener, err := server.Listen(tb.Context(), "127.0.0.1:0")
	require.NoError(tb, err)
	cfg := s.cfg
	cfg.PublicURL = "http://" + listener.Addr().String()
	rdb := redis.NewClient(&redis.Options{
		Addr: s.redis.Addr(), MaxRetries: -1, DisableIdentity: true, DialTimeout: patience, ReadTimeout: patience, WriteTimeout: patience, PoolTimeout: patience,
	})
	tb.Cleanup(func() { _ = rdb.Close() })
	p := settings{parts: parts{redis: rdb, now: s.clock.Now}, tel: quiet(tb)}
	for _, c := range change {
		c(&cfg, &p)
	}
	require.NoError(tb, cfg.Validate())
	own, err := service.StartEdge(tb.Context(), Name, cfg.EdgeConfig, p.tel)
	require.NoError(tb, err)
	g, err := build(own, cfg, p.parts)
	require.NoError(tb, err)
	own.Public(g.public(listener))
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	public, err := cfg.publicURL()
	require.NoError(tb, err)
	r := &running{gateway: g, URL: "http://" + listener.Addr().String(), host: public.Host, stop: stop, done: make(chan error, 1)}
	go func() { r.done <- own.Run(ctx) }()
	internal, err := own.Addr(tb.Context())
	require.NoError(tb, err)
	r.internal = "http://" + internal
	tb.Cleanup(func() {
		stop()
		require.NoError(tb, <-r.done)
	})
	return r
}

func quiet(tb testing.TB) *telemetry.Telemetry {
	tb.Helper()
	tel, err := telemetry.SetupTo(tb.Context(), "test", io.Discard)
	require.NoError(tb, err)
	return tel
}

const indexHTML = `<!doctype html><html><head><script>document.documentElement.dataset.theme = 'dark'</script>
<style>body{margin:0}</style><script type="module" src="/assets/app-1a2b.js"></script></head>
<body><div id="root"></div><script type="application/json" id="boot">null</script></body></html>`

// The versions of the texts that content publishes at first, and what names both.
const (
	termsDate    = "2026-10-01"
	privacyDate  = "2026-11-21"
	termsVersion = "terms " + termsDate + ", privacy " + privacyDate
)

const pagesJSON = `{"pages":[
	{"path":"/","access":"everyone","title":"Home","html":"prerendered/home.html"},
	{"path":"/bespoke-meditation-generator/:id?","access":"everyone","title":"Generator"},
	{"path":"/journey","access":"member","title":"My Journey","html":"prerendered/journey.html",
		"variant":{"query":["tab","search"],"html":"index.html"},
		"answers":[{"rpc":"GetJourney","request":{}},{"rpc":"ListBespoke","request":{}}]},
	{"path":"/journey/:id","access":"member","title":"Listen"},
	{"path":"/members","access":"member","title":"Members Area"},
	{"path":"/library","access":"subscriber","entitlement":"library","title":"Library","html":"prerendered/library.html",
		"template":{"rpc":"ListMeditations","request":{"sound":"SOUND_IMMERSIVE","pageSize":"11"},"query":["kind"]}},
	{"path":"/admin","access":"admin","title":"Admin"},
	{"path":"/shared/:token","access":"everyone","title":"Shared","secret":true},
	{"path":"/about","access":"everyone","title":"About"},
	{"path":"/debug-sign-in","access":"everyone","title":"Debug","debug":true},
	{"path":"/signup","access":"everyone","title":"Join"},
	{"path":"/articles/:slug","access":"everyone","title":"Article · Serein","html":"prerendered/article.html",
		"template":{"rpc":"GetArticle","request":{"slug":":slug"},"query":[]}},
	{"path":"/memberships","access":"everyone","title":"Memberships · Serein","html":"prerendered/memberships.html",
		"template":{"rpc":"GetMemberships","request":{},"query":[]}},
	{"path":"/apparel","access":"everyone","title":"Apparel · Serein","html":"prerendered/apparel.html",
		"template":{"rpc":"GetApparel","request":{},"query":[]}}
]}`

const homeHTML = `<!doctype html><html><head><script>document.documentElement.dataset.veil = 'on'</script></head>
<body><div id="root"><h1>Crafted Calm</h1></div><script type="application/json" id="boot">null</script></body></html>`

const journeyHTML = `<!doctype html><html><head><script>document.documentElement.dataset.theme = 'dark'</script>
<style>body{margin:0}</style></head>
<body><div id="root"><h1>My Journey</h1></div><script type="application/json" id="boot">null</script></body></html>`

const articleHTML = `<!doctype html><html><head><title>{{.Title}}</title><link rel="canonical" href="{{.Canonical}}">
<script type="application/ld+json">{{.Linked}}</script></head><body><script type="application/json" id="page">{{.Answer}}</script>
<script type="application/json" id="boot">null</script><div id="root">{{with .Page}}<h1>{{.Card.Title}}</h1>{{clean .OpeningHtml}}
{{if .Whole}}<div id="rest">{{clean .RestHtml}}</div>{{end}}{{end}}</div></body></html>`

const libraryHTML = `<!doctype html><html><head><title>{{.Title}}</title></head><body><script type="application/json" id="page">{{.Answer}}</script>
<script type="application/json" id="boot">null</script><div id="root">{{with .Page}}{{.Immersive}} immersive{{range slice .Meditations 0 1}}
<h2>{{.Title}}</h2>{{end}}{{end}}</div></body></html>`

// filledHTML is a page around that template.
func filledHTML(page string) string {
	return `<!doctype html><html><head><title>{{.Title}}</title><meta name="description" content="{{.Description}}"></head><body>
<script type="application/json" id="page">{{.Answer}}</script><script type="application/json" id="boot">null</script><div id="root">{{with .Page}}` + page + `{{end}}</div></body></html>`
}

// app is a small built app.
func app(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	for name, body := range map[string]string{
		"index.html": indexHTML, "pages.json": pagesJSON, "prerendered/home.html": homeHTML, "prerendered/article.html": articleHTML, "prerendered/library.html": libraryHTML, "prerendered/journey.html": journeyHTML,
		"prerendered/memberships.html": filledHTML(`<h1>{{.Title}}</h1>{{range .Plans}}<h2>{{.Name}}</h2>{{with .Monthly}}<b>{{.Price.Amount}} {{.Action}}</b>{{end}}{{end}}`),
		"prerendered/apparel.html":     filledHTML(`<h1>{{.Title}}</h1>{{range .Products}}<h2>{{.Name}}</h2>{{end}}`),
		"assets/app-1a2b.js":           "export {}; // the app", "assets/app-1a2b.js.br": "br bytes",
		"assets/app-1a2b.js.gz": "gz bytes", "icon.svg": "<svg/>", ".vite/manifest.json": "{}",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(tb, os.WriteFile(path, []byte(body), 0o600))
	}
	return dir
}

// browser is a person's browser: a cookie jar, and no redirects unless asked.
type browser struct {
	*http.Client
	base string
	// host is what it asks the gateway for: that of the public address.
	host string
}

// secureJar lets Secure cookies live on plain loopback, as browsers do.
type secureJar struct{ http.CookieJar }

func secure(u *url.URL) *url.URL {
	s := *u
	s.Scheme = "https"
	return &s
}

func (j secureJar) SetCookies(u *url.URL, c []*http.Cookie) { j.CookieJar.SetCookies(secure(u), c) }
func (j secureJar) Cookies(u *url.URL) []*http.Cookie       { return j.CookieJar.Cookies(secure(u)) }

func (r *running) browser(tb testing.TB) *browser {
	tb.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(tb, err)
	transport := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	tb.Cleanup(transport.CloseIdleConnections)
	return &browser{base: r.URL, host: r.host, Client: &http.Client{
		Jar: secureJar{jar}, Transport: transport, Timeout: patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

type answer struct {
	*http.Response
	body string
}

func (b *browser) send(tb testing.TB, method, target string, body io.Reader, headers ...string) answer {
	tb.Helper()
	res, err := b.try(tb.Context(), method, target, body, headers...)
	require.NoError(tb, err)
	return res
}

// longestPause is how long the gateway leaves anything alone that did not answer, by the clock of the test.
const longestPause = 5 * time.Second

// try is send for any goroutine.
func (b *browser) try(ctx context.Context, method, target string, body io.Reader, headers ...string) (answer, error) {
	if strings.HasPrefix(target, "/") {
		target = b.base + target
	}
	req, err := http.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		return answer{}, err
	}
	if strings.HasPrefix(target, b.base) {
		req.Host = b.host
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := b.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = res.Body.Close() }()
	read, err := io.ReadAll(res.Body)
	return answer{res, string(read)}, err
}

func (b *browser) get(tb testing.TB, target string, headers ...string) answer {
	tb.Helper()
	return b.send(tb, http.MethodGet, target, nil, headers...)
}

// call makes an RPC as the app does.
func (b *browser) call(tb testing.TB, procedure, body string) answer {
	tb.Helper()
	res, err := b.tryCall(tb.Context(), procedure, body)
	require.NoError(tb, err)
	return res
}

// tryCall is call for any goroutine.
func (b *browser) tryCall(ctx context.Context, procedure, body string) (answer, error) {
	return b.try(ctx, http.MethodPost, procedure, bytes.NewBufferString(body), "Content-Type", "application/json", "X-Serein", "1")
}

// signIn goes through the whole flow and gives the last answer of the gateway.
func (b *browser) signIn(tb testing.TB, query string) answer {
	tb.Helper()
	begun := b.get(tb, "/auth/sign-in"+query)
	require.Equal(tb, http.StatusSeeOther, begun.StatusCode, begun.body)
	back := b.get(tb, begun.Header.Get("Location"))
	require.Equal(tb, http.StatusSeeOther, back.StatusCode, back.body)
	return b.get(tb, back.Header.Get("Location"))
}

// cookie is the value of a cookie in the jar.
func (b *browser) cookie(name string) string {
	u, _ := url.Parse(b.base)
	for _, c := range b.Jar.Cookies(u) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// sessions is how many sessions there are in Redis.
func (s *stack) sessions() int {
	n := 0
	for _, key := range s.redis.Keys() {
		if strings.HasPrefix(key, "serein:session:") {
			n++
		}
	}
	return n
}

// reason is the reason in a refusal of an RPC.
func (a answer) reason(tb testing.TB) string {
	tb.Helper()
	var refusal struct {
		Details []struct {
			Value string `json:"value"`
		} `json:"details"`
	}
	require.NoError(tb, json.Unmarshal([]byte(a.body), &refusal), a.body)
	require.Len(tb, refusal.Details, 1, a.body)
	raw, err := base64.RawStdEncoding.DecodeString(refusal.Details[0].Value)
	require.NoError(tb, err)
	var info errdetails.ErrorInfo
	require.NoError(tb, proto.Unmarshal(raw, &info))
	return info.GetReason()
}
