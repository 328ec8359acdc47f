package identity_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/errs"
)

func TestSignUp(t *testing.T) {
	t.Parallel()

	t.Run("a code is mailed and confirms the account, with one event each", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		up, err := b.accounts.SignUp(t.Context(), form("Amara", "Amara@Example.org"))
		require.NoError(t, err)
		require.False(t, up.HeldBack)
		_, err = b.accounts.ByUID(t.Context(), up.Subject)
		require.ErrorIs(t, err, account.ErrUserNotFound, "an unconfirmed account is nobody yet")
		mail := b.nextMail()
		require.Equal(t, "Amara@Example.org", mail.GetTo(), "stored as given")
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "aMARA", mail.GetConfirmationCode().GetCode()))
		a, err := b.accounts.ByUID(t.Context(), up.Subject)
		require.NoError(t, err)
		require.Equal(t, "Amara", a.Username)
		require.Equal(t, 1, b.count(`SELECT count(*) FROM outbox WHERE subject = 'serein.identity.user.registered.v1'`))
		require.Equal(t, 1, b.count(`SELECT count(*) FROM outbox WHERE subject = 'serein.identity.user.confirmed.v1'`))
		require.Equal(t, 2, b.count(`SELECT count(*) FROM consents WHERE uid = $1 AND version = $2`, up.Subject, shownTexts))
	})

	t.Run("neither password nor code is stored or queued", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		code := b.nextMail().GetConfirmationCode().GetCode()
		require.Zero(t, b.count(`SELECT count(*) FROM river_job WHERE args::text LIKE '%' || $1 || '%'`, `"`+code+`"`))
		require.Zero(t, b.count(`SELECT count(*) FROM accounts WHERE accounts::text LIKE '%' || $1 || '%'`, goodPassword))
		require.Zero(t, b.count(`SELECT count(*) FROM throttles WHERE encode(key, 'escape') LIKE '%amara%'`))
	})

	t.Run("a code that was queued under the job's former name is still mailed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		first := b.nextMail()
		_, err = b.db.Pool.Exec(t.Context(), `INSERT INTO river_job (kind, args, max_attempts)
			SELECT 'identity.send_code', args, max_attempts FROM river_job WHERE kind = 'identity.code_mail'`)
		require.NoError(t, err)
		again := b.nextMail()
		require.Equal(t, first.GetIdempotencyKey(), again.GetIdempotencyKey())
		require.Equal(t, first.GetConfirmationCode().GetCode(), again.GetConfirmationCode().GetCode())
	})

	t.Run("a taken username is said, in any case and width", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		for _, other := range []string{"amara", "AMARA", "ａｍａｒａ"} {
			_, err := b.accounts.SignUp(t.Context(), form(other, "someone@example.org"))
			require.ErrorIs(t, err, account.ErrUsernameExists)
			require.Equal(t, "username", errs.From(err).Field)
		}
	})

	t.Run("of many sign-ups with one username at once one wins", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var won sync.Map
		var group sync.WaitGroup
		for i := range 16 {
			group.Go(func() {
				in := form("amara", strings.Repeat("a", i+1)+"@example.org")
				in.Password += strings.Repeat("!", i)
				if _, err := b.accounts.SignUp(t.Context(), in); err == nil {
					won.Store(i, true)
				}
			})
		}
		group.Wait()
		winners := 0
		won.Range(func(any, any) bool { winners++; return true })
		require.Equal(t, 1, winners)
		require.Equal(t, 1, b.count(`SELECT count(*) FROM accounts`))
	})

	t.Run("an unconfirmed sign-up lapses and frees its username and address", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		b.clock.Advance(account.UnconfirmedLife + time.Second)
		_, err = b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		require.Equal(t, 1, b.count(`SELECT count(*) FROM accounts`))
	})
}

func TestWhetherAnAddressHasAnAccountIsToldToNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.member("amara")
	known, fresh := form("known", "AMARA@example.org"), form("fresh", "new@example.org")

	before := b.work.Spent()
	knownUp, knownErr := b.accounts.SignUp(t.Context(), known)
	knownWork := b.work.Spent() - before
	_, freshErr := b.accounts.SignUp(t.Context(), fresh)
	freshWork := b.work.Spent() - before - knownWork
	require.NoError(t, knownErr)
	require.NoError(t, freshErr)
	require.Equal(t, freshWork, knownWork, "the same work")

	byTo := map[string]string{}
	for range 2 {
		m := b.nextMail()
		byTo[m.GetTo()] = m.GetAccountExists().GetUsername()
	}
	require.Equal(t, map[string]string{"amara@example.org": "amara", "new@example.org": ""}, byTo, "identity writes to its owner")
	_, err := b.accounts.ByUID(t.Context(), knownUp.Subject)
	require.ErrorIs(t, err, account.ErrUserNotFound, "no account was created")
	require.Equal(t, 2, b.count(`SELECT count(*) FROM outbox WHERE subject LIKE '%registered%'`), "amara and fresh")

	// Nothing that somebody else can do afterwards tells the two apart.
	for _, name := range []string{"known", "fresh"} {
		guess := form(name, "third@example.org")
		guess.Password = "another three pebbles"
		_, err := b.accounts.SignUp(t.Context(), guess)
		require.ErrorIs(t, err, account.ErrUsernameExists)
		require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, name, "000000x"), account.ErrCodeMismatch)
		b.clock.Advance(2 * time.Minute)
		require.NoError(t, b.accounts.Resend(t.Context(), here, name))
		_, err = b.accounts.Authenticate(t.Context(), account.Attempt{Login: name, Password: goodPassword, Address: "192.0.2.1"})
		require.ErrorIs(t, err, account.ErrNotConfirmed)
	}
	// Not even the right code makes an account of it.
	var code account.Code
	_ = b.store.Confirm(t.Context(), "known", b.clock.Now(), b.mailboxes.Key, func(c account.Code) error { code = c; return account.ErrCodeMismatch })
	require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "known", b.codes.Digits(code)), account.ErrCodeMismatch)
}

