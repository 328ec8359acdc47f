package identity_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/account"
)

// waiting is a browser that gave the right password of an unconfirmed account, at the confirm step,
// and the code that was sent at sign-up.
func (b *harness) waiting(client *rp, verifier, username string) (br *browser, step page, first string) {
	b.t.Helper()
	_, err := b.accounts.SignUp(b.t.Context(), form(username, username+"@example.org"))
	require.NoError(b.t, err)
	first = b.nextMail().GetConfirmationCode().GetCode()
	br = b.browser()
	step = br.submit(br.open(client, verifier), username, goodPassword)
	require.Equal(b.t, http.StatusOK, step.status)
	require.Equal(b.t, "/sign-in/confirm", step.at.Path, "a separate page, which can be loaded again")
	return br, step, first
}

func (br *browser) confirm(step page, code string) page {
	br.t.Helper()
	values := step.fields()
	values.Set("code", code)
	return br.post("/sign-in/confirm", values)
}

func (br *browser) again(step page) page {
	br.t.Helper()
	values := step.fields()
	values.Set("again", "yes")
	return br.post("/sign-in/confirm", values)
}

// wrongCode is six digits that are not the code.
func wrongCode(code string) string {
	if code == "123456" {
		return "654321"
	}
	return "123456"
}

func TestWhoeverSignsInUnconfirmedConfirmsAndGoesOn(t *testing.T) {
	t.Parallel()

	t.Run("with a fresh code, into the same request, without the password again", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		client, verifier := b.rp(), oauth2.GenerateVerifier()
		br, step, first := b.waiting(client, verifier, "amara")
		mail := b.nextMail().GetConfirmationCode()
		require.NotEqual(t, first, mail.GetCode(), "a fresh one, one time in a million the same")
		require.Equal(t, "amara", mail.GetUsername(), "the mail's link leads back to whom it is about")
		require.Contains(t, step.body, "amara@example.org")
		require.NotContains(t, step.body, `type="password"`)

		answer := br.confirm(step, mail.GetCode())
		require.Equal(t, http.StatusFound, answer.status, answer.body)
		at := answer.location(t)
		require.Equal(t, "state-1", at.Query().Get("state"))
		token, err := client.Exchange(client.ctx, at.Query().Get("code"), oauth2.VerifierOption(verifier))
		require.NoError(t, err)
		require.Equal(t, "amara", client.verify(t, token).PreferredUsername)
		require.Equal(t, http.StatusFound, br.open(client, oauth2.GenerateVerifier()).status, "and is signed in")
	})

	t.Run("by email as well as by username", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		b.nextMail()
		br := b.browser()
		step := br.submit(br.open(b.rp(), oauth2.GenerateVerifier()), "amara@example.org", goodPassword)
		require.Equal(t, http.StatusFound, br.confirm(step, b.nextMail().GetConfirmationCode().GetCode()).status)
	})

	t.Run("a wrong code is said, and the right one still counts", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
		code := b.nextMail().GetConfirmationCode().GetCode()
		wrong := br.confirm(step, wrongCode(code))
		require.Equal(t, http.StatusUnprocessableEntity, wrong.status)
		require.Contains(t, wrong.body, "That code does not match.")
		require.Contains(t, wrong.body, `aria-invalid="true"`)
		require.Contains(t, wrong.body, `aria-describedby="error"`)
		require.Contains(t, wrong.body, `role="alert"`)
		require.Equal(t, http.StatusFound, br.confirm(wrong, code).status)
	})

	t.Run("a code that was left too long is said, and another one can be sent", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
		old := b.nextMail().GetConfirmationCode().GetCode()
		b.clock.Advance(account.CodeLife)
		require.Contains(t, br.confirm(step, old).body, "That code no longer works.")
		sent := br.again(step)
		require.Equal(t, http.StatusOK, sent.status)
		require.Contains(t, sent.body, "A new code is on its way.")
		require.Contains(t, sent.body, `role="status"`)
		require.Equal(t, http.StatusFound, br.confirm(sent, b.nextMail().GetConfirmationCode().GetCode()).status)
	})

	t.Run("and the page names the account large", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		_, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "att1")
		require.Contains(t, step.body, `<p class="name"><span>Account</span> att1</p>`)
	})
}

