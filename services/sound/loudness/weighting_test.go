package loudness

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWeightingIsTheStandardsAt48kHz(t *testing.T) {
	t.Parallel()
	shelf, high := kWeighting(48000)
	// BS.1770-5 annex 1, tables 1 and 2.
	for _, c := range []struct{ want, got float64 }{
		{1.53512485958697, shelf.b0},
		{-2.69169618940638, shelf.b1},
		{1.19839281085285, shelf.b2},
		{-1.69065929318241, shelf.a1},
		{0.73248077421585, shelf.a2},
		{-1.99004745483398, high.a1},
		{0.99007225036621, high.a2},
	} {
		require.InDelta(t, c.want, c.got, 1e-8)
	}
}
