package page

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric/noop"
	"pgregory.net/rapid"
)

const testOrigin = "https://serein.test"

const inlineScript = "\n  /* the theme */\n  let x = '<b>';\n"

const index = `<!doctype html><html><head><meta charset="utf-8"><script>` + inlineScript + `</script>
<script type="module" src="/assets/app-1.js"></script><style>body{margin:0}</style>
<script type="application/ld+json">{"@type":"WebSite"}</script></head>
<body><noscript><p>no scripts</p></noscript><script id="boot" type="application/json">
  null
</script></body></html>`

const pages = `{"pages":[
	{"path":"/","access":"everyone","html":"prerendered/home.html"},{"path":"/bespoke-meditation-generator/:id?","access":"everyone"},
	{"path":"/journey","access":"member"},{"path":"/journey/:id","access":"member"},{"path":"/members","access":"member"},
	{"path":"/library","access":"subscriber","entitlement":"library"},{"path":"/admin","access":"admin"},
	{"path":"/articles/:slug","access":"everyone"}
],"notFound":"prerendered/not-found.html"}`

const homeScript = "start()"

const home = `<!doctype html><html><head><script>` + homeScript + `</script></head><body><link rel="canonical" href="%ORIGIN%/"><h1>Crafted Calm</h1>
<script id="boot" type="application/json">null</script></body></html>`

const nowhere = `<!doctype html><html><head></head><body><script id="boot" type="application/json">null</script><h1>Page Not Found</h1></body></html>`

func build(tb testing.TB, files map[string]string) string {
	tb.Helper()
	dir := tb.TempDir()
	for name, body := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(tb, os.WriteFile(path, []byte(body), 0o600))
	}
	return dir
}

func load(t *testing.T, boot string) *Site {
	t.Helper()
	return loadWith(t, &app{boot: boot})
}

func loadWith(tb testing.TB, who App) *Site {
	tb.Helper()
	built, err := Read(build(tb, map[string]string{
		"index.html": index, "pages.json": pages, "prerendered/home.html": home, "prerendered/not-found.html": nowhere, "assets/app-1.js": "plain", "assets/app-1.js.br": "brotli", "assets/app-1.js.gz": "gzip",
		"icon.svg": "<svg/>", "service-worker.js": "worker", "offline.html": index, "manifest.webmanifest": "{}", "orphan.txt.br": "an archive", ".vite/manifest.json": "{}", ".env": "SECRET=1",
	}), testOrigin, nil, false)
	require.NoError(tb, err)
	return newSite(tb, built, who, time.Now)
}

func newSite(tb require.TestingT, b *Build, who App, now func() time.Time) *Site {
	site, err := NewSite(b, who, noop.NewMeterProvider().Meter("page"), slog.New(slog.DiscardHandler), now)
	require.NoError(tb, err)
	return site
}

// app is the Caller of these tests.
type app struct {
	boot    string
	refused []Access
	unknown bool   // nobody can say who may open what
	nothing string // the id that names nothing
	asked   []string
	// answer is what pages show everybody, own what they show who has a cookie; nil: nothing.
	answer, own func(Question) (*Answer, error)
}

func (a *app) Caller(_ context.Context, header http.Header) Caller {
	return &caller{app: a, header: header}
}

type caller struct {
	*app
	header http.Header
}

func (c *caller) Boot(context.Context) []byte { return []byte(c.boot) }

func (c *caller) MayOpen(_ context.Context, access Access, entitlement string) Admission {
	c.asked = append(c.asked, entitlement)
	switch {
	case c.unknown:
		return Unknown
	case slices.Contains(c.refused, access):
		return Refused
	default:
		return Admitted
	}
}

func (c *caller) Answer(_ context.Context, q Question) (*Answer, error) { return c.answer(q) }

func (c *caller) Own(_ context.Context, q Question) (*Answer, error) {
	if c.own == nil || c.header.Get("Cookie") == "" {
		return nil, nil
	}
	return c.own(q)
}

func (c *caller) Leads(_ context.Context, token string) bool { return token != c.nothing }

func (c *caller) Exists(_ context.Context, id string) bool { return id != c.nothing }

