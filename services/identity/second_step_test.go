package identity_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/secondstep"
	"serein.app/services/platform/config"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/telemetry"
)

// app is a member's authenticator app, and the recovery codes that they kept.
type app struct {
	b        *harness
	secret   string
	recovery []string
}

// shows is the code of the app that many periods from now.
func (a *app) shows(periods int) string {
	a.b.t.Helper()
	code, err := totp.GenerateCode(a.secret, a.b.clock.Now().Add(time.Duration(periods)*30*time.Second))
	require.NoError(a.b.t, err)
	return code
}

// later waits until the app shows a code that nobody has used.
func (a *app) later() string {
	a.b.clock.Advance(time.Minute)
	return a.shows(0)
}

// signedHere is a member who is signed in.
func signedHere(a account.Account) account.Signed {
	return account.Signed{UID: a.UID.String(), SID: "here"}
}

// signedIn is a member in a session of theirs, begun with the second step or without.
func (b *harness) signedIn(a account.Account, secondStep bool) account.Signed {
	b.t.Helper()
	sid := newID()
	_, err := b.db.Pool.Exec(b.t.Context(), `INSERT INTO sessions (sid, cookie_hash, uid, auth_time, expires_at, second_step)
		VALUES ($1, $2, $3, $4, $5, $6)`, sid, []byte(sid.String()), a.UID, b.clock.Now(), b.clock.Now().Add(oidcop.SessionLife), secondStep)
	require.NoError(b.t, err)
	return account.Signed{UID: a.UID.String(), SID: sid.String()}
}

// turnOn sets an app up.
func (b *harness) turnOn(a account.Account) *app {
	b.t.Helper()
	return b.turnOnIn(signedHere(a), a)
}

func (b *harness) turnOnIn(m account.Signed, a account.Account) *app {
	b.t.Helper()
	begun, err := b.second.Begin(b.t.Context(), m, goodPassword)
	require.NoError(b.t, err)
	out := &app{b: b, secret: begun.Secret}
	out.recovery, err = b.second.Finish(b.t.Context(), m, begun.Sealed, out.shows(0))
	require.NoError(b.t, err)
	require.Equal(b.t, a.Username, b.nextMail().GetSecondStepOn().GetUsername())
	return out
}

// code fills in the page of the code.
func (br *browser) code(p page, code string) page {
	br.t.Helper()
	require.Equal(br.t, "/sign-in/code", p.at.Path, p.body)
	values := p.fields()
	values.Set("code", code)
	return br.post("/sign-in/code", values)
}

// atCode has given the password of a member who is asked for a code.
func (b *harness) atCode(client *rp, login string) (br *browser, p page, verifier string) {
	b.t.Helper()
	br, verifier = b.browser(), oauth2.GenerateVerifier()
	p = br.submit(br.open(client, verifier), login, goodPassword)
	require.Equal(b.t, "/sign-in/code", p.at.Path, p.body)
	require.Contains(b.t, p.body, "the six digits it shows")
	return br, p, verifier
}