func TestABrowserThatOnlyWaitedIsAskedToSignIn(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(br *browser, step page, code string) page{
		"when it loads the page again":   func(br *browser, step page, _ string) page { return br.get(step.at.String()) },
		"when it sends any code":         func(br *browser, step page, _ string) page { return br.confirm(step, "") },
		"when it sends the code as well": func(br *browser, step page, code string) page { return br.confirm(step, code) },
		"when it asks for another code":  func(br *browser, step page, _ string) page { return br.again(step) },
		"when it opens the sign-in again": func(br *browser, step page, _ string) page {
			return br.get(strings.Replace(step.at.String(), "/confirm", "", 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t).serve()
			br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
			code := b.nextMail().GetConfirmationCode().GetCode()
			require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", code), "elsewhere, by the owner of the mailbox")
			asked := act(br, step, code)
			require.Equal(t, http.StatusOK, asked.status)
			require.Empty(t, asked.header.Get("Location"))
			require.Contains(t, asked.body, `type="password"`)
			require.Zero(t, b.count(`SELECT count(*) FROM sessions`))
			require.Equal(t, http.StatusUnauthorized, br.submit(asked, "amara", "not the password").status)
			require.NotEmpty(t, br.submit(asked, "amara", goodPassword).location(t).Query().Get("code"), "its own person goes on into the same request")
		})
	}

	t.Run("in a friendly way, with the name filled in", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", b.nextMail().GetConfirmationCode().GetCode()))
		asked := br.get(step.at.String())
		require.Contains(t, asked.body, "Your account is confirmed.")
		require.Contains(t, asked.body, `role="status"`)
		require.Contains(t, asked.body, `name="login" type="text" value="amara"`)
	})
}

func TestTheConfirmStepIsThrottledAsCodesAre(t *testing.T) {
	t.Parallel()

	t.Run("one code a minute, however often one signs in or asks", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		client := b.rp()
		br, step, _ := b.waiting(client, oauth2.GenerateVerifier(), "amara")
		code := b.nextMail().GetConfirmationCode().GetCode()
		again := br.again(step)
		require.Equal(t, http.StatusTooManyRequests, again.status)
		require.Contains(t, again.body, "A code is on its way already.")
		second := b.browser()
		other := second.submit(second.open(client, oauth2.GenerateVerifier()), "amara", goodPassword)
		require.Equal(t, "/sign-in/confirm", other.at.Path, "the step itself is always reached")
		require.Equal(t, 2, b.count(`SELECT count(*) FROM codes`), "that of the sign-up and one more")
		require.Equal(t, http.StatusFound, second.confirm(other, code).status, "the code that was sent is good there too")
	})

	t.Run("five tries a code", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
		code := b.nextMail().GetConfirmationCode().GetCode()
		for range account.CodeTries {
			require.Equal(t, http.StatusUnprocessableEntity, br.confirm(step, wrongCode(code)).status)
		}
		spent := br.confirm(step, code)
		require.Equal(t, http.StatusTooManyRequests, spent.status)
		require.Contains(t, spent.body, "Too many attempts with this code.")
		b.clock.Advance(time.Minute)
		sent := br.again(step)
		require.Equal(t, http.StatusFound, br.confirm(sent, b.nextMail().GetConfirmationCode().GetCode()).status, "a fresh code has fresh tries")
	})
}