func get(t *testing.T, site http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

func TestAWrittenPageNamesItsAddressWithTheProductsOrigin(t *testing.T) {
	t.Parallel()
	require.Contains(t, get(t, load(t, "null"), http.MethodGet, "/").Body.String(), `<link rel="canonical" href="https://serein.test/">`)
}

func TestAMissingBuildIsSaidClearlyAtStart(t *testing.T) {
	t.Parallel()
	_, err := Read(filepath.Join(t.TempDir(), "dist"), testOrigin, nil, false)
	require.ErrorContains(t, err, "the built app is not there")
	for want, files := range map[string]map[string]string{
		"there is no pages.json":            {"index.html": index},
		"there is no index.html":            {"pages.json": pages},
		"there is no prerendered/home.html": {"pages.json": pages, "index.html": index},
		`id="boot"`:                         {"pages.json": pages, "index.html": "<html></html>"},
		"invalid character":                 {"pages.json": "<html>", "index.html": index},
	} {
		_, err := Read(build(t, files), testOrigin, nil, false)
		require.ErrorContains(t, err, want)
	}
}

func TestAListOfPagesThatCannotBeMeantIsRefused(t *testing.T) {
	t.Parallel()
	for want, list := range map[string]string{
		"unknown access":        `{"path":"/x","access":"friends"}`,
		`unknown access ""`:     `{"path":"/x"}`,
		"/x: a page for subscr": `{"path":"/x","access":"subscriber"}`,
		"/y: a page for subscr": `{"path":"/y","access":"member","entitlement":"library"}`,
		"is not a path":         `{"path":"x","access":"member"}`,
		`"/x/*" is not a`:       `{"path":"/x/*","access":"member"}`,
		`"/x/:a?/y" is not a`:   `{"path":"/x/:a?/y","access":"member"}`,
		`"/x/:" is not a`:       `{"path":"/x/:","access":"member"}`,
		`"/x//y" is not a`:      `{"path":"/x//y","access":"member"}`,
		"not a page for everyo": `{"path":"/","access":"member"}`,
	} {
		_, err := parseManifest([]byte(`{"pages":[`+list+`,{"path":"/home","access":"everyone"}]}`), false)
		require.ErrorContains(t, err, want)
	}
}

const someID = "0192f0c1-0000-7000-8000-00000000000a"

func TestBootDataStandsInEveryPage(t *testing.T) {
	t.Parallel()
	site := load(t, `{"serverTime":"2026-11-21T00:00:00Z"}`)
	for path, shows := range map[string]string{
		"/": "Crafted Calm", "/journey": "no scripts", "/journey/" + someID: "no scripts", "/members": "no scripts",
		"/bespoke-meditation-generator": "no scripts", "/bespoke-meditation-generator/" + someID: "no scripts", "/articles/on-rest": "no scripts",
	} {
		w := get(t, site, http.MethodGet, path)
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Contains(t, w.Body.String(), `type="application/json">{"serverTime":"2026-11-21T00:00:00Z"}</script>`)
		require.Contains(t, w.Body.String(), shows, path)
	}
}

func TestUnknownPathsAreNotFoundAndStillAPage(t *testing.T) {
	t.Parallel()
	site := load(t, "null")
	for _, path := range []string{
		"/nowhere", "/journey//", "/journey/x", "/journey/" + someID + "/x", "/journey/" + strings.ToUpper(someID), "/index.html", "/pages.json",
		"/prerendered/home.html", "/admin/x", "/articles", "/articles/", "/.vite/manifest.json", "/.env", "/assets/", "/assets/none.js",
		"/bespoke-meditation-generator//", "/bespoke-meditation-generator/..", "//", "/:id", "/journey/:id",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := get(t, site, method, path, "Accept", "text/html,*/*")
			require.Equal(t, http.StatusNotFound, w.Code, path)
			require.Equal(t, method == http.MethodGet, strings.Contains(w.Body.String(), `id="boot"`), path)
		}
		require.False(t, site.IsPage(path), path)
		w := get(t, site, http.MethodGet, path)
		require.Equal(t, http.StatusNotFound, w.Code, path)
		require.NotContains(t, w.Body.String(), "<", path)
	}
	require.Equal(t, http.StatusNotFound, get(t, site, http.MethodPost, "/").Code)
	require.Equal(t, http.StatusNotFound, get(t, site, http.MethodDelete, "/icon.svg").Code)
	head := get(t, site, http.MethodHead, "/")
	require.Equal(t, http.StatusOK, head.Code)
	require.Empty(t, head.Body.String())
}