func TestTwoSignUpsOfOneAddressMakeOneAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.accounts.SignUp(t.Context(), form("first", "amara@example.org"))
	require.NoError(t, err)
	older := b.nextMail().GetConfirmationCode().GetCode()
	_, err = b.accounts.SignUp(t.Context(), form("second", "amara@example.org"))
	require.NoError(t, err)
	newest := b.nextMail().GetConfirmationCode().GetCode()
	require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "first", newest), account.ErrCodeMismatch, "a code is its own account's")
	require.NoError(t, b.accounts.Confirm(t.Context(), here, "first", older), "a later sign-up ends no other code")
	require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "second", newest), account.ErrCodeMismatch, "and of the two one is confirmed")
	b.clock.Advance(2 * time.Minute)
	require.NoError(t, b.accounts.Resend(t.Context(), here, "second"))
	require.NotNil(t, b.nextMail().GetAccountExists())
	require.Equal(t, 1, b.count(`SELECT count(*) FROM accounts WHERE confirmed_at IS NOT NULL`))
}

func TestSigningUpAgain(t *testing.T) {
	t.Parallel()

	t.Run("with one's own password puts the address right, and the new code confirms", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("amara", "amraa@example.org"))
		require.NoError(t, err)
		lost := b.nextMail().GetConfirmationCode().GetCode()
		again := form("Amara", "amara@example.org")
		again.GivenName = "Amara Ines"
		up, err := b.accounts.SignUp(t.Context(), again)
		require.NoError(t, err)
		mail := b.nextMail()
		require.Equal(t, "amara@example.org", mail.GetTo())
		if lost != mail.GetConfirmationCode().GetCode() {
			require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "amara", lost), account.ErrCodeMismatch)
		}
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", mail.GetConfirmationCode().GetCode()))
		a, err := b.accounts.ByUID(t.Context(), up.Subject)
		require.NoError(t, err)
		require.Equal(t, "Amara Ines", a.GivenName)
		require.Equal(t, 1, b.count(`SELECT count(*) FROM accounts`))
	})

	t.Run("gives fresh tries with the fresh code", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		b.nextMail()
		for range account.CodeTries + 1 {
			require.Error(t, b.accounts.Confirm(t.Context(), here, "amara", "no"))
		}
		_, err = b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", b.nextMail().GetConfirmationCode().GetCode()))
	})

	t.Run("tells nobody else whether the name waits for its code, not even by the work", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("confirmed")
		_, err := b.accounts.SignUp(t.Context(), form("waiting", "waiting@example.org"))
		require.NoError(t, err)
		b.nextMail()
		for _, name := range []string{"confirmed", "waiting"} {
			other := form(name, "somebody@example.org")
			other.Password = "another three pebbles"
			before := b.work.Spent()
			_, err := b.accounts.SignUp(t.Context(), other)
			require.ErrorIs(t, err, account.ErrUsernameExists)
			require.Equal(t, 2, b.work.Spent()-before, name)
		}
		_, err = b.accounts.SignUp(t.Context(), form("confirmed", "somebody@example.org"))
		require.ErrorIs(t, err, account.ErrUsernameExists, "a confirmed account is never replaced, whatever the password")
		require.Equal(t, 2, b.count(`SELECT count(*) FROM accounts`))
	})

	t.Run("is no way to guess passwords: five an hour and name", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("waiting", "waiting@example.org"))
		require.NoError(t, err)
		b.nextMail()
		guess := form("waiting", "somebody@example.org")
		guess.Password = "another three pebbles"
		for range 5 {
			_, err := b.accounts.SignUp(t.Context(), guess)
			require.ErrorIs(t, err, account.ErrUsernameExists)
		}
		_, err = b.accounts.SignUp(t.Context(), form("waiting", "somebody@example.org"))
		require.ErrorIs(t, err, account.ErrUsernameExists, "not even the right one is looked at")
		_, err = b.accounts.Authenticate(t.Context(), account.Attempt{Login: "waiting", Password: goodPassword, Address: "192.0.2.1"})
		require.ErrorIs(t, err, account.ErrNotConfirmed, "and its owner can still give the password")
	})

	t.Run("of many at once one replaces", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		b.nextMail()
		outcomes := make([]error, 4)
		var group sync.WaitGroup
		for i := range outcomes {
			group.Go(func() {
				_, outcomes[i] = b.accounts.SignUp(t.Context(), form("amara", "amara"+strings.Repeat("a", i)+"@example.org"))
			})
		}
		group.Wait()
		for _, err := range outcomes {
			if err != nil {
				require.ErrorIs(t, err, account.ErrUsernameExists)
			}
		}
		require.Equal(t, 1, b.count(`SELECT count(*) FROM accounts`))
		require.Equal(t, 1, b.count(`SELECT count(*) FROM codes`), "the code of the one that stands")
	})
}
