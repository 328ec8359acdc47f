package identity_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/descope/virtualwebauthn"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/passkey"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/telemetry"
)

// Where passkeys are made, and where they let in; the domain of both is theirs.
var (
	makesPasskeys = virtualwebauthn.RelyingParty{Name: "Serein", ID: "app.test", Origin: "https://app.test"}
	takesPasskeys = virtualwebauthn.RelyingParty{Name: "Serein", ID: "app.test", Origin: "https://id.app.test"}
)

// key is a device with one passkey of a member.
type key struct {
	virtualwebauthn.Authenticator
	virtualwebauthn.Credential
}

// wholeKey is how long a P-256 key is in COSE form (RFC 9053, 7.1.1). The library leaves zeros out where a coordinate begins with one,
// which one key in 128 does, and which is refused rightly.
const wholeKey = 77

func newKey(uid uuid.UUID) *key {
	k := &key{Authenticator: virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: uid[:]})}
	for k.Key == nil || len(k.Key.AttestationData()) != wholeKey {
		k.Credential = virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
	}
	return k
}

// made is what the device answers to the options of a new passkey.
func (k *key) made(tb testing.TB, at virtualwebauthn.RelyingParty, options string) string {
	tb.Helper()
	asked, err := virtualwebauthn.ParseAttestationOptions(options)
	require.NoError(tb, err)
	return virtualwebauthn.CreateAttestationResponse(at, k.Authenticator, k.Credential, *asked)
}

// proof is what the device answers to the options of a sign-in.
func (k *key) proof(tb testing.TB, at virtualwebauthn.RelyingParty, options string) string {
	tb.Helper()
	asked, err := virtualwebauthn.ParseAssertionOptions(options)
	require.NoError(tb, err)
	k.Counter++
	return virtualwebauthn.CreateAssertionResponse(at, k.Authenticator, k.Credential, *asked)
}

// register adds a passkey to a member's account.
func (b *harness) register(a account.Account) *key {
	b.t.Helper()
	k, m := newKey(a.UID), account.Signed{UID: a.UID.String(), SID: "here"}
	sealed, options, err := b.passkeys.Begin(b.t.Context(), m, goodPassword)
	require.NoError(b.t, err)
	require.NoError(b.t, b.passkeys.Finish(b.t.Context(), m, sealed, k.made(b.t, makesPasskeys, options), "", firefox))
	require.Equal(b.t, a.Username, b.nextMail().GetPasskeyAdded().GetUsername())
	return k
}

// passkeyForm is the form of the page's script, with a fresh challenge.
func (br *browser) passkeyForm(p page) (form url.Values, options string) {
	br.t.Helper()
	form = url.Values{"request": {p.fields().Get("request")}, "passkey_token": {p.fields().Get("passkey_token")}}
	asked := br.post("/sign-in/passkey/ask", form)
	require.Equal(br.t, http.StatusOK, asked.status, asked.body)
	var answer struct{ Ceremony, Options string }
	require.NoError(br.t, json.Unmarshal([]byte(asked.body), &answer))
	form.Set("ceremony", answer.Ceremony)
	return form, answer.Options
}

// enter signs in with a passkey.
func (br *browser) enter(p page, k *key) page {
	br.t.Helper()
	form, options := br.passkeyForm(p)
	form.Set("credential", k.proof(br.t, takesPasskeys, options))
	return br.post("/sign-in/passkey", form)
}

func TestAMemberSignsInWithAPasskeyAndWithoutTheirPassword(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a, client, br := b.member("amara"), b.rp(), b.browser()
	k := b.register(a)
	verifier := oauth2.GenerateVerifier()
	in := br.open(client, verifier)
	require.Contains(t, in.header.Get("Content-Security-Policy"), "script-src 'self'; connect-src 'self'")
	answer := br.enter(in, k)
	require.Equal(t, http.StatusFound, answer.status, answer.body)
	token, err := client.Exchange(client.ctx, answer.location(t).Query().Get("code"), oauth2.VerifierOption(verifier))
	require.NoError(t, err)
	claims := client.verify(t, token)
	require.Equal(t, a.UID.String(), claims.Subject)
	require.Equal(t, []string{"pop", "user"}, claims.AMR, "RFC 8176: a key was proved, by somebody who was there")
	all, err := b.passkeys.List(t.Context(), a.UID.String())
	require.NoError(t, err)
	require.Equal(t, "Windows computer, Firefox", all[0].Name)
	require.NotNil(t, all[0].UsedAt)
	require.EqualValues(t, 1, all[0].SignCount)
}

