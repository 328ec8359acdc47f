package seal_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/seal"
)

// FuzzOnlyWhatWasSealedOpens: what was sealed opens under its own name as it was; nothing else opens, and
// what was to be filled stays as it is.
func FuzzOnlyWhatWasSealedOpens(f *testing.F) {
	sealer, err := seal.New(secret, "", "session")
	require.NoError(f, err)
	good, err := sealer.Seal("a", "the refresh token")
	require.NoError(f, err)
	for _, foreign := range [][]byte{nil, {}, {0}, good[:12], good[:28], good, append(good[:len(good):len(good)], 0)} {
		f.Add("a", "the refresh token", foreign, uint(0), byte(1))
		f.Add("", "\xff", foreign, uint(len(good)-1), byte(0x80))
		f.Add("authorization request", "", foreign, uint(13), byte(0))
	}
	f.Fuzz(func(t *testing.T, name, value string, foreign []byte, at uint, flip byte) {
		kept := "as it was"
		require.Error(t, sealer.Open(name+"\x00", foreign, &kept))
		require.Equal(t, "as it was", kept)

		sealed, err := sealer.Seal(name, value)
		require.NoError(t, err)
		require.NoError(t, sealer.Open(name, sealed, &kept))
		if utf8.ValidString(value) { // JSON has no other text
			require.Equal(t, value, kept)
		}
		kept = "as it was"
		require.Error(t, sealer.Open(name+"\x00", sealed, &kept))
		require.Error(t, sealer.Open(name, sealed[:int(at%uint(len(sealed)))], &kept))
		sealed[at%uint(len(sealed))] ^= flip
		if flip != 0 {
			require.Error(t, sealer.Open(name, sealed, &kept))
			require.Equal(t, "as it was", kept)
		}
	})
}
