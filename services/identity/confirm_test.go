package identity_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
)

func TestConfirmationCode(t *testing.T) {
	t.Parallel()
	begin := func(t *testing.T) (*harness, string) {
		t.Helper()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
		require.NoError(t, err)
		return b, b.nextMail().GetConfirmationCode().GetCode()
	}
	t.Run("sixteen confirmations at once are one", func(t *testing.T) {
		t.Parallel()
		b, code := begin(t)
		var succeeded atomic.Int32
		var group sync.WaitGroup
		for range 16 {
			group.Go(func() {
				if b.accounts.Confirm(t.Context(), here, "amara", code) == nil {
					succeeded.Add(1)
				}
			})
		}
		group.Wait()
		require.Positive(t, succeeded.Load(), "who has lost the answer gets it again, as far as tries go")
		require.Equal(t, 1, b.count(`SELECT count(*) FROM outbox WHERE subject LIKE '%confirmed%'`))
	})

	t.Run("a right code that comes again is answered as before and changes nothing", func(t *testing.T) {
		t.Parallel()
		b, code := begin(t)
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", " "+code[:3]+" "+code[3:]))
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", code))
		b.clock.Advance(account.CodeLife)
		require.NoError(t, b.accounts.Confirm(t.Context(), "198.51.100.9", "amara", code), "confirmed already, however late")
		require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "amara", wrongCode(code)), account.ErrCodeMismatch)
		require.Equal(t, 1, b.count(`SELECT count(*) FROM outbox WHERE subject LIKE '%confirmed%'`))
	})

	t.Run("it is read in the digits of any script, with whatever is pasted beside them", func(t *testing.T) {
		t.Parallel()
		b, code := begin(t)
		var wide, arabic strings.Builder
		for _, digit := range code {
			wide.WriteRune(digit - '0' + '０')
			arabic.WriteRune(digit - '0' + '٠')
		}
		for _, typed := range []string{wide.String(), arabic.String(), code[:3] + "-" + code[3:], code[:3] + "\u00a0" + code[3:], "\u200b" + code} {
			require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", typed), "%q", typed)
		}
	})

	t.Run("ten minutes end it, and only the right code gets an answer that says so", func(t *testing.T) {
		t.Parallel()
		b, code := begin(t)
		b.clock.Advance(account.CodeLife)
		require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "amara", wrongCode(code)), account.ErrCodeMismatch)
		require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "amara", code), account.ErrExpiredCode)
	})

	t.Run("five wrong tries end it, even for the right code", func(t *testing.T) {
		t.Parallel()
		b, code := begin(t)
		for range account.CodeTries {
			require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "amara", wrongCode(code)), account.ErrCodeMismatch)
		}
		require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "amara", code), account.ErrLimitExceeded)
		b.clock.Advance(account.CodeLife - time.Second)
		err := b.accounts.Confirm(t.Context(), here, "amara", code)
		require.ErrorIs(t, err, account.ErrLimitExceeded)
	})

	t.Run("an unknown username answers like a wrong code, down to the limit", func(t *testing.T) {
		t.Parallel()
		b, code := begin(t)
		for range account.CodeTries + 1 {
			known := b.accounts.Confirm(t.Context(), here, "amara", wrongCode(code))
			unknown := b.accounts.Confirm(t.Context(), here, "nobody", wrongCode(code))
			require.Equal(t, known.Error(), unknown.Error())
		}
	})

	t.Run("a new code replaces the old one and has fresh tries", func(t *testing.T) {
		t.Parallel()
		b, old := begin(t)
		for range account.CodeTries {
			require.Error(t, b.accounts.Confirm(t.Context(), here, "amara", wrongCode(old)))
		}
		require.NoError(t, b.accounts.Resend(t.Context(), here, "amara"))
		fresh := b.nextMail().GetConfirmationCode().GetCode()
		if fresh != old {
			require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "amara", old), account.ErrCodeMismatch)
		}
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", fresh))
	})

	t.Run("a new code comes once a minute and five times an hour, for known and unknown alike", func(t *testing.T) {
		t.Parallel()
		b, _ := begin(t)
		for _, name := range []string{"amara", "nobody"} {
			require.NoError(t, b.accounts.Resend(t.Context(), here, name))
			require.ErrorIs(t, b.accounts.Resend(t.Context(), here, name), account.ErrLimitExceeded)
			for range 4 {
				b.clock.Advance(61 * time.Second)
				require.NoError(t, b.accounts.Resend(t.Context(), here, name))
			}
			b.clock.Advance(61 * time.Second)
			require.ErrorIs(t, b.accounts.Resend(t.Context(), here, name), account.ErrLimitExceeded)
		}
	})

	t.Run("a confirmed account gets no more codes", func(t *testing.T) {
		t.Parallel()
		b, code := begin(t)
		require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", code))
		require.NoError(t, b.accounts.Resend(t.Context(), here, "amara"))
		require.Equal(t, 1, b.count(`SELECT count(*) FROM codes`))
	})
}