func TestAPasskeyIsRefusedThatProvesNothingHere(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, nils, client := b.member("amara"), b.member("nils"), b.rp()
	mine, theirs := b.register(amara), b.register(nils)
	elsewhere := func(id, origin string) virtualwebauthn.RelyingParty {
		return virtualwebauthn.RelyingParty{Name: "Serein", ID: id, Origin: origin}
	}
	for name, prove := range map[string]func(options string) string{
		"another origin":   func(o string) string { return mine.proof(t, elsewhere("app.test", "https://app.test.evil.example"), o) },
		"the app's origin": func(o string) string { return mine.proof(t, makesPasskeys, o) },
		"another party":    func(o string) string { return mine.proof(t, elsewhere("evil.example", "https://id.app.test"), o) },
		"nobody's":         func(o string) string { return newKey(amara.UID).proof(t, takesPasskeys, o) },
		"no passkey":       func(string) string { return `{"id":"x"}` },
		"nothing":          func(string) string { return "" },
		"another's as mine": func(o string) string {
			k := *theirs
			k.Options.UserHandle = amara.UID[:]
			return k.proof(t, takesPasskeys, o)
		},
		"mine as another's": func(o string) string {
			k := *mine
			k.Options.UserHandle = nils.UID[:]
			return k.proof(t, takesPasskeys, o)
		},
		"nobody was there": func(o string) string {
			k := *mine
			k.Options.UserNotPresent = true
			return k.proof(t, takesPasskeys, o)
		},
		"nobody was checked": func(o string) string {
			k := *mine
			k.Options.UserNotVerified = true
			return k.proof(t, takesPasskeys, o)
		},
	} {
		br := b.browser()
		form, options := br.passkeyForm(br.open(client, oauth2.GenerateVerifier()))
		form.Set("credential", prove(options))
		refused := br.post("/sign-in/passkey", form)
		require.Equal(t, http.StatusUnauthorized, refused.status, name)
		require.Contains(t, refused.body, "That passkey didn’t work", name)
		require.Contains(t, refused.body, "Password", "the password still does: "+name)
	}
	require.Zero(t, b.count(`SELECT count(*) FROM sessions`))
	require.Zero(t, b.count(`SELECT count(*) FROM used_challenges WHERE expires_at < $1`, b.clock.Now()), "and costs no row")
}

func TestAChallengeCountsOnceSoonAndInTheRequestThatItWasGivenTo(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a, client := b.member("amara"), b.rp()
	k, br := b.register(a), b.browser()
	form, options := br.passkeyForm(br.open(client, oauth2.GenerateVerifier()))
	form.Set("credential", k.proof(t, takesPasskeys, options))

	other := b.browser()
	stolen, _ := other.passkeyForm(other.open(client, oauth2.GenerateVerifier()))
	stolen.Set("ceremony", form.Get("ceremony"))
	stolen.Set("credential", form.Get("credential"))
	require.Equal(t, http.StatusUnauthorized, other.post("/sign-in/passkey", stolen).status, "another request's")
	require.Equal(t, http.StatusBadRequest, other.post("/sign-in/passkey", form).status, "another browser's")

	require.Equal(t, http.StatusFound, br.post("/sign-in/passkey", form).status)
	require.Equal(t, http.StatusUnauthorized, br.post("/sign-in/passkey", form).status, "once")

	fresh := b.browser()
	late, options := fresh.passkeyForm(fresh.open(client, oauth2.GenerateVerifier()))
	late.Set("credential", k.proof(t, takesPasskeys, options))
	b.clock.Advance(passkey.ChallengeLife)
	require.Equal(t, http.StatusUnauthorized, fresh.post("/sign-in/passkey", late).status, "within five minutes")
	forged := url.Values{"request": late["request"], "passkey_token": {"junk"}}
	require.Equal(t, http.StatusForbidden, fresh.post("/sign-in/passkey/ask", forged).status)
}

func TestAPasskeyOfWhichThereMayBeTwoIsRefusedAndWrittenDown(t *testing.T) {
	t.Parallel()
	out := &logged{}
	tel, err := telemetry.SetupTo(t.Context(), "identity", out)
	require.NoError(t, err)
	b := setup(t)
	b.security, err = seclog.New(tel, "a-secret-of-32-characters-or-more", b.clock.Now)
	require.NoError(t, err)
	b.serve()
	a, client := b.member("amara"), b.rp()
	k := b.register(a)
	clone := *k
	for range 2 {
		br := b.browser()
		require.Equal(t, http.StatusFound, br.enter(br.open(client, oauth2.GenerateVerifier()), k).status)
	}
	br := b.browser()
	require.Equal(t, http.StatusUnauthorized, br.enter(br.open(client, oauth2.GenerateVerifier()), &clone).status)
	require.Contains(t, out.events(t), "passkey reused")
}

