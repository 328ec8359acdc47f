package identity_test

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
)

// joining is the browser that signs up, as the gateway calls for it.
type joining struct {
	*answering
	calls identityv1connect.SignUpServiceClient
	proof string
}

// joins signs up by RPC and gives the code of its letter; empty where none was sent.
func (b *harness) joins(username, email string) (*joining, string) {
	b.t.Helper()
	a := b.answer()
	j := &joining{answering: a, calls: identityv1connect.NewSignUpServiceClient(testkit.Dialer(b.t, "gateway").To("identity", a.url))}
	up, err := j.calls.SignUp(b.t.Context(), &identityv1.SignUpRequest{
		Username: username, Email: email, GivenName: "Amara", FamilyName: "Lindqvist", Password: goodPassword, AgeConfirmed: true, TermsVersion: shownTexts, Address: here,
	})
	require.NoError(b.t, err)
	j.proof = up.GetProof()
	if up.GetCodeHeldBack() {
		return j, ""
	}
	return j, b.nextMail().GetConfirmationCode().GetCode()
}

func (j *joining) confirm(username, code, proof string, client *rp, verifier string) (*identityv1.ConfirmSignUpResponse, error) {
	authorization, err := url.Parse(client.AuthCodeURL("state-1", oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("nonce", "n-1"), oauth2.SetAuthURLParam("time_zone", "Europe/London")))
	require.NoError(j.t, err)
	return j.calls.ConfirmSignUp(j.t.Context(), &identityv1.ConfirmSignUpRequest{
		Username: username, Code: code, Address: here, Proof: proof, Authorization: authorization.RawQuery, UserAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
	})
}

