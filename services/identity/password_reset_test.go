package identity_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/identity/internal/account"
)

const otherPassword = "seven quiet herons"

// forgot asks for a code on the page that the sign-in page's link leads to.
func (br *browser) forgot(signIn page, login string) page {
	br.t.Helper()
	require.Contains(br.t, signIn.body, `href="/sign-in/forgot?request=`)
	step := br.get(br.b.server.URL + "/sign-in/forgot?request=" + url.QueryEscape(signIn.fields().Get("request")))
	require.Equal(br.t, http.StatusOK, step.status, step.body)
	values := step.fields()
	values.Set("login", login)
	return br.post("/sign-in/forgot", values)
}

func (br *browser) reset(step page, code, password string) page {
	br.t.Helper()
	values := step.fields()
	values.Set("code", code)
	values.Set("password", password)
	return br.post("/sign-in/reset", values)
}

// sessions counts whatever a member is signed in with.
func (b *harness) sessions(uid uuid.UUID) int {
	b.t.Helper()
	return b.count(`SELECT count(*) FROM sessions WHERE uid = $1`, uid) + b.count(`SELECT count(*) FROM grants WHERE uid = $1 AND revoked_at IS NULL`, uid)
}

func TestWhoForgotTheirPasswordSetsAnotherAndGoesOnWhereTheyWere(t *testing.T) {
	t.Parallel()
	for _, login := range []string{"amara", "Amara@example.org"} {
		t.Run(login, func(t *testing.T) {
			t.Parallel()
			b := setup(t).serve()
			a, client, verifier := b.member("amara"), b.rp(), oauth2.GenerateVerifier()
			elsewhere := b.browser().signIn(client, "amara")
			require.Equal(t, 2, b.sessions(a.UID))

			br := b.browser()
			step := br.forgot(br.open(client, verifier), login)
			require.Equal(t, "/sign-in/reset", step.at.Path, "a separate page, which can be loaded again")
			mail := b.nextMail()
			require.Equal(t, "amara@example.org", mail.GetTo())
			require.Equal(t, "amara", mail.GetPasswordReset().GetUsername())
			answer := br.reset(step, mail.GetPasswordReset().GetCode(), otherPassword)
			require.Equal(t, http.StatusFound, answer.status, answer.body)
			at := answer.location(t)
			require.Equal(t, "state-1", at.Query().Get("state"))
			token, err := client.Exchange(client.ctx, at.Query().Get("code"), oauth2.VerifierOption(verifier))
			require.NoError(t, err)
			require.Equal(t, "amara", client.verify(t, token).PreferredUsername)

			told := b.nextMail()
			require.Equal(t, "amara", told.GetPasswordChanged().GetUsername())
			require.Equal(t, "Amara", told.GetGivenName())
			_, err = client.TokenSource(client.ctx, &oauth2.Token{RefreshToken: elsewhere.RefreshToken}).Token()
			require.Error(t, err, "the sessions before have ended")
			require.Len(t, b.outbox("serein.identity.session.ended.v1"), 1)
			require.Equal(t, 2, b.sessions(a.UID), "its own alone")
			_, err = b.accounts.Authenticate(t.Context(), account.Attempt{Login: "amara", Password: goodPassword, Address: here})
			require.ErrorIs(t, err, account.ErrNotAuthorized)
			_, err = b.accounts.Authenticate(t.Context(), account.Attempt{Login: "amara", Password: otherPassword, Address: here})
			require.NoError(t, err)
		})
	}
}

func TestNobodyLearnsFromAForgottenPasswordWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client := b.rp()
	type answers struct {
		statuses   []int
		bodies     []string
		work, jobs int
	}
	ask := func(login string) (out answers) {
		br, work, jobs := b.browser(), b.work.Spent(), b.count(`SELECT count(*) FROM river_job`)
		seen := func(p page) page {
			body := strings.ReplaceAll(p.body, login, "LOGIN")
			for _, value := range p.fields() {
				body = strings.ReplaceAll(body, value[0], "HIDDEN")
			}
			out.statuses, out.bodies = append(out.statuses, p.status), append(out.bodies, body)
			return p
		}
		step := seen(br.forgot(br.open(client, oauth2.GenerateVerifier()), login))
		seen(br.reset(step, "000000", otherPassword))
		seen(br.reset(step, "000000", "short"))
		for range account.CodeTries {
			seen(br.reset(step, "000000", otherPassword))
		}
		values := step.fields()
		values.Set("again", "yes")
		seen(br.post("/sign-in/reset", values))
		out.work, out.jobs = b.work.Spent()-work, b.count(`SELECT count(*) FROM river_job`)-jobs
		return out
	}
	known := ask("amara@example.org")
	require.NotEmpty(t, b.nextMail().GetPasswordReset().GetCode())
	require.Equal(t, known, ask("nobody@example.org"))
	require.Equal(t, 1, known.jobs, "a job that finds no code is work as well")
	require.Contains(t, known.bodies[0], "If <strong>LOGIN</strong> has an account, a code is on its way")
	require.Contains(t, known.statuses, http.StatusTooManyRequests)
	require.Equal(t, known.bodies[1], ask("amara").bodies[1])
	select {
	case m := <-b.mail.mails:
		require.Equal(t, "amara@example.org", m.GetTo(), "nobody gets no letter")
	case <-time.After(0):
	}
}

