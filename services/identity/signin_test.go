package identity_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
)

func base64URL(s string) ([]byte, error) { return base64.RawURLEncoding.DecodeString(s) }

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
		require.NotContains(t, p.body, "<script")
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

	t.Run("only the right password is told that the account waits for its code", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		_, err := b.accounts.SignUp(t.Context(), form("waiting", "waiting@example.org"))
		require.NoError(t, err)
		client, br := b.rp(), b.browser()
		start := br.open(client, oauth2.GenerateVerifier())
		require.Contains(t, br.submit(start, "waiting", "wrong").body, "Incorrect username or password.")
		p := br.submit(start, "waiting", goodPassword)
		require.Equal(t, http.StatusForbidden, p.status)
		require.Contains(t, p.body, "Please confirm your account first")
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
		stranger := b.browser()
		stranger.open(client, oauth2.GenerateVerifier())
		require.Equal(t, http.StatusBadRequest, stranger.post("/sign-in", values).status, "a request goes on only where it began")
		require.Equal(t, http.StatusBadRequest, stranger.get(start.at.String()).status)

		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.server.URL+"/sign-in", strings.NewReader(values.Encode()))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Sec-Fetch-Site", "cross-site")
		require.Equal(t, http.StatusForbidden, br.do(req).status)
	})

	t.Run("a sign-in left open too long starts again", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		br := b.browser()
		start := br.open(b.rp(), oauth2.GenerateVerifier())
		b.clock.Advance(oidcop.RequestLife)
		require.Contains(t, br.submit(start, "amara", goodPassword).body, "Please start again")
	})
}

func TestGuessingIsThrottled(t *testing.T) {
	t.Parallel()

	t.Run("an account, from however many addresses, also when it does not exist", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		for _, login := range []string{"amara", "nobody"} {
			var checked atomic.Int32
			var group sync.WaitGroup
			for i := range 100 {
				group.Go(func() {
					_, err := b.accounts.Authenticate(t.Context(), login, "guess", "192.0.2."+string(rune('0'+i%10)))
					if !isTooMany(err) {
						checked.Add(1)
					}
				})
			}
			group.Wait()
			require.EqualValues(t, 10, checked.Load(), login)
		}
		_, err := b.accounts.Authenticate(t.Context(), "amara", goodPassword, "198.51.100.1")
		require.ErrorIs(t, err, account.ErrTooManyRequests, "the right password waits as well")
		b.clock.Advance(31 * time.Second)
		_, err = b.accounts.Authenticate(t.Context(), "amara", goodPassword, "198.51.100.1")
		require.NoError(t, err, "a person waits half a minute")
		_, err = b.accounts.Authenticate(t.Context(), "amara", "guess", "198.51.100.1")
		require.ErrorIs(t, err, account.ErrNotAuthorized, "and success forgets the guesses")
	})

	t.Run("the pause doubles", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 10 {
			_, err := b.accounts.Authenticate(t.Context(), "nobody", "guess", "192.0.2.1")
			require.ErrorIs(t, err, account.ErrNotAuthorized)
		}
		for _, pause := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 15 * time.Minute} {
			b.clock.Advance(pause - time.Second)
			_, err := b.accounts.Authenticate(t.Context(), "nobody", "guess", "192.0.2.1")
			require.ErrorIs(t, err, account.ErrTooManyRequests, pause)
			b.clock.Advance(time.Second)
			_, err = b.accounts.Authenticate(t.Context(), "nobody", "guess", "192.0.2.1")
			require.ErrorIs(t, err, account.ErrNotAuthorized, pause)
		}
	})

	t.Run("an address, over however many accounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		for i := range 100 {
			_, err := b.accounts.Authenticate(t.Context(), "user"+string(rune('a'+i%26))+string(rune('a'+i/26)), "guess", "192.0.2.1")
			require.ErrorIs(t, err, account.ErrNotAuthorized)
		}
		_, err := b.accounts.Authenticate(t.Context(), "amara", goodPassword, "192.0.2.1")
		require.ErrorIs(t, err, account.ErrTooManyRequests)
		_, err = b.accounts.Authenticate(t.Context(), "amara", goodPassword, "192.0.2.2")
		require.NoError(t, err)
	})

	t.Run("the page says so", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br := b.browser()
		start := br.open(b.rp(), oauth2.GenerateVerifier())
		for range 10 {
			br.submit(start, "nobody", "guess")
		}
		p := br.submit(start, "nobody", "guess")
		require.Equal(t, http.StatusTooManyRequests, p.status)
		require.Contains(t, p.body, "Too many attempts.")
	})
}

