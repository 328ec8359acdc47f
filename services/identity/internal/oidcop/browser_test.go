package oidcop

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func request(t *testing.T, cookies ...*http.Cookie) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	return r
}

func TestABrowserKeepsItsSecretAndIsGivenOneOfOurs(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	secret := browser(w, request(t))
	require.GreaterOrEqual(t, len(secret), 26, "128 bits at least")
	cookie := w.Result().Cookies()[0]
	require.Equal(t, "__Host-serein-flow", cookie.Name)
	require.True(t, cookie.Secure)
	require.True(t, cookie.HttpOnly)
	require.Equal(t, "/", cookie.Path)
	require.Empty(t, cookie.Domain)

	again := httptest.NewRecorder()
	require.Equal(t, secret, browser(again, request(t, cookie)))
	require.Empty(t, again.Result().Cookies())
	for _, odd := range []string{"", "short", strings.Repeat("x", 65)} {
		w := httptest.NewRecorder()
		require.NotEqual(t, odd, browser(w, request(t, &http.Cookie{Name: cookieBrowser, Value: odd})), "one that cannot be ours is replaced")
	}
}

func TestARequestIsItsOwnBrowsers(t *testing.T) {
	t.Parallel()
	mine, other := strings.Repeat("a", 26), strings.Repeat("b", 26)
	r := &Request{Browser: hash(mine)}
	_, ok := began(request(t, &http.Cookie{Name: cookieBrowser, Value: mine}), r)
	require.True(t, ok)
	_, ok = began(request(t, &http.Cookie{Name: cookieBrowser, Value: other}), r)
	require.False(t, ok)
	_, ok = began(request(t), r)
	require.False(t, ok)
}

func TestAFormsTokenIsItsBrowsersAndItsPurposesAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		secret, other := rapid.StringN(26, 64, -1).Draw(r, "secret"), rapid.StringN(26, 64, -1).Draw(r, "another")
		purpose, elsewhere := rapid.String().Draw(r, "purpose"), rapid.String().Draw(r, "another purpose")
		token := formToken(secret, purpose)
		given := &http.Request{PostForm: url.Values{"token": {token}}}
		if !formTokenMatches(given, secret, purpose) {
			r.Fatal("its own")
		}
		if secret != other && formTokenMatches(given, other, purpose) {
			r.Fatal("another browser's")
		}
		if purpose != elsewhere && formTokenMatches(given, secret, elsewhere) {
			r.Fatal("another purpose's")
		}
		if strings.Contains(token, secret) {
			r.Fatal("the secret shows")
		}
	})
	require.False(t, formTokenMatches(&http.Request{PostForm: url.Values{}}, "secret", "purpose"))
}

func TestTheTwoFormsOfASignInAreNotInterchangeable(t *testing.T) {
	t.Parallel()
	r := &Request{ID: [16]byte{1}}
	require.NotEqual(t, formToken("secret", r.ID.String()), formToken("secret", confirmPurpose(r)))
}

func TestFormsThatAProgramCouldReadTwoWaysAreRefused(t *testing.T) {
	t.Parallel()
	post := func(body string) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, pathToken, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return r
	}
	for name, good := range map[string]*http.Request{"a form": post("a=1&b=2"), "nothing": post("")} {
		require.NoError(t, parseForm(good), name)
	}
	for name, bad := range map[string]*http.Request{
		"a parameter twice":     post("a=1&a=2"),
		"one in query and body": func() *http.Request { r := post("a=1"); r.URL.RawQuery = "a=2"; return r }(),
		"a broken escape":       post("a=%zz"),
	} {
		require.Error(t, parseForm(bad), name)
	}
}