func TestACodeForAPasswordIsUsedOnceAndForNothingElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.member("amara")
	require.NoError(t, b.accounts.ForgotPassword(ctx, here, "amara"))
	code := b.nextMail().GetPasswordReset().GetCode()
	require.Error(t, b.accounts.Confirm(ctx, here, "amara", code), "it ends no sign-up")
	require.ErrorIs(t, b.accounts.ConfirmForgotPassword(ctx, here, "amara", wrongCode(code), otherPassword), account.ErrCodeMismatch)
	require.ErrorIs(t, b.accounts.ConfirmForgotPassword(ctx, here, "amara", code, "short"), account.ErrInvalidPassword)
	require.ErrorIs(t, b.accounts.ConfirmForgotPassword(ctx, here, "amara", code, "my name is lindqvist"), account.ErrInvalidPassword, "the rules of a sign-up, and the code still counts")
	require.ErrorIs(t, b.accounts.ConfirmForgotPassword(ctx, here, "amara", wrongCode(code), "my name is lindqvist"), account.ErrCodeMismatch, "only a right code leads to the check against the member's names")
	require.NoError(t, b.accounts.ConfirmForgotPassword(ctx, here, "amara", code, otherPassword))
	require.ErrorIs(t, b.accounts.ConfirmForgotPassword(ctx, here, "amara", code, otherPassword), account.ErrExpiredCode)
	require.Zero(t, b.count(`SELECT count(*) FROM codes WHERE position($1 in encode(hash, 'escape')) > 0`, code))
	require.Zero(t, b.count(`SELECT count(*) FROM river_job WHERE args::text LIKE '%' || $1 || '%'`, code), "no code in the queue")

	b.clock.Advance(2 * time.Hour)
	require.NoError(t, b.accounts.ForgotPassword(ctx, here, "amara"))
	for m := b.nextMail(); ; m = b.nextMail() {
		if code = m.GetPasswordReset().GetCode(); code != "" {
			break
		}
	}
	b.clock.Advance(account.CodeLife)
	require.ErrorIs(t, b.accounts.ConfirmForgotPassword(ctx, here, "amara", code, otherPassword), account.ErrExpiredCode)
}

func TestGuessesAtCodesForPasswordsAreFewWhereverTheyComeFrom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	a := b.member("amara")
	require.NoError(t, b.accounts.ForgotPassword(ctx, here, "amara"))
	code := b.nextMail().GetPasswordReset().GetCode()
	for i := range account.CodeTriesInAll {
		require.ErrorIs(t, b.accounts.ConfirmForgotPassword(ctx, "198.51.100."+string(rune('a'+i)), "amara", wrongCode(code), otherPassword), account.ErrCodeMismatch)
	}
	require.ErrorIs(t, b.accounts.ConfirmForgotPassword(ctx, "203.0.113.9", "amara", code, otherPassword), account.ErrCodeMismatch, "the mailbox's guesses are used up, in the words of a wrong code")
	require.ErrorIs(t, b.accounts.ConfirmForgotPassword(ctx, "203.0.113.8", "amara@example.org", code, otherPassword), account.ErrCodeMismatch, "under all names")
	own := account.Asker{Address: here, Device: account.Device{UID: a.UID, ID: "her own browser"}}
	_, err := b.accounts.ConfirmForgotPasswordFrom(ctx, own, "amara", code, otherPassword)
	require.NoError(t, err, "a browser that she signed in with before has its own count")
}

func TestAMailboxGetsFewCodesForPasswordsAndNobodyIsToldHowMany(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	a := b.member("amara")
	for i := range 8 {
		require.NoError(t, b.accounts.ForgotPassword(ctx, "198.51.100."+string(rune('a'+i)), "amara"))
	}
	require.Equal(t, 5, b.count(`SELECT count(*) FROM codes WHERE kind = 'password_reset'`))
	require.NoError(t, b.accounts.ForgotPassword(ctx, here, "nobody"))
	require.ErrorIs(t, b.accounts.ForgotPassword(ctx, here, "nobody"), account.ErrLimitExceeded, "one a minute from one address")
	own := account.Asker{Address: here, Device: account.Device{UID: a.UID, ID: "her own browser"}}
	require.NoError(t, b.accounts.ForgotPasswordFrom(ctx, own, "amara"))
	require.Equal(t, 6, b.count(`SELECT count(*) FROM codes WHERE kind = 'password_reset'`), "her own browser's letters are its own")
}

