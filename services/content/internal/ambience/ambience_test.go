package ambience_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/ambience"
	"serein.app/services/sound/loudness"
)

// rendered makes each track once for all tests.
var rendered = func() map[string]func() ambience.Loop {
	m := map[string]func() ambience.Loop{}
	for _, track := range ambience.Tracks() {
		m[track] = sync.OnceValue(func() ambience.Loop {
			l, err := ambience.Render(track)
			if err != nil {
				panic(err)
			}
			return l
		})
	}
	return m
}()

func TestALoopRunsAMinuteInStereo(t *testing.T) {
	t.Parallel()
	for _, track := range ambience.Tracks() {
		t.Run(track, func(t *testing.T) {
			t.Parallel()
			l := rendered[track]()
			require.Len(t, l.Left, l.Rate*60)
			require.Len(t, l.Right, l.Rate*60)
			require.NotEqual(t, l.Left[:1000], l.Right[:1000])
		})
	}
}

func TestALoopIsQuiet(t *testing.T) {
	t.Parallel()
	for _, track := range ambience.Tracks() {
		t.Run(track, func(t *testing.T) {
			t.Parallel()
			l := rendered[track]()
			require.InDelta(t, ambience.Loudness, loudness.Integrated(l.Rate, l.Left, l.Right), 0.1)
			require.Less(t, loudness.TruePeak(l.Left, l.Right), -15.0)
		})
	}
}

func TestALoopIsBalanced(t *testing.T) {
	t.Parallel()
	for _, track := range ambience.Tracks() {
		t.Run(track, func(t *testing.T) {
			t.Parallel()
			l := rendered[track]()
			left, right := loudness.Integrated(l.Rate, l.Left), loudness.Integrated(l.Rate, l.Right)
			require.InDelta(t, left, right, 1)
			mono := make([]float32, len(l.Left))
			for i := range mono {
				mono[i] = (l.Left[i] + l.Right[i]) / 2
			}
			// A phone's single speaker loses at most what unrelated sides lose (3 dB) and a little.
			require.Greater(t, loudness.Integrated(l.Rate, mono), min(left, right)-4)
		})
	}
}

func TestTheSameTrackIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	for _, track := range ambience.Tracks() {
		again, err := ambience.Render(track)
		require.NoError(t, err)
		require.True(t, slices.Equal(rendered[track]().Left, again.Left), track)
		require.True(t, slices.Equal(rendered[track]().Right, again.Right), track)
	}
}

func TestAnUnknownTrackIsRefused(t *testing.T) {
	t.Parallel()
	_, err := ambience.Render("thunder")
	require.ErrorIs(t, err, ambience.ErrUnknownTrack)
}

func TestNowhereIsAClick(t *testing.T) {
	t.Parallel()
	for _, track := range ambience.Tracks() {
		t.Run(track, func(t *testing.T) {
			t.Parallel()
			l := rendered[track]()
			for _, channel := range [][]float32{l.Left, l.Right} {
				require.Less(t, worstJump(channel), 9.0)
			}
		})
	}
}

func TestTheSeamIsAsSmoothAsAnyOtherPlace(t *testing.T) {
	t.Parallel()
	for _, track := range ambience.Tracks() {
		t.Run(track, func(t *testing.T) {
			t.Parallel()
			l := rendered[track]()
			for _, channel := range [][]float32{l.Left, l.Right} {
				jumps := make([]float64, len(channel))
				for i := range channel {
					jumps[i] = bend(channel, i)
				}
				seam := max(jumps[0], jumps[1], jumps[len(jumps)-1])
				slices.Sort(jumps)
				require.LessOrEqual(t, seam, jumps[len(jumps)*9999/10000], "samples")

				changes := spectralChanges(channel)
				seam = changes[0]
				slices.Sort(changes)
				require.LessOrEqual(t, seam, changes[len(changes)*99/100], "spectrum")
			}
		})
	}
}

// bend is the second difference of the circular signal at i: what a click is made of.
func bend(x []float32, i int) float64 {
	n := len(x)
	return math.Abs(float64(x[(i+1)%n] - 2*x[i] + x[(i+n-1)%n]))
}

// worstJump is the largest bend against the usual bends of the 10 ms around it. A Gaussian
// noise reaches about 6, a click of a few samples more than 12.
func worstJump(x []float32) (worst float64) {
	const window = ambience.Rate / 100
	var block [window]float64
	for at := 0; at+window <= len(x); at += window / 2 {
		var sum float64
		for j := range block {
			block[j] = bend(x, at+j)
			sum += block[j] * block[j]
		}
		worst = max(worst, slices.Max(block[:])/math.Sqrt(sum/window))
	}
	return worst
}