func TestAMemberWithASecondStepSignsInWithPasswordAndCode(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, client := b.member("amara"), b.rp()
	phone := b.turnOn(amara)
	phone.later()
	br, asked, verifier := b.atCode(client, "amara")
	require.NotContains(t, asked.header.Get("Content-Security-Policy"), "script-src", "a page without a script")
	require.Zero(t, b.count(`SELECT count(*) FROM sessions`), "nobody is signed in before the code")
	answer := br.code(asked, " "+phone.shows(0)[:3]+" "+phone.shows(0)[3:]+" ")
	require.Equal(t, http.StatusFound, answer.status, answer.body)
	token, err := client.Exchange(client.ctx, answer.location(t).Query().Get("code"), oauth2.VerifierOption(verifier))
	require.NoError(t, err)
	claims := client.verify(t, token)
	require.Equal(t, amara.UID.String(), claims.Subject)
	require.Equal(t, []string{"pwd", "otp", "mfa"}, claims.AMR, "RFC 8176")
	renewed, err := client.TokenSource(client.ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	require.NoError(t, err)
	require.Equal(t, []string{"pwd", "otp", "mfa"}, client.verify(t, renewed).AMR)

	nils := b.member("nils")
	require.Equal(t, nils.UID.String(), client.verify(t, b.browser().signIn(client, "nils")).Subject, "nobody else is asked")
}

func TestACodeCountsOnceAndNoneBeforeOneThatCounted(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	phone, client := b.turnOn(b.member("amara")), b.rp()
	refused := func(code, why, said string) {
		t.Helper()
		br, asked, _ := b.atCode(client, "amara")
		answer := br.code(asked, code)
		require.Equal(t, http.StatusUnprocessableEntity, answer.status, why)
		require.Contains(t, answer.body, said, why)
		require.Contains(t, answer.body, `aria-invalid="true"`)
		require.NotContains(t, answer.body, `value="`+code+`"`)
	}
	taken := func(code, why string) {
		t.Helper()
		br, asked, _ := b.atCode(client, "amara")
		require.Equal(t, http.StatusFound, br.code(asked, code).status, why)
	}
	refused(phone.shows(0), "the one that set it up", "has already been used")
	taken(phone.shows(1), "a phone whose clock is half a minute fast")
	refused(phone.shows(1), "twice", "has already been used")
	refused(phone.shows(0), "one before it", "has already been used")
	refused(phone.shows(2), "a minute early", "does not match")
	b.clock.Advance(2 * time.Minute)
	refused(phone.shows(-2), "a minute late", "does not match")
	taken(phone.shows(-1), "half a minute late")
	refused(wrongCode(phone.shows(0)), "another", "does not match")
	refused("", "nothing", "does not match")
	refused("١٢٣٤٥٦", "other digits", "does not match")
	refused(strings.Repeat("7", 65), "a long one", "does not match")
	require.Equal(t, 2, b.count(`SELECT count(*) FROM sessions`))
}

func TestARecoveryCodeLetsInOnceAndItsMemberIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, nils, client := b.member("amara"), b.member("nils"), b.rp()
	phone, theirs := b.turnOn(amara), b.turnOn(nils)
	require.Len(t, phone.recovery, secondstep.RecoveryCodes)
	require.Regexp(t, `^[a-z2-7]{4}(-[a-z2-7]{4}){5}$`, phone.recovery[0])
	br, asked, _ := b.atCode(client, "amara")
	require.Equal(t, http.StatusUnprocessableEntity, br.code(asked, theirs.recovery[0]).status, "another's")
	require.Contains(t, asked.body, `&amp;recovery=yes">Use a recovery code</a>`)
	asked = br.get(b.server.URL + "/sign-in/code?recovery=yes&request=" + url.QueryEscape(asked.fields().Get("request")))
	require.Contains(t, asked.body, "Enter one of the ten codes you kept")
	wrong := br.code(asked, "aaaa-bbbb-cccc-dddd-eeee-ffff")
	require.Contains(t, wrong.body, "Enter one of the ten codes you kept", "asked for again")
	typed := strings.ToUpper(strings.ReplaceAll(phone.recovery[0], "-", " "))
	require.Equal(t, http.StatusFound, br.code(asked, typed).status)
	require.Equal(t, "amara", b.nextMail().GetRecoveryCodeUsed().GetUsername())
	br, asked, _ = b.atCode(client, "amara")
	require.Equal(t, http.StatusUnprocessableEntity, br.code(asked, phone.recovery[0]).status, "once")
	require.Equal(t, http.StatusFound, br.code(asked, phone.recovery[1]).status, "in the same field")
	b.nextMail()
	state, err := b.second.State(t.Context(), amara.UID.String())
	require.NoError(t, err)
	require.Equal(t, 8, state.CodesLeft)
	require.Zero(t, b.count(`SELECT count(*) FROM recovery_codes WHERE position(convert_to($1, 'UTF8') IN hash) > 0`, phone.recovery[2]), "kept as hashes")

	fresh, err := b.second.NewRecoveryCodes(t.Context(), b.signedIn(amara, true), goodPassword)
	require.NoError(t, err)
	require.Len(t, fresh, secondstep.RecoveryCodes)
	br, asked, _ = b.atCode(client, "amara")
	require.Equal(t, http.StatusUnprocessableEntity, br.code(asked, phone.recovery[2]).status, "replaced")
	require.Equal(t, http.StatusFound, br.code(asked, fresh[2]).status)
}