func isTooMany(err error) bool {
	return err != nil && strings.Contains(err.Error(), "TOO_MANY_REQUESTS")
}

func TestTheProvidersSession(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) (*bundle, *rp, *browser) {
		t.Helper()
		b := setup(t).serve()
		b.member("amara")
		return b, b.rp(), b.browser()
	}
	silent := func(t *testing.T, p page) {
		t.Helper()
		require.Equal(t, http.StatusFound, p.status, p.body)
		require.NotEmpty(t, p.location(t).Query().Get("code"))
	}

	t.Run("a second sign-in is silent until prompt or age asks", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		br.signIn(client, "amara")
		silent(t, br.open(client, oauth2.GenerateVerifier()))
		silent(t, br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "none")))
		require.Contains(t, br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "login")).body, "Password")
		silent(t, br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("max_age", "60")))
		b.clock.Advance(61 * time.Second)
		require.Contains(t, br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("max_age", "60")).body, "Password")
		b.clock.Advance(oidcop.SessionLife)
		require.Contains(t, br.open(client, oauth2.GenerateVerifier()).body, "Password")
	})

	t.Run("prompt=none without a session says login_required", func(t *testing.T) {
		t.Parallel()
		_, client, br := start(t)
		p := br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "none"))
		require.Equal(t, "login_required", p.location(t).Query().Get("error"))
		require.Equal(t, "state-1", p.location(t).Query().Get("state"))
	})

	t.Run("its cookie is new at every sign-in, and hidden", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		begin := br.open(client, oauth2.GenerateVerifier())
		base, err := url.Parse(b.server.URL)
		require.NoError(t, err)
		br.Jar.SetCookies(base, []*http.Cookie{{Name: "__Host-serein-id", Value: "planted", Path: "/", Secure: true}})
		p := br.submit(begin, "amara", goodPassword)
		cookie := p.header.Get("Set-Cookie")
		require.Contains(t, cookie, "__Host-serein-id=")
		require.NotContains(t, cookie, "planted")
		for _, part := range []string{"HttpOnly", "Secure", "SameSite=Lax", "Path=/"} {
			require.Contains(t, cookie, part)
		}
		require.NotContains(t, cookie, "Domain")
	})

	t.Run("sign-out ends the session, its tokens and its cookie, and returns exactly where it may", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		token := br.signIn(client, "amara")
		out := b.server.URL + "/oauth/end-session?client_id=gateway&state=z&post_logout_redirect_uri="
		wrong := br.get(out + url.QueryEscape("https://evil.test/"))
		require.Equal(t, http.StatusBadRequest, wrong.status)
		silent(t, br.open(client, oauth2.GenerateVerifier()))
		p := br.get(out + url.QueryEscape(afterSignOut))
		require.Equal(t, afterSignOut+"?state=z", p.header.Get("Location"))
		require.Contains(t, br.open(client, oauth2.GenerateVerifier()).body, "Password")
		_, err := client.refresh(token.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
		_, err = client.userinfo(token)
		require.Error(t, err)
	})

	t.Run("sign-out without an address shows a page, also to who is signed out", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		require.Contains(t, br.get(b.server.URL+"/oauth/end-session").body, "You are signed out")
		br.signIn(client, "amara")
		require.Contains(t, br.get(b.server.URL+"/oauth/end-session").body, "You are signed out")
	})

	t.Run("another site's link asks first", func(t *testing.T) {
		t.Parallel()
		b, client, br := start(t)
		br.signIn(client, "amara")
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.server.URL+"/oauth/end-session?client_id=gateway&post_logout_redirect_uri="+url.QueryEscape(afterSignOut), nil)
		require.NoError(t, err)
		req.Header.Set("Sec-Fetch-Site", "cross-site")
		p := br.do(req)
		require.Contains(t, p.body, "Sign out of Serein?")
		silent(t, br.open(client, oauth2.GenerateVerifier()))
		answer := br.post("/oauth/end-session", p.fields())
		require.Equal(t, afterSignOut, answer.header.Get("Location"))
		require.Contains(t, br.open(client, oauth2.GenerateVerifier()).body, "Password")
	})
}
