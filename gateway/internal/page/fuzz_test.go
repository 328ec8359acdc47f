package page

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// refused is an element of Accept-Encoding that refuses its coding (RFC 9110, 12.4.2: "q=" in any case, spaces
// and tabs around the semicolon).
var refused = regexp.MustCompile(`^[ \t]*([!#$%&'*+.^_|~0-9A-Za-z-]+)[ \t]*;[ \t]*[qQ]=0(\.0{0,3})?[ \t]*$`)

// FuzzABrowserGetsOnlyACodingThatItNames: whatever stands in Accept-Encoding and Range, the answer is the file
// or its sibling, in a coding that was named and not refused, and is not failed.
func FuzzABrowserGetsOnlyACodingThatItNames(f *testing.F) {
	bodies := map[string]string{"": "plain text", "br": "brotli", "gzip": "gzip text"}
	asset := &file{kind: "text/plain", plain: newVariant("", []byte(bodies[""]))}
	for _, e := range encodings {
		asset.encoded = append(asset.encoded, newVariant(e.name, []byte(bodies[e.name])))
	}
	for _, accept := range []string{
		"", "br", "gzip, br", "br;q=0, gzip", "br;Q=0", "br ;\tq=0.000", "BR;q=0.001", "br;q=NaN", "br;q=Inf", "br;q=-0", "br;q=0x1", "br;q=", "br;x=1;q=0", "*", "*;q=0",
		"identity;q=0", "br,br;q=0", ",,;", "br\x00", "gzip;q=1e-400", strings.Repeat("gzip;q=0,", 100) + "br",
	} {
		f.Add(accept, "", "")
		f.Add(accept, "bytes=0-0,2-", asset.plain.etag)
		f.Add(accept, "bytes=-9999999999999999999", "*")
	}
	f.Fuzz(func(t *testing.T, accept, ranges, match string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header = http.Header{"Accept-Encoding": {accept}, "Range": {ranges}, "If-None-Match": {match}}
		w := httptest.NewRecorder()
		asset.serve(w, r)
		require.Contains(t, []int{http.StatusOK, http.StatusPartialContent, http.StatusNotModified, http.StatusRequestedRangeNotSatisfiable}, w.Code)
		coding := w.Header().Get("Content-Encoding")
		body, known := bodies[coding]
		require.True(t, known, coding)
		if w.Code == http.StatusOK {
			require.Equal(t, body, w.Body.String())
		}
		if coding != "" {
			require.Contains(t, strings.ToLower(accept), coding)
			for part := range strings.SplitSeq(accept, ",") {
				if found := refused.FindStringSubmatch(part); found != nil && strings.EqualFold(found[1], coding) {
					require.Greater(t, strings.Count(strings.ToLower(accept), coding), 1, "%q refuses it", accept)
				}
			}
		}
	})
}

// FuzzAnAddressIsAPageAFileOrNothing: whatever path and query are asked for, the answer is a page, a file, a
// redirect within the site, or 404; the build's own notes are never served.
func FuzzAnAddressIsAPageAFileOrNothing(f *testing.F) {
	site := loadWith(f, &app{boot: `{"a":"</script>"}`, refused: []Access{"admin"}, nothing: "nothing"})
	for _, path := range []string{
		"/", "//", "//evil.example/", "/journey/", "/journey//", "/journey/nothing", "/journey/%2e%2e", "/\\evil.example/", "/admin", "/admin/", "/.env", "/.vite/manifest.json",
		"/pages.json", "/index.html", "/assets/../.env", "/assets/app-1.js", "/assets/app-1.js.br", "/articles/\x00", "/\xff", "", "journey", "/journey/\r\nX: y",
	} {
		f.Add(path, "", true)
		f.Add(path, "return_to=//evil.example", false)
	}
	f.Fuzz(func(t *testing.T, path, query string, html bool) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.URL = &url.URL{Path: path, RawQuery: query}
		if html {
			r.Header.Set("Accept", "text/html")
		}
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		require.Contains(t, []int{http.StatusOK, http.StatusMovedPermanently, http.StatusFound, http.StatusNotFound}, w.Code, path)
		require.NotContains(t, w.Body.String(), "SECRET")
		require.NotContains(t, w.Body.String(), `"access"`)
		if location := w.Header().Get("Location"); location != "" {
			require.Regexp(t, `^/([^/\\]|$)`, location, "within the site")
		}
	})
}
