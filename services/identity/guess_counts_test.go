package identity_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
)

// Otherwise a guesser with an account could reset the count after each hundred guesses at other accounts.
func TestAnotherAccountsSignInResetsNoCountOfGuesses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.member("mallory")
	guess := func(i int) error { return b.try(fmt.Sprint("user", i), "guess", "192.0.2.1") }
	for i := range 99 {
		require.ErrorIs(t, guess(i), account.ErrNotAuthorized, i)
	}
	require.NoError(t, b.try("mallory", goodPassword, "192.0.2.1"))
	require.ErrorIs(t, guess(99), account.ErrNotAuthorized, "the hundredth")
	require.ErrorIs(t, guess(100), account.ErrTooManyRequests)
}

// The member signs in every day, and strangers guess in between: the account stays guarded.
func TestAMembersSuccessForgivesNoStrangersGuesses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.member("amara")
	for i := range 99 {
		require.ErrorIs(t, b.try("amara", "guess", fmt.Sprint("198.51.100.", i)), account.ErrNotAuthorized, i)
	}
	require.NoError(t, b.try("amara", goodPassword, "192.0.2.1"))
	require.ErrorIs(t, b.try("amara", "guess", "198.51.100.99"), account.ErrNotAuthorized, "the hundredth")
	require.ErrorIs(t, b.try("amara", "guess", "203.0.113.1"), account.ErrNotAuthorized, "a fresh address has one try")
	require.ErrorIs(t, b.try("amara", "guess", "203.0.113.1"), account.ErrTooManyRequests, "and then waits")
}

// Otherwise a guesser with an account, and so a known browser, could guess at every other account without a limit.
func TestADeviceOfAnotherAccountIsUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.member("amara")
	mallory := b.member("mallory")
	for i := range 10 {
		_, err := b.accounts.Authenticate(t.Context(), account.Attempt{
			Login: "amara", Password: "guess", Address: "192.0.2.1", Device: account.Device{UID: mallory.UID, ID: fmt.Sprint("browser", i)},
		})
		require.ErrorIs(t, err, account.ErrNotAuthorized)
	}
	_, err := b.accounts.Authenticate(t.Context(), account.Attempt{
		Login: "amara", Password: "guess", Address: "192.0.2.1", Device: account.Device{UID: mallory.UID, ID: "browser 10"},
	})
	require.ErrorIs(t, err, account.ErrTooManyRequests, "they are counted by name and address, as from anywhere")
}
