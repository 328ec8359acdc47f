package identity_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/account"
)

func TestGuessingIsThrottled(t *testing.T) {
	t.Parallel()

	t.Run("an account, from however many addresses, also when it does not exist", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		for _, login := range []string{"amara", "nobody"} {
			var checked atomic.Int32
			var group sync.WaitGroup
			for i := range 100 {
				group.Go(func() {
					_, err := b.accounts.Authenticate(t.Context(), login, "guess", "192.0.2."+string(rune('0'+i%10)))
					if !isTooMany(err) {
						checked.Add(1)
					}
				})
			}
			group.Wait()
			require.EqualValues(t, 10, checked.Load(), login)
		}
		_, err := b.accounts.Authenticate(t.Context(), "amara", goodPassword, "198.51.100.1")
		require.ErrorIs(t, err, account.ErrTooManyRequests, "the right password waits as well")
		b.clock.Advance(31 * time.Second)
		_, err = b.accounts.Authenticate(t.Context(), "amara", goodPassword, "198.51.100.1")
		require.NoError(t, err, "a person waits half a minute")
		_, err = b.accounts.Authenticate(t.Context(), "amara", "guess", "198.51.100.1")
		require.ErrorIs(t, err, account.ErrNotAuthorized, "and success forgets the guesses")
	})

	t.Run("the pause doubles", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 10 {
			_, err := b.accounts.Authenticate(t.Context(), "nobody", "guess", "192.0.2.1")
			require.ErrorIs(t, err, account.ErrNotAuthorized)
		}
		for _, pause := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 15 * time.Minute} {
			b.clock.Advance(pause - time.Second)
			_, err := b.accounts.Authenticate(t.Context(), "nobody", "guess", "192.0.2.1")
			require.ErrorIs(t, err, account.ErrTooManyRequests, pause)
			b.clock.Advance(time.Second)
			_, err = b.accounts.Authenticate(t.Context(), "nobody", "guess", "192.0.2.1")
			require.ErrorIs(t, err, account.ErrNotAuthorized, pause)
		}
	})

	t.Run("an address, over however many accounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		for i := range 100 {
			_, err := b.accounts.Authenticate(t.Context(), "user"+string(rune('a'+i%26))+string(rune('a'+i/26)), "guess", "192.0.2.1")
			require.ErrorIs(t, err, account.ErrNotAuthorized)
		}
		_, err := b.accounts.Authenticate(t.Context(), "amara", goodPassword, "192.0.2.1")
		require.ErrorIs(t, err, account.ErrTooManyRequests)
		_, err = b.accounts.Authenticate(t.Context(), "amara", goodPassword, "192.0.2.2")
		require.NoError(t, err)
	})

	t.Run("the page says so", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br := b.browser()
		start := br.open(b.rp(), oauth2.GenerateVerifier())
		for range 10 {
			br.submit(start, "nobody", "guess")
		}
		p := br.submit(start, "nobody", "guess")
		require.Equal(t, http.StatusTooManyRequests, p.status)
		require.Contains(t, p.body, "Too many attempts.")
	})
}

func isTooMany(err error) bool {
	return err != nil && strings.Contains(err.Error(), "TOO_MANY_REQUESTS")
}