func TestProtectedPagesLeadHomeWithoutAScript(t *testing.T) {
	t.Parallel()
	for path, access := range map[string]Access{"/journey": Member, "/journey/" + someID: Member, "/library": Subscriber, "/admin": Admin} {
		site := loadWith(t, &app{boot: "null", refused: []Access{access}})
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := get(t, site, method, path)
			require.Equal(t, http.StatusFound, w.Code, path)
			require.Equal(t, "/?return_to="+url.QueryEscape(path), w.Header().Get("Location"), "home, which remembers what was asked for")
			require.NotContains(t, w.Body.String(), "boot")
		}
		require.True(t, site.IsPage(path), "and still a place to return to")
		require.Equal(t, http.StatusOK, get(t, load(t, "null"), http.MethodGet, path).Code)
	}
	who := &app{boot: "null", refused: []Access{Everyone, Member}}
	site := loadWith(t, who)
	require.Equal(t, http.StatusOK, get(t, site, http.MethodGet, "/").Code, "nobody is asked about an open page")
	require.Empty(t, who.asked)
	require.Equal(t, http.StatusOK, get(t, site, http.MethodGet, "/library").Code)
	require.Equal(t, []string{"library"}, who.asked, "the page names what a subscriber needs")
}

func TestAnIDThatNamesNothingIsNotFound(t *testing.T) {
	t.Parallel()
	site := loadWith(t, &app{boot: "null", nothing: someID})
	other := strings.Replace(someID, "0a", "0b", 1)
	for _, parent := range []string{"/journey/", "/bespoke-meditation-generator/"} {
		require.Equal(t, http.StatusNotFound, get(t, site, http.MethodGet, parent+someID).Code)
		require.Equal(t, http.StatusOK, get(t, site, http.MethodGet, parent+other).Code)
	}
}

func TestThePolicyAllowsExactlyTheBuildsInlineParts(t *testing.T) {
	t.Parallel()
	policy := get(t, load(t, "null"), http.MethodGet, "/journey").Header().Get("Content-Security-Policy")
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	require.Contains(t, policy, "script-src 'self' "+hash(inlineScript)+";")
	require.Contains(t, policy, "style-src 'self' "+hash("body{margin:0}")+";")
	require.NotContains(t, policy, "unsafe")
	require.Contains(t, policy, "default-src 'none'")
	require.Contains(t, policy, "frame-ancestors 'none'")
	require.Contains(t, policy, "base-uri 'none'")

	prerendered := get(t, load(t, "null"), http.MethodGet, "/").Header().Get("Content-Security-Policy")
	require.Contains(t, prerendered, "script-src 'self' "+hash(homeScript)+";", "each document has its own")
	require.Contains(t, prerendered, "style-src 'self';")
}

func TestTheBestPrecompressedFileIsSent(t *testing.T) {
	t.Parallel()
	site := load(t, "null")
	for accept, want := range map[string]string{
		"": "plain", "br": "brotli", "gzip, br": "brotli", "gzip, deflate, br, zstd": "brotli", "gzip": "gzip", "GZIP": "gzip",
		"br;q=0, gzip": "gzip", "br;q=0.0": "plain", "br; q=0.5": "brotli", "identity": "plain", "brotli": "plain", "*": "plain", "br;q=x": "plain",
	} {
		w := get(t, site, http.MethodGet, "/assets/app-1.js", "Accept-Encoding", accept)
		require.Equal(t, want, w.Body.String(), accept)
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"))
		require.Equal(t, "text/javascript; charset=utf-8", w.Header().Get("Content-Type"))
		require.Equal(t, "public, max-age=31536000, immutable", w.Header().Get("Cache-Control"))
		encoding := map[string]string{"brotli": "br", "gzip": "gzip"}[want]
		require.Equal(t, encoding, w.Header().Get("Content-Encoding"), accept)

		again := get(t, site, http.MethodGet, "/assets/app-1.js", "Accept-Encoding", accept, "If-None-Match", w.Header().Get("ETag"))
		require.Equal(t, http.StatusNotModified, again.Code)
		require.Empty(t, again.Body.String())
	}
	require.Equal(t, "public, no-cache", get(t, site, http.MethodGet, "/icon.svg").Header().Get("Cache-Control"))
	require.Equal(t, "an archive", get(t, site, http.MethodGet, "/orphan.txt.br").Body.String(), "no sibling of anything")
	part := get(t, site, http.MethodGet, "/assets/app-1.js", "Range", "bytes=1-2")
	require.Equal(t, http.StatusPartialContent, part.Code)
	require.Equal(t, "la", part.Body.String())
}

