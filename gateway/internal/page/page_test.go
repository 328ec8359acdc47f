package page

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const inlineScript = "\n  /* the theme */\n  let x = '<b>';\n"

const index = `<!doctype html><html><head><meta charset="utf-8"><script>` + inlineScript + `</script>
<script type="module" src="/assets/app-1.js"></script><style>body{margin:0}</style>
<script type="application/ld+json">{"@type":"WebSite"}</script></head>
<body><noscript><p>no scripts</p></noscript><script id="boot" type="application/json">
  null
</script></body></html>`

func build(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(body), 0o600))
	}
	return dir
}

func load(t *testing.T, boot string) *Site {
	t.Helper()
	site, err := Load(build(t, map[string]string{
		"index.html": index, "assets/app-1.js": "plain", "assets/app-1.js.br": "brotli", "assets/app-1.js.gz": "gzip",
		"icon.svg": "<svg/>", "orphan.txt.br": "an archive", ".vite/manifest.json": "{}", ".env": "SECRET=1",
	}), func(context.Context, http.Header) []byte { return []byte(boot) })
	require.NoError(t, err)
	return site
}

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

func TestAMissingBuildIsSaidClearlyAtStart(t *testing.T) {
	t.Parallel()
	_, err := Load(filepath.Join(t.TempDir(), "dist"), nil)
	require.ErrorContains(t, err, "the built app is not there")
	_, err = Load(build(t, map[string]string{"x.js": "x"}), nil)
	require.ErrorContains(t, err, "there is no index.html")
	_, err = Load(build(t, map[string]string{"index.html": "<html></html>"}), nil)
	require.ErrorContains(t, err, `id="boot"`)
}

func TestBootDataStandsInEveryPage(t *testing.T) {
	t.Parallel()
	site := load(t, `{"serverTime":"2026-11-21T00:00:00Z"}`)
	for _, path := range []string{"/", "/journey", "/journey/x", "/articles/a", "/bespoke-meditation-generator/1", "/members"} {
		w := get(t, site, http.MethodGet, path)
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Contains(t, w.Body.String(), `<script id="boot" type="application/json">{"serverTime":"2026-11-21T00:00:00Z"}</script>`)
		require.Contains(t, w.Body.String(), "no scripts")
	}
}

func TestUnknownPathsAreNotFoundAndStillAPage(t *testing.T) {
	t.Parallel()
	site := load(t, "null")
	for _, path := range []string{"/nowhere", "/journey/", "/index.html", "/admin/x", "/.vite/manifest.json", "/.env", "/assets/", "/assets/none.js"} {
		w := get(t, site, http.MethodGet, path, "Accept", "text/html,*/*")
		require.Equal(t, http.StatusNotFound, w.Code, path)
		require.Contains(t, w.Body.String(), `id="boot"`, path)
		w = get(t, site, http.MethodGet, path)
		require.Equal(t, http.StatusNotFound, w.Code, path)
		require.NotContains(t, w.Body.String(), "<", path)
	}
	require.Equal(t, http.StatusNotFound, get(t, site, http.MethodPost, "/").Code)
	require.Equal(t, http.StatusNotFound, get(t, site, http.MethodDelete, "/icon.svg").Code)
	head := get(t, site, http.MethodHead, "/")
	require.Equal(t, http.StatusOK, head.Code)
	require.Empty(t, head.Body.String())
}

func TestThePolicyAllowsExactlyTheBuildsInlineParts(t *testing.T) {
	t.Parallel()
	policy := get(t, load(t, "null"), http.MethodGet, "/").Header().Get("Content-Security-Policy")
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

func TestASymlinkOutOfTheBuildIsRefused(t *testing.T) {
	t.Parallel()
	dir := build(t, map[string]string{"index.html": index})
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "leak.txt")))
	_, err := Load(dir, nil)
	require.Error(t, err)
}

var bootBlock = regexp.MustCompile(`(?s)<script id="boot" type="application/json">(.*?)</script>`)

func TestBootDataNeverLeavesItsBlock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"</script><script>alert(1)</script>", "<!--<script>", "]]>", "\u2028\u2029", "&lt;", "</SCRIPT >", "<\\/script>",
		})).Draw(rt, "name")
		name = strings.ToValidUTF8(name, "")
		var encoded strings.Builder
		encoder := json.NewEncoder(&encoded)
		encoder.SetEscapeHTML(false) // as protojson writes it
		require.NoError(rt, encoder.Encode(map[string]string{"givenName": name}))
		site := &Site{before: []byte(`<script id="boot" type="application/json">`), after: []byte("</script>"), boot: func(context.Context, http.Header) []byte {
			return []byte(encoded.String())
		}}
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		block := bootBlock.FindStringSubmatch(w.Body.String())
		require.NotContains(rt, block[1], "<")
		var back map[string]string
		require.NoError(rt, json.Unmarshal([]byte(block[1]), &back))
		require.Equal(rt, name, back["givenName"])
	})
}