func TestCodesAreSlowedAndBoundedForWhoHasThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara := b.member("amara")
	phone, ctx := b.turnOn(amara), t.Context()
	phone.later()
	try := func(code, address, device string) error {
		in := secondstep.Attempt{UID: amara.UID, Code: code, Address: address}
		if device != "" {
			in.Device = account.Device{UID: amara.UID, ID: device}
		}
		return b.second.Prove(ctx, in)
	}
	wrong := wrongCode(phone.shows(0))
	for range 10 {
		require.ErrorIs(t, try(wrong, "192.0.2.1", ""), secondstep.ErrCode)
	}
	require.ErrorIs(t, try(phone.shows(0), "192.0.2.1", ""), account.ErrTooManyRequests, "not even the right one")
	for i := range 40 {
		require.ErrorIs(t, try(wrong, "198.51.100."+string(rune('a'+i%4)), ""), secondstep.ErrCode)
	}
	require.ErrorIs(t, try(phone.shows(0), "203.0.113.9", ""), account.ErrTooManyRequests, "fifty a day from everywhere")
	require.NoError(t, try(phone.recovery[0], "203.0.113.9", ""), "a recovery code still lets in")
	require.NoError(t, try(phone.shows(0), "203.0.113.9", "known"), "and so does a browser that is known")
	for range 10 {
		require.ErrorIs(t, try(wrong, "203.0.113.9", "known"), secondstep.ErrCode)
	}
	require.ErrorIs(t, try(phone.shows(1), "203.0.113.9", "known"), account.ErrTooManyRequests)
	b.clock.Advance(24 * time.Hour)
	require.NoError(t, try(phone.shows(0), "203.0.113.9", ""), "the next day")
}

func TestTheStepBetweenPasswordAndCodeIsBoundToItsRequestAndShort(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	phone, client := b.turnOn(b.member("amara")), b.rp()
	code := phone.later()
	br, asked, _ := b.atCode(client, "amara")
	require.Equal(t, http.StatusBadRequest, b.browser().code(asked, code).status, "another browser's")
	forged := asked.fields()
	forged.Set("code", code)
	forged.Set("token", "junk")
	require.Equal(t, http.StatusForbidden, br.post("/sign-in/code", forged).status)
	plain := br.open(client, oauth2.GenerateVerifier())
	early := url.Values{"request": plain.fields()["request"], "token": {"junk"}, "code": {code}}
	require.Equal(t, http.StatusBadRequest, br.post("/sign-in/code", early).status, "no password was given to that request")
	b.clock.Advance(10 * time.Minute)
	late := br.code(asked, phone.shows(0))
	require.Equal(t, http.StatusOK, late.status)
	require.Contains(t, late.body, "Enter your password to sign in.", "asked for the password again")
	require.Zero(t, b.count(`SELECT count(*) FROM sessions`))
}

