package seal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/config"
	"serein.app/services/platform/seal"
)

const secret = config.Secret("0123456789abcdef0123456789abcdef")

func TestSealedValueOpensOnlyUnderItsNameAndSecret(t *testing.T) {
	t.Parallel()
	sealer, err := seal.New(secret, "", "session")
	require.NoError(t, err)
	sealed, err := sealer.Seal("a", "the refresh token")
	require.NoError(t, err)
	require.NotContains(t, string(sealed), "refresh")

	var opened string
	require.NoError(t, sealer.Open("a", sealed, &opened))
	require.Equal(t, "the refresh token", opened)

	require.Error(t, sealer.Open("b", sealed, &opened), "moved to another key")

	other, err := seal.New(config.Secret(strings.Repeat("x", 32)), "", "session")
	require.NoError(t, err)
	require.Error(t, other.Open("a", sealed, &opened), "another secret")

	login, err := seal.New(secret, "", "login")
	require.NoError(t, err)
	require.Error(t, login.Open("a", sealed, &opened), "another purpose")

	for i := range sealed {
		bent := append([]byte(nil), sealed...)
		bent[i] ^= 1
		require.Error(t, sealer.Open("a", bent, &opened), "byte %d changed", i)
	}
}

func TestWhatThePreviousSecretSealedCanBeOpenedAndNothingIsSealedWithIt(t *testing.T) {
	t.Parallel()
	first, second := config.Secret(strings.Repeat("1", 32)), config.Secret(strings.Repeat("2", 32))
	sealer := func(now, previous config.Secret) *seal.Sealer {
		s, err := seal.New(now, previous, "session")
		require.NoError(t, err)
		return s
	}
	old, err := sealer(first, "").Seal("k", "ada")
	require.NoError(t, err)
	var got string
	require.NoError(t, sealer(second, first).Open("k", old, &got))
	require.Equal(t, "ada", got)
	require.Error(t, sealer(second, first).Open("another", old, &got))
	renewed, err := sealer(second, first).Seal("k", "ada")
	require.NoError(t, err)
	require.NoError(t, sealer(second, "").Open("k", renewed, &got))
	require.Error(t, sealer(second, "").Open("k", old, &got), "the previous secret is forgotten")
}
