package inbox

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMailsAreShownToThisMachineAlone(t *testing.T) {
	t.Parallel()
	box, err := Open(t.TempDir())
	require.NoError(t, err)
	for host, status := range map[string]int{
		"localhost:8025": http.StatusOK, "localhost": http.StatusOK, "127.0.0.1:8025": http.StatusOK, "[::1]:8025": http.StatusOK,
		"evil.example": http.StatusMisdirectedRequest, "evil.example:8025": http.StatusMisdirectedRequest, "localhost.evil.example": http.StatusMisdirectedRequest,
		"192.168.1.7:8025": http.StatusMisdirectedRequest, "": http.StatusMisdirectedRequest, "127.0.0.1.evil.example": http.StatusMisdirectedRequest,
	} {
		for _, path := range []string{"/", "/api/messages", "/page.css", "/letters", "/letters/welcome", "/letters/welcome/body"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = host
			w := httptest.NewRecorder()
			Handler(box, samples).ServeHTTP(w, r)
			require.Equal(t, status, w.Code, "%s of %q", path, host)
		}
	}
}

func samples(context.Context) ([]Letter, error) {
	return []Letter{{
		Name: "welcome", To: "ada@example.com", Subject: "Welcome <b>", Text: "Hello <i>",
		HTML: `<meta name="color-scheme" content="light dark"><style>:root { color-scheme: light dark; } @media (prefers-color-scheme: dark) {}</style>`,
	}}, nil
}

func get(t *testing.T, letters Letters, path string) *httptest.ResponseRecorder {
	t.Helper()
	box, err := Open(t.TempDir())
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "localhost"
	w := httptest.NewRecorder()
	Handler(box, letters).ServeHTTP(w, r)
	return w
}

func TestEveryLetterIsShownInLightAndDarkColoursAndAsText(t *testing.T) {
	t.Parallel()
	require.Contains(t, get(t, samples, "/").Body.String(), `href="/letters"`)
	require.Contains(t, get(t, samples, "/letters").Body.String(), `href="/letters/welcome"`)
	page := get(t, samples, "/letters/welcome").Body.String()
	for _, part := range []string{"Welcome &lt;b&gt;", "Hello &lt;i&gt;", "/letters/welcome/body?scheme=light", "/letters/welcome/body?scheme=dark"} {
		require.Contains(t, page, part)
	}
	for scheme, want := range map[string]string{
		"light": `<meta name="color-scheme" content="light"><style>:root { color-scheme: light; } @media not all {}</style>`,
		"dark":  `<meta name="color-scheme" content="dark"><style>:root { color-scheme: dark; } @media all {}</style>`,
	} {
		body := get(t, samples, "/letters/welcome/body?scheme="+scheme)
		require.Equal(t, want, body.Body.String())
		require.Contains(t, body.Header().Get("Content-Security-Policy"), "default-src 'none'")
	}
	require.Equal(t, http.StatusNotFound, get(t, samples, "/letters/nothing").Code)
	require.Equal(t, http.StatusBadGateway, get(t, func(context.Context) ([]Letter, error) { return nil, errors.New("away") }, "/letters").Code)
}

func TestFromALetterToTheOnesBeforeAndAfterIt(t *testing.T) {
	t.Parallel()
	three := func(context.Context) ([]Letter, error) {
		return []Letter{{Name: "one"}, {Name: "two"}, {Name: "three"}}, nil
	}
	for name, neighbours := range map[string][2]string{"one": {"", "two"}, "two": {"one", "three"}, "three": {"two", ""}} {
		page := get(t, three, "/letters/"+name).Body.String()
		for i, rel := range []string{"prev", "next"} {
			link := `<a rel="` + rel + `" href="/letters/` + neighbours[i] + `">`
			require.Equal(t, neighbours[i] != "", strings.Contains(page, link), "%s of %s", rel, name)
			require.Equal(t, neighbours[i] != "", strings.Contains(page, `rel="`+rel+`"`))
		}
	}
}