func TestAnAccountThatWaitsForItsCodeIsConfirmedByThatOfItsPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	_, err := b.accounts.SignUp(ctx, form("amara", "amara@example.org"))
	require.NoError(t, err)
	first := b.nextMail().GetConfirmationCode().GetCode()
	require.NoError(t, b.accounts.ForgotPassword(ctx, here, "amara@example.org"))
	mail := b.nextMail()
	require.Empty(t, mail.GetGivenName(), "nobody's words go to an address that is not proved")
	require.NoError(t, b.accounts.ConfirmForgotPassword(ctx, here, "amara@example.org", mail.GetPasswordReset().GetCode(), otherPassword))
	_, err = b.accounts.Authenticate(ctx, account.Attempt{Login: "amara", Password: otherPassword, Address: here})
	require.NoError(t, err)
	require.Len(t, b.outbox("serein.identity.user.confirmed.v1"), 1)
	require.NoError(t, b.accounts.Confirm(ctx, here, "amara", first), "the right code of an account that is confirmed already")
	require.Len(t, b.outbox("serein.identity.user.confirmed.v1"), 1)
}

func TestANameReservedByAKnownAddressResetsNothingAndItsOwnerIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.member("amara")
	_, err := b.accounts.SignUp(ctx, form("again", "amara@example.org"))
	require.NoError(t, err)
	require.Equal(t, "amara", b.nextMail().GetAccountExists().GetUsername())
	require.NoError(t, b.accounts.ForgotPassword(ctx, here, "again"))
	require.Equal(t, "amara", b.nextMail().GetAccountExists().GetUsername())
	require.ErrorIs(t, b.accounts.ConfirmForgotPassword(ctx, here, "again", "123456", otherPassword), account.ErrCodeMismatch)
}

func TestAnOperatorDemandsANewPassword(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a, client := b.member("amara"), b.rp()
	b.browser().signIn(client, "amara")
	done := command(t, b.db.URL, "require-password-reset", "amara")
	require.Equal(t, "amara needs a new password now, and is signed out everywhere.\n", done.out)
	isAdminEvent(t, done, "require-password-reset", a.UID)
	require.Equal(t, ran{0, "amara needed a new password already; nothing changed.\n", ""}, command(t, b.db.URL, "require-password-reset", "amara"))
	require.Equal(t, ran{1, "", "identity: there is no confirmed account \"nobody\"\n"}, command(t, b.db.URL, "require-password-reset", "nobody"))
	require.Zero(t, b.sessions(a.UID))
	ended := new(eventsv1.SessionEnded)
	require.NoError(t, b.outbox("serein.identity.session.ended.v1")[0].UnmarshalTo(ended))
	require.Equal(t, a.UID.String(), ended.GetUid())

	_, err := b.accounts.Authenticate(t.Context(), account.Attempt{Login: "amara", Password: goodPassword, Address: here})
	require.ErrorIs(t, err, account.ErrPasswordReset)
	_, err = b.accounts.Authenticate(t.Context(), account.Attempt{Login: "amara", Password: "not the password", Address: here})
	require.ErrorIs(t, err, account.ErrNotAuthorized, "only the right password gets the answer that says so")

	br := b.browser()
	asked := br.submit(br.open(client, oauth2.GenerateVerifier()), "amara", goodPassword)
	require.Equal(t, http.StatusForbidden, asked.status)
	require.Contains(t, asked.body, "Please set a new password first.")
	values := asked.fields()
	values.Set("login", "amara")
	step := br.post("/sign-in/forgot", values)
	code := b.nextMail().GetPasswordReset().GetCode()
	require.Contains(t, br.reset(step, code, goodPassword).body, "Please choose another.")
	require.Equal(t, http.StatusFound, br.reset(step, code, otherPassword).status)
}

func TestTheStepsOfAForgottenPasswordBelongToTheBrowserThatBegan(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	br, client := b.browser(), b.rp()
	step := br.forgot(br.open(client, oauth2.GenerateVerifier()), "amara")
	code := b.nextMail().GetPasswordReset().GetCode()
	require.Equal(t, http.StatusBadRequest, b.browser().reset(step, code, otherPassword).status)
	values := step.fields()
	values.Set("token", "another")
	values.Set("code", code)
	values.Set("password", otherPassword)
	require.Equal(t, http.StatusForbidden, br.post("/sign-in/reset", values).status)
	again := br.get(step.at.String())
	require.Equal(t, http.StatusOK, again.status, "it can be loaded again")
	require.NotContains(t, again.at.String(), "amara", "no name stands in an address")
	empty := br.forgot(br.open(client, oauth2.GenerateVerifier()), "  ")
	require.Equal(t, http.StatusUnprocessableEntity, empty.status)
	require.Contains(t, empty.body, "Please enter your username or your email address.")
}