func TestAnAppIsSetUpOnceByTheSessionThatGaveThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, nils, ctx := b.member("amara"), b.member("nils"), t.Context()
	m := b.signedIn(amara, false)
	_, err := b.second.Begin(ctx, m, "not the password")
	require.ErrorIs(t, err, account.ErrWrongPassword)
	begun, err := b.second.Begin(ctx, m, goodPassword)
	require.NoError(t, err)
	require.Zero(t, b.count(`SELECT count(*) FROM authenticators`), "beginning costs no row")
	at, err := url.Parse(begun.Address)
	require.NoError(t, err)
	require.Equal(t, "otpauth://totp/Serein:amara", at.Scheme+"://"+at.Host+at.Path)
	require.Equal(t, []string{begun.Secret, "Serein", "SHA1", "6", "30"}, []string{
		at.Query().Get("secret"), at.Query().Get("issuer"), at.Query().Get("algorithm"), at.Query().Get("digits"), at.Query().Get("period"),
	})
	phone := &app{b: b, secret: begun.Secret}
	finish := func(who account.Signed, sealed, code string) error {
		_, err := b.second.Finish(ctx, who, sealed, code)
		return err
	}
	require.ErrorIs(t, finish(account.Signed{UID: m.UID, SID: "elsewhere"}, begun.Sealed, phone.shows(0)), secondstep.ErrRefused, "another session's")
	require.ErrorIs(t, finish(signedHere(nils), begun.Sealed, phone.shows(0)), secondstep.ErrRefused, "another member's")
	require.ErrorIs(t, finish(m, "junk", phone.shows(0)), secondstep.ErrRefused)
	require.ErrorIs(t, finish(m, begun.Sealed, wrongCode(phone.shows(0))), secondstep.ErrCode)
	require.NoError(t, finish(m, begun.Sealed, phone.shows(0)), "a wrong code first is no reason to begin again")
	require.ErrorIs(t, finish(m, begun.Sealed, phone.shows(1)), secondstep.ErrOn, "once")
	_, err = b.second.Begin(ctx, m, goodPassword)
	require.ErrorIs(t, err, secondstep.ErrOn)
	b.nextMail()
	require.Zero(t, b.count(`SELECT count(*) FROM authenticators WHERE position(convert_to($1, 'UTF8') IN sealed) > 0`, begun.Secret), "sealed")

	require.ErrorIs(t, b.second.Remove(ctx, m, "not the password"), account.ErrWrongPassword)
	require.NoError(t, b.second.Remove(ctx, m, goodPassword))
	require.NoError(t, b.second.Remove(ctx, m, goodPassword), "once")
	require.Equal(t, "amara", b.nextMail().GetSecondStepOff().GetUsername())
	require.Empty(t, b.mail.mails, "one letter")
	require.Zero(t, b.count(`SELECT count(*) FROM recovery_codes`))
	_, err = b.second.NewRecoveryCodes(ctx, m, goodPassword)
	require.ErrorIs(t, err, secondstep.ErrOff)
	require.ErrorIs(t, finish(m, begun.Sealed, phone.later()), secondstep.ErrRefused, "a ceremony counts once, also after it was turned off")
	require.Equal(t, amara.UID.String(), b.rp().verify(t, b.browser().signIn(b.rp(), "amara")).Subject, "the password alone lets in again")

	late, err := b.second.Begin(ctx, m, goodPassword)
	require.NoError(t, err)
	b.clock.Advance(secondstep.CeremonyLife)
	require.ErrorIs(t, finish(m, late.Sealed, (&app{b: b, secret: late.Secret}).shows(0)), secondstep.ErrRefused, "within ten minutes")
}

