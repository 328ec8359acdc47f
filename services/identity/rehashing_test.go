package identity_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/password"
	"serein.app/services/testkit"
)

func TestAnOldPasswordHashIsRenewedAtSignIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.member("amara")
	stronger := account.New(account.Config{
		Store: b.store, Throttle: b.store, Codes: b.codes, Now: b.clock.Now, NewID: newID, Log: testkit.Logger(t),
		Passwords: password.New(password.Parameters{Memory: 128, Passes: 1, Lanes: 1}, 2, time.Minute),
	})
	hash := func() string {
		a, err := b.store.ByUsername(t.Context(), "amara", b.clock.Now())
		require.NoError(t, err)
		return a.PasswordHash
	}
	_, err := stronger.Authenticate(t.Context(), account.Attempt{Login: "amara", Password: "wrong", Address: "192.0.2.1"})
	require.ErrorIs(t, err, account.ErrNotAuthorized)
	require.Contains(t, hash(), "m=64,", "only the right password renews")
	_, err = stronger.Authenticate(t.Context(), account.Attempt{Login: "amara", Password: goodPassword, Address: "192.0.2.1"})
	require.NoError(t, err)
	require.Contains(t, hash(), "m=128,")
	_, err = stronger.Authenticate(t.Context(), account.Attempt{Login: "amara", Password: goodPassword, Address: "192.0.2.1"})
	require.NoError(t, err)
}
