package identity_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/crowd"
)

// otherSignUps makes n accounts that somebody else signs up with the address, each from another network address.
func (b *harness) otherSignUps(n int, email string) []string {
	b.t.Helper()
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("other-%02d", i)
		in := form(names[i], email)
		in.Address = fmt.Sprintf("198.51.100.%d", i)
		_, err := b.accounts.SignUp(b.t.Context(), in)
		require.NoError(b.t, err)
	}
	return names
}

// codeOf is the account's newest code.
func (b *harness) codeOf(username string) string {
	b.t.Helper()
	var code account.Code
	_ = b.store.Confirm(b.t.Context(), username, b.clock.Now(), b.mailboxes.Key, func(c account.Code) error { code = c; return account.ErrCodeMismatch })
	return b.codes.Digits(code)
}

func TestNobodyShutsTheOwnerOfAnAddressOut(t *testing.T) {
	t.Parallel()

	t.Run("a caller who fills a mailbox is refused, and its owner signs up elsewhere", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		signUp := func(i int) error {
			in := form(fmt.Sprintf("other-%d", i), "amara@example.org")
			in.Address = "198.51.100.7"
			_, err := b.accounts.SignUp(t.Context(), in)
			return err
		}
		for i := range 5 {
			require.NoError(t, signUp(i))
			b.nextMail()
		}
		require.ErrorIs(t, signUp(5), account.ErrTooManyRequests)
		for i := range 5 {
			require.NoError(t, b.accounts.Resend(t.Context(), here, fmt.Sprintf("other-%d", i)))
			b.nextMail()
		}
		own := form("amara", "amara@example.org")
		own.Address = "192.0.2.1"
		_, err := b.accounts.SignUp(t.Context(), own)
		require.NoError(t, err)
		mail := b.nextMail().GetConfirmationCode()
		require.Equal(t, "amara", mail.GetUsername())
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", mail.GetCode()))
	})

	t.Run("her good code stays good, however many sign up after her", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		code := b.nextMail().GetConfirmationCode().GetCode()
		b.otherSignUps(12, "amara@example.org")
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", code))
	})

	t.Run("nor by guessing at codes of their own: her first try counts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		code := b.nextMail().GetConfirmationCode().GetCode()
		for _, name := range b.otherSignUps(5, "amara@example.org") {
			for range account.CodeTries {
				require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, name, "no"), account.ErrCodeMismatch)
			}
		}
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", code))
	})
}

func TestAMailboxGetsABoundedNumberOfCodes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	names := b.otherSignUps(20, "amara@example.org")
	require.Equal(t, 10, b.count(`SELECT count(*) FROM codes`), "of sign-ups")
	for _, name := range names {
		require.NoError(t, b.accounts.Resend(t.Context(), here, name), "with the answer that everybody gets")
	}
	require.Equal(t, 15, b.count(`SELECT count(*) FROM codes`), "and of resends")
	b.clock.Advance(time.Hour)
	require.NoError(t, b.accounts.Resend(t.Context(), here, names[0]))
	require.Equal(t, 16, b.count(`SELECT count(*) FROM codes`), "an hour later again")
}

func TestTheLettersOfAMailboxAreCountedUnderAllItsAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 20 {
		in := form(fmt.Sprintf("other-%02d", i), fmt.Sprintf("amara+%d@example.org", i))
		in.Address = fmt.Sprintf("198.51.100.%d", i)
		_, err := b.accounts.SignUp(t.Context(), in)
		require.NoError(t, err)
	}
	require.Equal(t, 10, b.count(`SELECT count(*) FROM codes`))
}

func TestACodeIsNotReplacedByOneThatIsNotSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
	require.NoError(t, err)
	code := b.nextMail().GetConfirmationCode().GetCode()
	for _, name := range b.otherSignUps(5, "amara@example.org") {
		require.NoError(t, b.accounts.Resend(t.Context(), here, name))
	}
	require.NoError(t, b.accounts.Resend(t.Context(), here, "amara"))
	require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", code))
}

func TestGuessesAtTheCodesOfAMailboxAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	names := b.otherSignUps(10, "amara@example.org")
	for _, name := range names[:4] {
		for range account.CodeTries {
			require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, name, "no"), account.ErrCodeMismatch)
		}
	}
	for _, name := range names[4:] {
		require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, name, "no"), account.ErrCodeMismatch)
		require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, name, b.codeOf(name)), account.ErrCodeMismatch, "each code has its first try and no other")
	}
}

func TestResendingDoesNotKeepAnUnconfirmedNameForEver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
	require.NoError(t, err)
	for range 4 {
		b.clock.Advance(account.UnconfirmedLife / 4)
		require.NoError(t, b.accounts.Resend(t.Context(), here, "amara"))
	}
	other := form("amara", "mine@example.org")
	other.Password = "another three pebbles"
	_, err = b.accounts.SignUp(t.Context(), other)
	require.NoError(t, err, "the name is free again")
}

func TestTheConfirmStepIsCountedByAddress(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	br, step, _ := b.waiting(b.rp(), oauth2.GenerateVerifier(), "amara")
	code := b.nextMail().GetConfirmationCode().GetCode()
	for range 2*crowd.Size - 1 {
		require.NoError(t, b.accounts.AdmitConfirm(t.Context(), "127.0.0.1"))
	}
	require.Equal(t, http.StatusUnprocessableEntity, br.confirm(step, wrongCode(code)).status)
	refused := br.confirm(step, code)
	require.Equal(t, http.StatusTooManyRequests, refused.status)
	require.Contains(t, refused.body, "Please try again in about a minute")
	b.clock.Advance(time.Minute)
	require.Equal(t, http.StatusFound, br.confirm(step, code).status)
}

func TestAMailToAnAddressThatIsNotConfirmedHoldsNobodysWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := form("stranger", "amara@example.org")
	in.GivenName = "Visit http://evil.example/win now"
	_, err := b.accounts.SignUp(t.Context(), in)
	require.NoError(t, err)
	mail := b.nextMail()
	require.Empty(t, mail.GetGivenName(), "neither as a greeting nor beside the address")
	require.NotContains(t, mail.String(), "evil")

	b.member("amara")
	in = form("another", "amara@example.org")
	in.GivenName = "Visit http://evil.example/win now"
	_, err = b.accounts.SignUp(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, "Amara", b.nextMail().GetGivenName(), "a member is greeted by their own name")
}