func TestTheSecondStepStaysWhereThePasswordIsForgottenTheAccountLeavesOrAPasskeyIsUsed(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, client := b.member("amara"), b.rp()
	k, phone := b.register(amara), b.turnOn(amara)
	br := b.browser()
	require.Equal(t, http.StatusFound, br.enter(br.open(client, oauth2.GenerateVerifier()), k).status, "a passkey asks for no code")

	br = b.browser()
	step := br.forgot(br.open(client, oauth2.GenerateVerifier()), "amara")
	asked := br.reset(step, b.nextMail().GetPasswordReset().GetCode(), goodPassword+" 2")
	b.nextMail()
	require.Equal(t, http.StatusFound, br.code(asked, phone.later()).status, "a new password alone does not let in")

	_, err := b.accounts.ScheduleDeletion(t.Context(), b.signedIn(amara, true), goodPassword+" 2", here)
	require.NoError(t, err)
	before := b.count(`SELECT count(*) FROM sessions`)
	br = b.browser()
	asked = br.submit(br.open(client, oauth2.GenerateVerifier()), "amara", goodPassword+" 2")
	keep := br.code(asked, phone.later())
	require.Equal(t, "/sign-in/keep", keep.at.Path, keep.body)
	require.Equal(t, before, b.count(`SELECT count(*) FROM sessions`))
	require.Equal(t, http.StatusFound, br.post("/sign-in/keep", keep.fields()).status)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM sessions WHERE second_step`))
}

func TestWhatWasDemandedOfAnAccountMeanwhileCountsAfterTheCodeToo(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, client := b.member("amara"), b.rp()
	phone := b.turnOn(amara)
	code := phone.later()
	br, asked, _ := b.atCode(client, "amara")
	_, _, err := b.store.RequireReset(t.Context(), "amara", b.clock.Now())
	require.NoError(t, err)
	again := br.code(asked, code)
	require.Contains(t, again.body, "Enter your password to sign in.", "the one that was given counts no more")
	require.Contains(t, br.submit(again, "amara", goodPassword).body, "Please set a new password first.")
	require.Zero(t, b.count(`SELECT count(*) FROM sessions`))

	nils := b.member("nils")
	b.turnOn(nils)
	br, asked, _ = b.atCode(client, "nils")
	require.NoError(t, b.second.Remove(t.Context(), b.signedIn(nils, true), goodPassword))
	require.Contains(t, br.code(asked, "123456").body, "Enter your password to sign in.")
}

func TestTheSignUpAPIRefusesThePasswordOfAMemberWithASecondStep(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara := b.member("amara")
	b.turnOn(amara)
	client, _ := b.sdk()
	_, err := client.InitiateAuth(t.Context(), passwordAuth("desk", deskSecret, "amara", goodPassword))
	var refused *types.NotAuthorizedException
	require.ErrorAs(t, err, &refused)
	require.Contains(t, refused.ErrorMessage(), "on the hosted page")
	_, err = client.InitiateAuth(t.Context(), passwordAuth("desk", deskSecret, "amara", "not the password"))
	require.ErrorAs(t, err, &refused)
	require.NotContains(t, refused.ErrorMessage(), "hosted page", "without the password the answer says nothing")
	require.Zero(t, b.count(`SELECT count(*) FROM sessions`))
}

func TestASecretOutlivesTheSecretThatSealedIt(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, ctx := b.member("amara"), t.Context()
	phone := b.turnOn(amara)
	with := func(secret, previous string) *secondstep.Service {
		s, err := secondstep.New(secondstep.Config{
			Store: b.store, Accounts: b.accounts, BrowserSecret: b.browserSecret, KeySecret: config.Secret(secret), KeySecretPrevious: config.Secret(previous), Now: b.clock.Now, NewID: newID,
		})
		require.NoError(t, err)
		return s
	}
	prove := func(s *secondstep.Service) error {
		return s.Prove(ctx, secondstep.Attempt{UID: amara.UID, Code: phone.later(), Address: here})
	}
	const next = "another-key-secret-0123456789-0123456"
	require.Error(t, prove(with(next, "")))
	both := with(next, keySecret)
	require.NoError(t, prove(both))
	require.NoError(t, both.Reseal(ctx))
	require.NoError(t, prove(with(next, "")), "the old one may go")
	sealed := b.count(`SELECT length(sealed) FROM authenticators`)
	require.NoError(t, both.Reseal(ctx), "and once is enough")
	require.Equal(t, sealed, b.count(`SELECT length(sealed) FROM authenticators`))
}

func TestEachCodeIsALineOfTheSecurityLog(t *testing.T) {
	t.Parallel()
	out := &logged{}
	tel, err := telemetry.SetupTo(t.Context(), "identity", out)
	require.NoError(t, err)
	b := setup(t)
	b.security, err = seclog.New(tel, "a-secret-of-32-characters-or-more", b.clock.Now)
	require.NoError(t, err)
	b.serve()
	amara, ctx := b.member("amara"), t.Context()
	phone := b.turnOn(amara)
	prove := func(code string) {
		_ = b.second.Prove(ctx, secondstep.Attempt{UID: amara.UID, Code: code, Address: here})
		b.clock.Advance(2 * time.Second)
	}
	prove(phone.shows(0))
	prove(phone.later())
	prove(wrongCode(phone.shows(0)))
	prove(phone.recovery[0])
	for range 9 {
		prove(wrongCode(phone.shows(0)))
	}
	prove(wrongCode(phone.shows(0)))
	_, err = b.second.NewRecoveryCodes(ctx, b.signedIn(amara, true), goodPassword)
	require.NoError(t, err)
	require.NoError(t, b.second.Remove(ctx, b.signedIn(amara, true), goodPassword))
	events := strings.Join(out.events(t), ", ")
	require.Equal(t, "second_step added, second_step reused, second_step success, second_step failure, second_step recovered, "+
		strings.Repeat("second_step failure, ", 9)+"second_step locked, second_step renewed, second_step removed", events)
}

func TestTheSecondStepIsTheCallersOwnOverRPC(t *testing.T) {
	t.Parallel()
	a := setup(t).serve().answer()
	amara, nils := a.member("amara"), a.member("nils")
	a.turnOn(amara)
	calls := a.secondStepCalls("gateway")
	res, err := calls.GetSecondStep(a.as(amara.UID.String(), false), &identityv1.GetSecondStepRequest{})
	require.NoError(t, err)
	require.NotNil(t, res.GetSecondStep().GetOnSince())
	require.EqualValues(t, 10, res.GetSecondStep().GetRecoveryCodesLeft())
	res, err = calls.GetSecondStep(a.as(nils.UID.String(), false), &identityv1.GetSecondStepRequest{})
	require.NoError(t, err)
	require.Nil(t, res.GetSecondStep().GetOnSince())
	ctx, sid := a.as(nils.UID.String(), false), a.signedIn(nils, false).SID
	begun, err := calls.BeginSecondStep(ctx, &identityv1.BeginSecondStepRequest{PresentPassword: goodPassword, Sid: sid})
	require.NoError(t, err)
	theirs := &app{b: a.harness, secret: begun.GetSecret()}
	done, err := calls.FinishSecondStep(ctx, &identityv1.FinishSecondStepRequest{Ceremony: begun.GetCeremony(), Code: theirs.shows(0), Sid: sid})
	require.NoError(t, err)
	require.Len(t, done.GetRecoveryCodes(), 10)
	fresh, err := calls.NewRecoveryCodes(ctx, &identityv1.NewRecoveryCodesRequest{PresentPassword: goodPassword, Sid: sid})
	require.NoError(t, err)
	require.NotEqual(t, done.GetRecoveryCodes(), fresh.GetRecoveryCodes())
	off, err := calls.RemoveSecondStep(ctx, &identityv1.RemoveSecondStepRequest{PresentPassword: goodPassword, Sid: sid})
	require.NoError(t, err)
	require.Nil(t, off.GetSecondStep().GetOnSince())
	_, err = a.secondStepCalls("billing").GetSecondStep(ctx, &identityv1.GetSecondStepRequest{})
	require.Error(t, err)
}

func TestAnOperatorTurnsTheSecondStepOffOfWhoHasLostEverything(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara := b.member("amara")
	b.turnOn(amara)
	done := command(t, b.db.URL, "turn-off-second-step", "amara")
	require.Equal(t, "amara now signs in with the password alone. A letter tells them.\n", done.out)
	isAdminEvent(t, done, "turn-off-second-step", amara.UID)
	require.Equal(t, "amara", b.nextMail().GetSecondStepOff().GetUsername())
	require.Equal(t, amara.UID.String(), b.rp().verify(t, b.browser().signIn(b.rp(), "amara")).Subject)
	require.Equal(t, ran{0, "amara has no second step; nothing changed.\n", ""}, command(t, b.db.URL, "turn-off-second-step", "amara"))
	require.Equal(t, ran{1, "", "identity: there is no confirmed account \"nobody\"\n"}, command(t, b.db.URL, "turn-off-second-step", "nobody"))
}