func TestAPasskeyIsMadeOnceByTheSessionThatGaveThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, nils, ctx := b.member("amara"), b.member("nils"), t.Context()
	m := account.Signed{UID: amara.UID.String(), SID: "here"}
	_, _, err := b.passkeys.Begin(ctx, m, "not the password")
	require.ErrorIs(t, err, account.ErrWrongPassword)
	sealed, options, err := b.passkeys.Begin(ctx, m, goodPassword)
	require.NoError(t, err)
	k := newKey(amara.UID)
	answer := k.made(t, makesPasskeys, options)
	finish := func(who account.Signed, sealed, answer string) error {
		return b.passkeys.Finish(ctx, who, sealed, answer, "My phone", "")
	}
	require.ErrorIs(t, finish(account.Signed{UID: m.UID, SID: "elsewhere"}, sealed, answer), passkey.ErrRefused, "another session's")
	require.ErrorIs(t, finish(account.Signed{UID: nils.UID.String(), SID: "here"}, sealed, answer), passkey.ErrRefused, "another member's")
	require.ErrorIs(t, finish(m, sealed, k.made(t, takesPasskeys, options)), passkey.ErrRefused, "another origin's")
	require.ErrorIs(t, finish(m, sealed, "{}"), passkey.ErrRefused)
	require.ErrorIs(t, finish(m, "junk", answer), passkey.ErrRefused)
	unchecked := newKey(amara.UID)
	unchecked.Options.UserNotVerified = true
	require.ErrorIs(t, finish(m, sealed, unchecked.made(t, makesPasskeys, options)), passkey.ErrRefused)
	require.Error(t, b.passkeys.Finish(ctx, m, sealed, answer, "a\x00b", ""))
	require.NoError(t, finish(m, sealed, answer))
	require.ErrorIs(t, finish(m, sealed, answer), passkey.ErrRefused, "once")
	require.ErrorIs(t, finish(m, sealed, newKey(amara.UID).made(t, makesPasskeys, options)), passkey.ErrRefused, "one passkey a challenge")
	b.nextMail()

	late, options, err := b.passkeys.Begin(ctx, m, goodPassword)
	require.NoError(t, err)
	b.clock.Advance(passkey.ChallengeLife)
	require.ErrorIs(t, finish(m, late, newKey(amara.UID).made(t, makesPasskeys, options)), passkey.ErrRefused, "within five minutes")
}

func TestAMemberHasTenPasskeysAtMostAndRemovesTheirOwn(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, nils, ctx := b.member("amara"), b.member("nils"), t.Context()
	var last *key
	for range passkey.Most {
		last = b.register(amara)
	}
	m := account.Signed{UID: amara.UID.String(), SID: "here"}
	_, _, err := b.passkeys.Begin(ctx, m, goodPassword)
	require.ErrorIs(t, err, passkey.ErrFull)
	all, err := b.passkeys.List(ctx, m.UID)
	require.NoError(t, err)
	require.Len(t, all, passkey.Most)
	require.ErrorIs(t, b.passkeys.Remove(ctx, m, all[0].ID, "not the password"), account.ErrWrongPassword)
	require.NoError(t, b.passkeys.Remove(ctx, account.Signed{UID: nils.UID.String()}, all[0].ID, goodPassword), "another's is none of theirs")
	require.NoError(t, b.passkeys.Remove(ctx, m, all[0].ID, goodPassword))
	require.NoError(t, b.passkeys.Remove(ctx, m, all[0].ID, goodPassword), "once")
	require.Equal(t, "amara", b.nextMail().GetPasskeyRemoved().GetUsername())
	require.Empty(t, b.mail.mails, "one letter")
	client, br := b.rp(), b.browser()
	require.Equal(t, http.StatusUnauthorized, br.enter(br.open(client, oauth2.GenerateVerifier()), last).status)
}

func TestAPasskeyLetsInNobodyWhomThePasswordWouldNot(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client := b.rp()
	leaver, stale := b.member("leaver"), b.member("stale")
	leaving, demanded := b.register(leaver), b.register(stale)
	_, err := b.accounts.ScheduleDeletion(t.Context(), account.Signed{UID: leaver.UID.String()}, goodPassword, here)
	require.NoError(t, err)
	br := b.browser()
	require.Equal(t, "/sign-in/keep", br.enter(br.open(client, oauth2.GenerateVerifier()), leaving).at.Path)
	_, _, err = b.store.RequireReset(t.Context(), "stale", b.clock.Now())
	require.NoError(t, err)
	br = b.browser()
	asked := br.enter(br.open(client, oauth2.GenerateVerifier()), demanded)
	require.Equal(t, http.StatusForbidden, asked.status)
	require.Contains(t, asked.body, "Please set a new password first.")
	require.Zero(t, b.count(`SELECT count(*) FROM sessions`))
	b.clock.Advance(account.DeletionDelay + time.Hour)
	br = b.browser()
	require.NotEqual(t, http.StatusFound, br.enter(br.open(client, oauth2.GenerateVerifier()), leaving).status, "and whose time is over gets in nowhere")
}

func TestPasskeysAreTheCallersOwnOverRPC(t *testing.T) {
	t.Parallel()
	a := setup(t).serve().answer()
	amara, nils := a.member("amara"), a.member("nils")
	a.register(amara)
	res, err := a.passkeyCalls("gateway").ListPasskeys(a.as(amara.UID.String(), false), &identityv1.ListPasskeysRequest{})
	require.NoError(t, err)
	require.Len(t, res.GetPasskeys(), 1)
	res, err = a.passkeyCalls("gateway").ListPasskeys(a.as(nils.UID.String(), false), &identityv1.ListPasskeysRequest{})
	require.NoError(t, err)
	require.Empty(t, res.GetPasskeys())
	_, err = a.passkeyCalls("billing").ListPasskeys(a.as(nils.UID.String(), false), &identityv1.ListPasskeysRequest{})
	require.Error(t, err)
}