func TestTheConfirmStepTellsNothingWithoutThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("confirmed")
	client := b.rp()
	_, err := b.accounts.SignUp(t.Context(), form("waiting", "waiting@example.org"))
	require.NoError(t, err)
	b.nextMail()
	request := func(body string, at *url.URL) string {
		return strings.NewReplacer(at.Query().Get("request"), "").Replace(body)
	}
	var bodies []string
	for _, login := range []string{"waiting", "confirmed", "nobody00"} {
		br := b.browser()
		start := br.open(client, oauth2.GenerateVerifier())
		before := b.work.Spent()
		p := br.submit(start, login, "not the password")
		require.Equal(t, 1, b.work.Spent()-before, login)
		require.Equal(t, http.StatusUnauthorized, p.status)
		fields := p.fields()
		same := strings.NewReplacer(fields.Get("token"), "", fields.Get("passkey_token"), "", login, "").Replace(request(p.body, start.at))
		bodies = append(bodies, same)
		require.Equal(t, http.StatusBadRequest, br.get(b.server.URL+"/sign-in/confirm?request="+fields.Get("request")).status)
	}
	require.Equal(t, bodies[0], bodies[1], "waiting and confirmed read alike")
	require.Equal(t, bodies[0], bodies[2], "and so does nobody")
	require.Equal(t, 2, b.count(`SELECT count(*) FROM codes`), "and no code goes out")
}

func TestTheConfirmStepBelongsToTheBrowserThatGaveThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client := b.rp()
	br, step, _ := b.waiting(client, oauth2.GenerateVerifier(), "amara")
	code := b.nextMail().GetConfirmationCode().GetCode()
	otherBrowser := b.browser()
	otherBrowser.open(client, oauth2.GenerateVerifier())
	require.Equal(t, http.StatusBadRequest, otherBrowser.get(step.at.String()).status)
	require.Equal(t, http.StatusBadRequest, otherBrowser.confirm(step, code).status)

	forged := step
	forged.body = strings.Replace(step.body, step.fields().Get("token"), "x", 2)
	require.Equal(t, http.StatusForbidden, br.confirm(forged, code).status)
	require.Equal(t, http.StatusForbidden, br.again(forged).status)
	start := br.open(client, oauth2.GenerateVerifier())
	forged.body = start.body
	require.Equal(t, http.StatusBadRequest, br.confirm(forged, code).status, "a request that nobody signed in to")

	values := step.fields()
	values.Set("code", code)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.server.URL+"/sign-in/confirm", strings.NewReader(values.Encode()))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, br.do(req).status)

	b.clock.Advance(account.UnconfirmedLife)
	require.Contains(t, br.confirm(step, code).body, "Please start again", "what was left too long starts again")
}

func TestTheConfirmStepOfAKnownAddressNeverOpens(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	_, err := b.accounts.SignUp(t.Context(), form("newcomer", "amara@example.org"))
	require.NoError(t, err)
	require.NotNil(t, b.nextMail().GetAccountExists())
	br := b.browser()
	step := br.submit(br.open(b.rp(), oauth2.GenerateVerifier()), "newcomer", goodPassword)
	require.Equal(t, "/sign-in/confirm", step.at.Path, "it looks like every other")
	require.NotNil(t, b.nextMail().GetAccountExists(), "identity writes to its owner")
	var code account.Code
	_ = b.store.Confirm(t.Context(), "newcomer", b.clock.Now(), b.mailboxes.Key, func(c account.Code) error { code = c; return account.ErrCodeMismatch })
	require.Equal(t, http.StatusUnprocessableEntity, br.confirm(step, b.codes.Digits(code)).status)
}

func TestTheConfirmPage(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	_, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
	document, err := html.Parse(strings.NewReader(step.body))
	require.NoError(t, err)
	require.NotNil(t, document)
	require.Contains(t, step.body, `<label for="code">Confirmation code</label>`)
	require.Contains(t, step.body, `autocomplete="one-time-code"`)
	require.Contains(t, step.body, `inputmode="numeric"`)
	require.Contains(t, step.body, `href="https://app.test/signup"`)
	require.Equal(t, 1, strings.Count(step.body, "<h1>"))
	require.NotContains(t, step.body, "<script")
	require.NotContains(t, step.body, "style=")
	require.Contains(t, step.header.Get("Content-Security-Policy"), "form-action 'self' https://app.test;")
	require.Equal(t, "no-store", step.header.Get("Cache-Control"))
}
