package ambience_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/ambience"
)

// The names of stored files hold the version, and players cache the files for a year. A developer who changes a sound raises
// ambience.Version and updates these fingerprints.
func TestChangedSoundNeedsNewVersion(t *testing.T) {
	t.Parallel()
	require.Equal(t, "3", ambience.Version)
	for track, want := range map[string][]float64{
		"warm":  {0.005481, -0.007246},
		"ocean": {0.013603, 0.032263},
		"rain":  {0.030125, 0.024846},
	} {
		t.Run(track, func(t *testing.T) {
			t.Parallel()
			l := rendered[track]()
			require.InDeltaSlice(t, want, []float64{imprint(l.Left), imprint(l.Right)}, 1e-6)
		})
	}
}

// imprint sums a channel under random signs: any change moves it, rounding does not.
func imprint(x []float32) (sum float64) {
	signs := rand.New(rand.NewPCG(1, 1))
	for _, v := range x {
		if signs.Uint64()&1 == 0 {
			v = -v
		}
		sum += float64(v)
	}
	return sum / math.Sqrt(float64(len(x)))
}