func TestWhoConfirmsInTheBrowserThatSignedUpIsSignedInByIt(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, verifier := b.rp(), oauth2.GenerateVerifier()
	j, code := b.joins("amara", "amara@example.org")
	confirmed, err := j.confirm("Amara", code, j.proof, client, verifier)
	require.NoError(t, err)
	token, err := client.Exchange(client.ctx, confirmed.GetAuthorizationCode(), oauth2.VerifierOption(verifier))
	require.NoError(t, err)
	proved := client.verify(t, token)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM sessions WHERE uid = $1 AND place = 'London'`, proved.Subject), "it stands among the devices")
	_, err = client.refresh(token.RefreshToken)
	require.NoError(t, err, "and goes on")

	again, err := j.confirm("amara", code, j.proof, client, verifier)
	require.NoError(t, err, "a lost answer")
	require.Empty(t, again.GetAuthorizationCode(), "signs nobody in a second time")
}

func TestConfirmationsAtOnceSignInOnceAndTheSecurityLogHasIt(t *testing.T) {
	t.Parallel()
	out := &logged{}
	tel, err := telemetry.SetupTo(t.Context(), "identity", out)
	require.NoError(t, err)
	b := setup(t)
	b.security, err = seclog.New(tel, "a-secret-of-32-characters-or-more", b.clock.Now)
	require.NoError(t, err)
	b.serve()
	client, verifier := b.rp(), oauth2.GenerateVerifier()
	j, code := b.joins("amara", "amara@example.org")
	var signedIn atomic.Int32
	var group sync.WaitGroup
	for range account.CodeTries {
		group.Go(func() {
			if confirmed, err := j.confirm("amara", code, j.proof, client, verifier); err == nil && confirmed.GetAuthorizationCode() != "" {
				signedIn.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, signedIn.Load())
	require.Equal(t, 1, b.count(`SELECT count(*) FROM sessions`))
	require.Equal(t, 1, strings.Count(strings.Join(out.events(t), "\n"), "sign_in success"))
}

func TestNobodyElseIsSignedInByACode(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(j, other *joining, client *rp) (proof string){
		"no proof":          func(*joining, *joining, *rp) string { return "" },
		"made up":           func(*joining, *joining, *rp) string { return "bm9uZQ" },
		"another account's": func(_, other *joining, _ *rp) string { return other.proof },
		"too old": func(j, _ *joining, _ *rp) string {
			j.clock.Advance(account.UnconfirmedLife - account.CodeLife/2)
			require.NoError(j.t, j.accounts.Resend(j.t.Context(), here, "amara"))
			j.clock.Advance(account.CodeLife)
			return j.proof
		},
		"a client that is not ours": func(j, _ *joining, client *rp) string {
			client.ClientID, client.RedirectURL = "companion", companionURI
			return j.proof
		},
		"an address that is not registered": func(j, _ *joining, client *rp) string {
			client.RedirectURL = "https://evil.test/callback"
			return j.proof
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t).serve()
			client := b.rp()
			j, code := b.joins("amara", "amara@example.org")
			other, _ := b.joins("eve", "eve@example.org")
			confirmed, err := j.confirm("amara", code, change(j, other, client), client, oauth2.GenerateVerifier())
			if err == nil {
				require.Empty(t, confirmed.GetAuthorizationCode())
			}
			require.Zero(t, b.count(`SELECT count(*) FROM sessions`))
		})
	}
}

func TestStrangersGuessesLeaveTheBrowserThatSignedUpItsTries(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client := b.rp()
	j, code := b.joins("amara", "amara@example.org")
	for i := range 4 {
		for range account.CodeTries {
			require.ErrorIs(t, b.accounts.Confirm(t.Context(), fmt.Sprintf("198.51.100.%d", i), "amara", wrongCode(code)), account.ErrCodeMismatch)
		}
	}
	_, err := j.confirm("amara", code, "", client, oauth2.GenerateVerifier())
	require.Equal(t, "CODE_MISMATCH", errs.From(err).Word(), "strangers have had the tries of the mailbox")
	require.Contains(t, errs.From(err).Public, "sign in with your username and password", "and the answer says what works")
	_, err = j.confirm("amara", code, j.proof, client, oauth2.GenerateVerifier())
	require.NoError(t, err)
}

// pressed is how often strangers who hold the proofs of their own sign-ups get another letter to the mailbox that they gave: each from an
// address of their own, until it is refused.
func (b *harness) pressed(names []string) (letters int) {
	b.t.Helper()
	for range 6 {
		for i, name := range names {
			err := b.accounts.ResendProved(b.t.Context(), fmt.Sprintf("198.51.100.%d", i), name)
			if err == nil {
				letters++
				continue
			}
			require.ErrorIs(b.t, err, account.ErrLimitExceeded)
		}
		b.clock.Advance(time.Minute)
	}
	return letters
}

func (j *joining) resend(username string) error {
	_, err := j.calls.ResendConfirmationCode(j.t.Context(), &identityv1.ResendConfirmationCodeRequest{Username: username, Address: here, Proof: j.proof})
	return err
}

func TestWhatIsNotSentIsSaidAndTheBrowserThatSignedUpGetsItsLetter(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("known")
	strangers := b.otherSignUps(12, "amara@example.org")
	for i := range 12 {
		in := form(fmt.Sprintf("other-k-%d", i), "known@example.org")
		in.Address = fmt.Sprintf("198.51.100.%d", i)
		_, err := b.accounts.SignUp(t.Context(), in)
		require.NoError(t, err)
	}
	require.Equal(t, 5*5, b.pressed(strangers[:5]), "strangers have the passwords of their own sign-ups")
	j, code := b.joins("amara", "amara@example.org")
	require.Empty(t, code, "strangers have had the letters of the mailbox")
	_, known := b.joins("another", "known@example.org")
	require.Empty(t, known, "which says nothing of who has an account")

	require.NoError(t, j.resend("amara"))
	confirmed, err := j.confirm("amara", b.codeOf("amara"), j.proof, b.rp(), oauth2.GenerateVerifier())
	require.NoError(t, err)
	require.NotEmpty(t, confirmed.GetAuthorizationCode())
}

func TestStrangersAtManyAddressesKeepTheLetterOfTheBrowserThatSignedUpForMinutes(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	require.Equal(t, 30, b.pressed(b.otherSignUps(12, "amara@example.org")), "all that a mailbox gets at once")
	j, code := b.joins("amara", "amara@example.org")
	require.Empty(t, code)
	for range 6 { // who presses in vain uses up nothing
		err := errs.From(j.resend("amara"))
		require.Equal(t, "LIMIT_EXCEEDED", err.Word())
		require.LessOrEqual(t, err.RetryAfter, 10*time.Minute)
		b.clock.Advance(time.Minute)
	}
	b.clock.Advance(4 * time.Minute)
	require.NoError(t, j.resend("amara"))
	_, err := j.confirm("amara", b.codeOf("amara"), j.proof, b.rp(), oauth2.GenerateVerifier())
	require.NoError(t, err)
}

func TestStrangersFillAMailboxWithABoundedNumberOfLettersADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for hour := range 24 {
		for i := range 12 {
			in := form(fmt.Sprintf("other-%d-%d", hour, i), "amara@example.org")
			in.Address = fmt.Sprintf("198.51.%d.%d", hour, i)
			_, err := b.accounts.SignUp(t.Context(), in)
			require.NoError(t, err)
			require.NoError(t, b.accounts.Resend(t.Context(), in.Address, in.Username))
			if err = b.accounts.ResendProved(t.Context(), in.Address, in.Username); err != nil {
				require.ErrorIs(t, err, account.ErrLimitExceeded)
			}
			b.clock.Advance(5 * time.Minute)
		}
	}
	require.LessOrEqual(t, b.count(`SELECT count(*) FROM codes`), 31+30+24*6, "20 of sign-ups, 10 of resends, and one where the next day begins; "+
		"30 for who has given a password, and then one in ten minutes")
}
