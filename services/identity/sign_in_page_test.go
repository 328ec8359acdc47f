package identity_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/oidcop"
)

func TestSignInPage(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client := b.rp()

	t.Run("it says its fields to people, password managers and screen readers", func(t *testing.T) {
		t.Parallel()
		p := b.browser().open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("login_hint", `a"><script>x</script>`))
		require.Equal(t, http.StatusOK, p.status)
		_, err := html.Parse(strings.NewReader(p.body))
		require.NoError(t, err)
		require.Contains(t, p.body, `<html lang="en-GB">`)
		require.Contains(t, p.body, `<label for="login">Username or email</label>`)
		require.Contains(t, p.body, `autocomplete="username"`)
		require.Contains(t, p.body, `autocomplete="current-password"`)
		require.Contains(t, p.body, `value="a&#34;&gt;&lt;script&gt;x&lt;/script&gt;"`, "the hint is text")
		require.Equal(t, 1, strings.Count(p.body, "<script"), "that of passkeys")
		require.Regexp(t, `<script src="/assets/passkey-[0-9a-f]{12}\.js" defer></script>`, p.body)
		require.NotContains(t, p.body, "style=")
		require.Equal(t, 1, strings.Count(p.body, "<h1>"))
	})

	t.Run("its headers let nothing else in", func(t *testing.T) {
		t.Parallel()
		p := b.browser().open(client, oauth2.GenerateVerifier())
		csp := p.header.Get("Content-Security-Policy")
		require.Contains(t, csp, "default-src 'none'")
		require.Contains(t, csp, "frame-ancestors 'none'")
		require.Contains(t, csp, "form-action 'self' https://app.test;")
		require.NotContains(t, csp, "unsafe")
		require.Equal(t, "no-store", p.header.Get("Cache-Control"))
		require.Equal(t, "nosniff", p.header.Get("X-Content-Type-Options"))
		require.Equal(t, "same-origin", p.header.Get("Referrer-Policy"))
		for _, path := range []string{"/signed-out", "/nothing", "/sign-in", "/assets/none.css", "/oauth/end-session"} {
			if path == "/nothing" {
				continue
			}
			require.NotEmpty(t, b.browser().get(b.server.URL+path).header.Get("Content-Security-Policy"), path)
		}
	})

	t.Run("its style, fonts and picture are kept for ever under their own names", func(t *testing.T) {
		t.Parallel()
		br := b.browser()
		p := br.open(client, oauth2.GenerateVerifier())
		for _, before := range []string{`<link rel="stylesheet" href="`, `<img src="`} {
			_, rest, ok := strings.Cut(p.body, before)
			require.True(t, ok)
			name, _, _ := strings.Cut(rest, `"`)
			asset := br.get(b.server.URL + name)
			require.Equal(t, http.StatusOK, asset.status)
			require.Contains(t, asset.header.Get("Cache-Control"), "immutable")
			for _, font := range regexp.MustCompile(`url\('([^']+)'\)`).FindAllStringSubmatch(asset.body, -1) {
				named := br.get(b.server.URL + font[1])
				require.Equal(t, http.StatusOK, named.status, font[1])
				require.Equal(t, "font/woff2", named.header.Get("Content-Type"))
			}
		}
	})

	t.Run("unknown and wrong get one answer, and the same work", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		client := b.rp()
		answers := map[string]int{}
		for _, login := range []string{"amara", "nobody", "amara@example.org", "nobody@example.org", "", strings.Repeat("x", 200), "a\x00b"} {
			br := b.browser()
			start := br.open(client, oauth2.GenerateVerifier())
			before := b.work.Spent()
			p := br.submit(start, login, "not the password")
			answers[login] = b.work.Spent() - before
			require.Equal(t, http.StatusUnauthorized, p.status, login)
			require.Contains(t, p.body, "Incorrect username or password.")
			require.Contains(t, p.body, `role="alert"`)
			require.Contains(t, p.body, `aria-describedby="error"`)
			require.NotContains(t, p.body, "not the password")
		}
		for login, work := range answers {
			require.Equal(t, 1, work, "work for %q", login)
		}
	})

	t.Run("a newcomer finds the way to an account, and back", func(t *testing.T) {
		t.Parallel()
		p := b.browser().open(client, oauth2.GenerateVerifier())
		require.Contains(t, p.body, `href="https://app.test/signup"`)
		require.Contains(t, p.body, `href="https://app.test/"`)
		require.NotContains(t, p.body, "Welcome back")
		require.Contains(t, b.browser().get(b.server.URL+"/signed-out").body, `href="https://app.test/"`)
	})

	t.Run("a form that this browser was not shown is refused", func(t *testing.T) {
		t.Parallel()
		br := b.browser()
		start := br.open(client, oauth2.GenerateVerifier())
		values := start.fields()
		values.Set("login", "amara")
		values.Set("password", goodPassword)
		for name, change := range map[string]func(url.Values){
			"no token": func(v url.Values) { v.Del("token") }, "another token": func(v url.Values) { v.Set("token", "x") },
			"another request": func(v url.Values) { v.Set("request", newID().String()) },
			"no request":      func(v url.Values) { v.Del("request") },
		} {
			v := url.Values{}
			for k := range values {
				v.Set(k, values.Get(k))
			}
			change(v)
			p := br.post("/sign-in", v)
			require.GreaterOrEqual(t, p.status, 400, name)
			require.Empty(t, p.header.Get("Location"), name)
		}
		otherBrowser := b.browser()
		otherBrowser.open(client, oauth2.GenerateVerifier())
		require.Equal(t, http.StatusBadRequest, otherBrowser.post("/sign-in", values).status, "a request goes on only where it began")
		require.Equal(t, http.StatusBadRequest, otherBrowser.get(start.at.String()).status)

		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.server.URL+"/sign-in", strings.NewReader(values.Encode()))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Sec-Fetch-Site", "cross-site")
		require.Equal(t, http.StatusForbidden, br.do(req).status)
		for _, origin := range []string{"https://evil.example", "null", strings.Replace(b.server.URL, "https:", "http:", 1)} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.server.URL+"/sign-in", strings.NewReader(values.Encode()))
			require.NoError(t, err)
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			req.Header.Set("Origin", origin)
			require.Equal(t, http.StatusForbidden, br.do(req).status, origin)
		}
	})

	t.Run("a sign-in left open too long starts again", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		br := b.browser()
		start := br.open(b.rp(), oauth2.GenerateVerifier())
		b.clock.Advance(oidcop.OwnRequestLife)
		require.Contains(t, br.submit(start, "amara", goodPassword).body, "Please start again")
	})

	t.Run("one for an app of somebody else may stay open for half an hour", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br := b.browser()
		start := br.open(b.companion("serein.user.read"), oauth2.GenerateVerifier())
		b.clock.Advance(oidcop.OwnRequestLife)
		require.NotContains(t, br.get(start.at.String()).body, "Please start again")
		b.clock.Advance(oidcop.RequestLife - oidcop.OwnRequestLife)
		require.Contains(t, br.get(start.at.String()).body, "Please start again")
	})
}
