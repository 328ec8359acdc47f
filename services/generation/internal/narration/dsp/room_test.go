package dsp_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/sound/loudness"
	"serein.app/services/testkit/signal"
)

func TestTheDeEsserTurnsDownSharpSoundAlone(t *testing.T) {
	t.Parallel()
	d := dsp.DeEsser{Hz: 4500, Threshold: -30, Ratio: 4}
	change := func(hz, amplitude float64) float64 {
		s := signal.Sine(dsp.Rate, hz, amplitude, dsp.Rate)
		before := signal.Level(s)
		d.Apply(s)
		return signal.Level(s[dsp.Rate/2:]) - before
	}
	require.InDelta(t, 0, change(300, 0.5), 0.1, "a vowel")
	require.InDelta(t, 0, change(7000, 0.02), 0.3, "a soft s")
	require.Less(t, change(7000, 0.3), -7.0, "a sharp one")
}

func TestTheRoomToneHasItsLevelAndNoSeam(t *testing.T) {
	t.Parallel()
	piece := func(length int) []float32 {
		s := make([]float32, length)
		dsp.AddRoomTone(s, 0, length)
		return s
	}
	joined := append(piece(30000), piece(70001)...)
	for at := 0; at+4800 <= len(joined); at += 2400 {
		require.InDelta(t, dsp.RoomToneLevel, signal.Level(joined[at:at+4800]), 2.5)
	}
	steps := func(s []float32) (most float64) {
		for i := 2; i < len(s); i++ {
			most = max(most, math.Abs(float64(s[i]-2*s[i-1]+s[i-2])))
		}
		return most
	}
	require.LessOrEqual(t, steps(joined[29990:30010]), steps(joined), "no click where the pieces meet")
	around := make([]float32, 200)
	dsp.AddRoomTone(around, 30000-100, 30000)
	require.Equal(t, joined[30000-100:30000+100], around, "what comes after a piece is the next one's beginning")
	again := make([]float32, 100)
	dsp.AddRoomTone(again, 0, 70001)
	require.True(t, slices.Equal(again, joined[30000:30100]), "the same in every piece")
}

func TestTheRoomTonePassesFromOneEndToTheOtherAlongAQuarterOfATurn(t *testing.T) {
	t.Parallel()
	const length = 400_000 // the tone repeats within
	start, finish, whole := make([]float32, length), make([]float32, length), make([]float32, length)
	dsp.AddRoomTone(start, 0, 1<<40)        // far from the middle of a piece
	dsp.AddRoomTone(finish, -length, 1<<40) // what leads into a piece's start
	dsp.AddRoomTone(whole, 0, length)
	for i, got := range whole {
		sin, cos := math.Sincos(math.Pi / 2 * max(0, min(float64(i-length*3/8)/(length/4), 1)))
		require.InDelta(t, cos*float64(start[i])+sin*float64(finish[i]), got, 1e-9)
	}
}

func TestTheBellIsSoftAndEndsInSilence(t *testing.T) {
	t.Parallel()
	bell := dsp.Bell()
	require.Len(t, bell, dsp.BellSamples)
	require.InDelta(t, -30, loudness.Integrated(dsp.Rate, bell), 1.5)
	require.Less(t, math.Abs(float64(bell[0])), 1e-4)
	require.Less(t, signal.Level(bell[len(bell)-240:]), -90.0)
	require.Greater(t, signal.Level(bell[2400:7200]), signal.Level(bell[48000:52800])+6, "it dies away")
}