func TestTheWorkerAndWhatOpensWithoutAConnectionAreAskedForAgainEachTimeAndBoundByThePolicyOfPages(t *testing.T) {
	t.Parallel()
	site := load(t, "null")
	policy, err := contentPolicy([]byte(index))
	require.NoError(t, err)
	for _, part := range []string{"worker-src 'self'", "manifest-src 'self'", "connect-src 'self'"} {
		require.Contains(t, policy, part)
	}
	for path, kind := range map[string]string{
		"/service-worker.js": "text/javascript; charset=utf-8", "/offline.html": "text/html; charset=utf-8", "/manifest.webmanifest": "application/manifest+json",
	} {
		w := get(t, site, http.MethodGet, path)
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Equal(t, kind, w.Header().Get("Content-Type"))
		require.Equal(t, "public, no-cache", w.Header().Get("Cache-Control"), path)
		require.Equal(t, policy, w.Header().Get("Content-Security-Policy"), path)
	}
}

func TestASymlinkOutOfTheBuildIsRefused(t *testing.T) {
	t.Parallel()
	dir := build(t, map[string]string{"index.html": index, "pages.json": pages, "prerendered/home.html": home})
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "leak.txt")))
	_, err := Read(dir, testOrigin, nil, false)
	require.Error(t, err)
}

var bootBlock = regexp.MustCompile(`(?s)<script id="boot" type="application/json">(.*?)</script>`)

// withBoot is the same build with other boot data.
func (s *Site) withBoot(tb require.TestingT, boot string) *Site {
	return newSite(tb, s.Build, &app{boot: boot}, time.Now)
}

func TestBootDataNeverLeavesItsBlock(t *testing.T) {
	t.Parallel()
	loaded := load(t, "null")
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"</script><script>alert(1)</script>", "<!--<script>", "]]>", "\u2028\u2029", "&lt;", "</SCRIPT >", "<\\/script>",
		})).Draw(rt, "name")
		name = strings.ToValidUTF8(name, "")
		var encoded strings.Builder
		encoder := json.NewEncoder(&encoded)
		encoder.SetEscapeHTML(false) // as protojson writes it
		require.NoError(rt, encoder.Encode(map[string]string{"givenName": name}))
		site := loaded.withBoot(t, encoded.String())
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/journey", nil))
		block := bootBlock.FindStringSubmatch(w.Body.String())
		require.NotContains(rt, block[1], "<")
		var back map[string]string
		require.NoError(rt, json.Unmarshal([]byte(block[1]), &back))
		require.Equal(rt, name, back["givenName"])
	})
}

func TestWhatIsNowhereIsSaidInTheDocumentItself(t *testing.T) {
	t.Parallel()
	site := load(t, `{"member":null}`)
	for _, path := range []string{"/nowhere", "/journey/no-id"} {
		w := get(t, site, http.MethodGet, path, "Accept", "text/html")
		require.Equal(t, http.StatusNotFound, w.Code, path)
		require.Contains(t, w.Body.String(), "<h1>Page Not Found</h1>", path)
		require.Contains(t, w.Body.String(), `{"member":null}`, path)
	}
	require.Equal(t, http.StatusNotFound, get(t, site, http.MethodGet, "/prerendered/not-found.html").Code)
}

func TestAnAddressWithASlashTooManyLeadsToItsPage(t *testing.T) {
	t.Parallel()
	site := load(t, `null`)
	for path, to := range map[string]string{"/members/": "/members", "/articles/on-rest/?from=mail": "/articles/on-rest?from=mail"} {
		w := get(t, site, http.MethodGet, path)
		require.Equal(t, http.StatusMovedPermanently, w.Code, path)
		require.Equal(t, to, w.Header().Get("Location"), path)
	}
	for _, path := range []string{"/nowhere/", "/members//", "//members/", "//example.org/"} {
		require.Equal(t, http.StatusNotFound, get(t, site, http.MethodGet, path).Code, path)
	}
}

func TestAnAddressThatIsNotTextIsNoPages(t *testing.T) {
	t.Parallel()
	site := load(t, `null`)
	require.Equal(t, http.StatusOK, get(t, site, http.MethodGet, "/articles/on-rest").Code)
	for _, path := range []string{"/articles/%ff", "/articles/%c3%28", "/articles/on%00rest", "/articles/%1b", "/articles/%ff/"} {
		require.Equal(t, http.StatusNotFound, get(t, site, http.MethodGet, path).Code, path)
	}
}
