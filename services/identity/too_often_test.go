package identity_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/crowd"
	"serein.app/services/testkit/natstest"
)

// refused is a page of 429 that says when to come again, in its header and in its words.
func refused(t *testing.T, p page, after time.Duration, words string) {
	t.Helper()
	require.Equal(t, http.StatusTooManyRequests, p.status, p.body)
	require.Equal(t, strconv.Itoa(int(after.Seconds())), p.header.Get("Retry-After"))
	require.Contains(t, p.body, words)
	require.Contains(t, p.body, `role="alert"`)
	require.NotContains(t, p.body, goodPassword)
}

func TestAFormThatIsRefusedForNowIsShownAgainWithWhatWasTyped(t *testing.T) {
	t.Parallel()

	t.Run("after too many guesses", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		br := b.browser()
		start := br.open(b.rp(), oauth2.GenerateVerifier())
		for range 10 {
			br.submit(start, "amara", "guess")
		}
		b.clock.Advance(10 * time.Second)
		p := br.submit(start, "amara", goodPassword)
		refused(t, p, 20*time.Second, "Too many attempts. Please try again in about 20 seconds.")
		require.Contains(t, p.body, `name="login" type="text" value="amara"`)
		b.clock.Advance(20 * time.Second)
		require.NotEmpty(t, br.submit(p, "amara", goodPassword).location(t).Query().Get("code"), "that was true, and the form goes on")
	})

	t.Run("after too many steps from one address", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		br := b.browser()
		start := br.open(b.rp(), oauth2.GenerateVerifier())
		var p page
		for p.status != http.StatusTooManyRequests || !strings.Contains(p.body, "lot at once") {
			p = br.submit(start, "amara", goodPassword[1:])
		}
		refused(t, p, time.Second, "That was a lot at once. Please take a breath and try again in a few seconds.")
		require.Contains(t, p.body, `name="login" type="text" value="amara"`)
		b.clock.Advance(12 * time.Minute)
		require.NotEmpty(t, br.submit(p, "amara", goodPassword).location(t).Query().Get("code"))
	})

	t.Run("at the code, of which every try was used", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
		code := b.nextMail().GetConfirmationCode().GetCode()
		for range account.CodeTries {
			br.confirm(step, wrongCode(code))
		}
		b.clock.Advance(time.Minute)
		refused(t, br.confirm(step, code), account.CodeLife-time.Minute, "Too many attempts with this code. Please send yourself another.")
	})

	t.Run("at the code, after too many tries from one address", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
		code := b.nextMail().GetConfirmationCode().GetCode()
		for range 2 * crowd.Size {
			br.confirm(step, wrongCode(code))
		}
		p := br.confirm(step, code)
		refused(t, p, time.Minute, "Too many attempts. Please try again in about a minute.")
		require.Contains(t, p.body, `value="`+code+`"`)
	})

	t.Run("at the button for another code", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
		b.clock.Advance(20 * time.Second)
		refused(t, br.again(step), 40*time.Second, "A code is on its way already. You can ask for another in about 40 seconds.")
	})

	t.Run("at that button, when all letters of this hour have gone out", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
		for range 4 {
			b.clock.Advance(time.Minute)
			require.Equal(t, http.StatusOK, br.again(step).status)
		}
		b.clock.Advance(time.Minute)
		p := br.again(step)
		refused(t, p, 59*time.Minute, "Too many attempts. Please try again in about 59 minutes.")
		require.NotContains(t, p.body, "on its way already")
	})

	t.Run("at the question whether an app may act, after too many steps from one address", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, step := b.asked(b.companion("serein.user.read"), oauth2.GenerateVerifier())
		values := step.fields()
		values.Del("token") // so that it is no answer
		var p page
		for p.status != http.StatusTooManyRequests {
			p = br.post("/sign-in/consent", values)
		}
		refused(t, p, time.Second, "That was a lot at once. Please take a breath and try again in a few seconds.")
		b.clock.Advance(10 * time.Second)
		p.at = step.at
		require.Equal(t, http.StatusFound, br.answer(p, "allow").status)
	})

	t.Run("at the code, after too many steps from one address", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
		var p page
		for p.status != http.StatusTooManyRequests || !strings.Contains(p.body, "lot at once") {
			p = br.confirm(step, "12 34 56")
		}
		refused(t, p, time.Second, "That was a lot at once. Please take a breath and try again in a few seconds.")
		require.Contains(t, p.body, `value="12 34 56"`)
	})
}

func TestTheDoorRefusesPeopleWithAPageAndProgramsInTheirForm(t *testing.T) {
	t.Parallel()
	cfg, internal := serviceConfig(t, "http://127.0.0.1:1", natstest.New(t).URL)
	cfg.LimitScale, cfg.SignUpClientID = 0.01, "web" // one request a second, four at once
	runs(t, cfg, internal)
	ask := func(method, path string, headers ...string) (*http.Response, string) {
		t.Helper()
		for {
			req, err := http.NewRequestWithContext(t.Context(), method, cfg.Auth.Issuer+path, nil)
			require.NoError(t, err)
			for i := 0; i < len(headers); i += 2 {
				req.Header.Set(headers[i], headers[i+1])
			}
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			body, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			if res.StatusCode == http.StatusTooManyRequests {
				require.Equal(t, "1", res.Header.Get("Retry-After"))
				require.Equal(t, "nosniff", res.Header.Get("X-Content-Type-Options"))
				return res, string(body)
			}
		}
	}
	for _, headers := range [][]string{
		{"Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"},
		{"Accept", "text/html", "Sec-Fetch-Dest", "document"},
	} {
		res, body := ask(http.MethodPost, "/sign-in", headers...)
		require.Equal(t, "text/html; charset=utf-8", res.Header.Get("Content-Type"))
		for _, words := range []string{"<title>Too many attempts · Serein</title>", "<h1>Too many attempts</h1>", "in a few seconds", "/assets/pages-"} {
			require.Contains(t, body, words)
		}
	}
	res, body := ask(http.MethodPost, "/oauth/token", "Accept", "*/*")
	require.Equal(t, "application/json", res.Header.Get("Content-Type"))
	require.JSONEq(t, `{"error":"temporarily_unavailable","error_description":"That was a lot at once. Please take a breath and try again in a few seconds."}`, body)

	res, body = ask(http.MethodPost, "/", "X-Amz-Target", "AWSCognitoIdentityProviderService.SignUp")
	require.Equal(t, "application/x-amz-json-1.1", res.Header.Get("Content-Type"))
	require.Contains(t, body, `"__type":"TooManyRequestsException"`)
}
