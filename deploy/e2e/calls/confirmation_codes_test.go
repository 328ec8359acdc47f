package calls

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

func TestAWrongCodeConfirmsNobodyAndTheRightOneDoes(t *testing.T) {
	t.Parallel()
	person, code := waiting(t)
	for wrong, reason := range map[string]string{
		other(code): "CODE_MISMATCH", markup: "CODE_MISMATCH", "": "INVALID_ARGUMENT",
		"012345678901234567890123456789012": "INVALID_ARGUMENT",
	} {
		require.Equal(t, reason, confirm(t, person, wrong).Reason, "%q", wrong)
		requireConfirmed(t, person, false)
	}
	require.Zero(t, confirm(t, person, code))
	requireConfirmed(t, person, true)
	require.Zero(t, confirm(t, person, code), "an answer that was lost is given again")
}

func TestTooManyWrongCodesEndTheRightOneToo(t *testing.T) {
	t.Parallel()
	person, code := waiting(t)
	for range 5 {
		require.Equal(t, "CODE_MISMATCH", confirm(t, person, other(code)).Reason)
	}
	for _, either := range []string{other(code), code} {
		refused := confirm(t, person, either)
		require.Equal(t, []string{"resource_exhausted", "LIMIT_EXCEEDED"}, []string{refused.Code, refused.Reason})
	}
	requireConfirmed(t, person, false)
}

func TestAnExpiredCodeIsReplacedByANewOne(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	person, old := waiting(t)
	_, err := harness.SQL[int](ctx, product.Harness, "identity", `UPDATE codes SET expires_at = now() - interval '1 second'
		WHERE uid = (SELECT uid FROM accounts WHERE username = $1) RETURNING 1`, person.Username)
	require.NoError(t, err)
	require.Equal(t, "EXPIRED_CODE", confirm(t, person, old).Reason)
	requireConfirmed(t, person, false)

	_, err = person.Account.ResendConfirmationCode(ctx, &webv1.ResendConfirmationCodeRequest{Username: person.Username})
	require.NoError(t, err)
	var fresh string
	require.NoError(t, harness.Eventually(ctx, "the second code", func(ctx context.Context) (bool, error) {
		fresh, err = product.Code(ctx, person.Email)
		return fresh != old, err
	}))
	require.Equal(t, "CODE_MISMATCH", confirm(t, person, old).Reason)
	require.Zero(t, confirm(t, person, fresh))
	requireConfirmed(t, person, true)
}

func TestTheCodeSignsInTheBrowserThatSignedUpAndNoOther(t *testing.T) {
	t.Parallel()
	for _, here := range []bool{true, false} {
		person, code := waiting(t)
		b := person.Browser
		if !here {
			b = product.NewBrowser()
		}
		confirmed, err := b.Account.ConfirmSignUp(t.Context(), &webv1.ConfirmSignUpRequest{Username: person.Username, Code: code, TimeZone: "Europe/London"})
		require.NoError(t, err)
		require.Equal(t, here, confirmed.GetSignedIn())
		session, err := b.Session.GetSession(t.Context(), &webv1.GetSessionRequest{})
		require.NoError(t, err)
		require.Equal(t, here, session.GetMember() != nil)
		if !here {
			continue
		}
		listed, err := b.Devices.ListDevices(t.Context(), &webv1.ListDevicesRequest{})
		require.NoError(t, err)
		require.Len(t, listed.GetDevices(), 1)
		require.True(t, listed.GetDevices()[0].GetCurrent())
		_, err = b.Session.SignOut(t.Context(), &webv1.SignOutRequest{})
		require.NoError(t, err)
		session, err = b.Session.GetSession(t.Context(), &webv1.GetSessionRequest{})
		require.NoError(t, err)
		require.Nil(t, session.GetMember(), "and out again")
	}
}

// The answer must not reveal whether a person has an account.
func TestACodeForAnUnknownPersonIsAWrongCode(t *testing.T) {
	t.Parallel()
	person, code := waiting(t)
	stranger := unregistered() // the product answers less to the browser that signed up, which has given the password
	stranger.Username = person.Username
	require.Equal(t, confirm(t, stranger, other(code)), confirm(t, unregistered(), code))
}

// waiting has signed up and holds the code.
func waiting(t *testing.T) (*harness.Member, string) {
	t.Helper()
	ctx := t.Context()
	person, err := product.SignUp(ctx)
	require.NoError(t, err)
	code, err := product.Code(ctx, person.Email)
	require.NoError(t, err)
	return person, code
}

func confirm(t *testing.T, m *harness.Member, code string) harness.Refusal {
	t.Helper()
	_, err := m.Account.ConfirmSignUp(t.Context(), &webv1.ConfirmSignUpRequest{Username: m.Username, Code: code})
	return harness.RefusalOf(err)
}

// other is a code that is wrong by one digit.
func other(code string) string { return string('0'+(code[0]-'0'+1)%10) + code[1:] }

func requireConfirmed(t *testing.T, m *harness.Member, yes bool) {
	t.Helper()
	confirmed, err := harness.SQL[bool](t.Context(), product.Harness, "identity",
		"SELECT confirmed_at IS NOT NULL FROM accounts WHERE username = $1", m.Username)
	require.NoError(t, err)
	require.Equal(t, yes, confirmed)
}
