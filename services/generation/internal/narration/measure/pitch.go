// Package measure judges how a narrator sounds by figures: how far the pitch moves, how the spectrum lies against that of
// usual speech, how sharp the sibilants are, how much the voice buzzes, and what is left in a silence. It measures sound at
// dsp.Rate and changes nothing.
package measure

import (
	"cmp"
	"math"
	"slices"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/sound/resample"
)

const (
	hop    = dsp.Rate / 100     // frames begin every 10 ms
	window = dsp.Rate * 4 / 100 // and last 40 ms
	// coarse is the factor by which the rate is reduced for finding the period.
	coarse = 3
	// lowest and highest pitch in Hz that a voice is taken to have.
	lowest, highest = 65, 360
	// periodic is the least correlation over one period of a voiced frame.
	periodic = 0.8
	// audible is how far under the loudest frame, in dB, a frame is still counted as speech.
	audible = 35
)

// Pitch gives the fundamental frequency in Hz of every 10 ms; 0 where the sound is not voiced. It takes the shortest period
// over which the sound correlates nearly as well as over the best one (normalised cross-correlation: Talkin 1995, "A robust
// algorithm for pitch tracking").
func Pitch(samples []float32) []float64 {
	low := resample.New(1, coarse).Resample(samples)
	const rate = dsp.Rate / coarse
	shortest, longest := rate/highest, rate/lowest+1
	out := make([]float64, max(0, len(samples)-2*window)/hop)
	floor := level(loudest(samples)) - audible
	for i := range out {
		at := i * hop
		if level(energy(samples[at:at+window])/window) < floor {
			continue
		}
		frame := low[at/coarse:]
		corr := make([]float64, longest+2)
		for lag := shortest - 1; lag < len(corr); lag++ {
			corr[lag] = correlation(frame, lag, window/coarse)
		}
		best := slices.Max(corr[shortest : longest+1])
		for lag := shortest; best >= periodic && lag <= longest; lag++ {
			if c := corr[lag]; c >= 0.9*best && c >= corr[lag-1] && c >= corr[lag+1] {
				out[i] = rate / vertex(lag, corr[lag-1], c, corr[lag+1])
				break
			}
		}
	}
	return out
}

// Movement is the median of the voiced pitches in Hz, and their standard deviation around it and the distance from the 5th
// to the 95th percentile in semitones. Frames an octave away are errors of the tracking and do not count.
func Movement(pitch []float64) (median, deviation, spread float64) {
	voiced := slices.DeleteFunc(slices.Clone(pitch), func(hz float64) bool { return hz == 0 })
	if len(voiced) == 0 {
		return 0, 0, 0
	}
	median = percentile(voiced, 50)
	semitones := make([]float64, 0, len(voiced))
	var sum float64
	for _, hz := range voiced {
		if st := 12 * math.Log2(hz/median); math.Abs(st) < 10 {
			semitones = append(semitones, st)
			sum += st
		}
	}
	mean := sum / float64(len(semitones))
	for _, st := range semitones {
		deviation += (st - mean) * (st - mean)
	}
	return median, math.Sqrt(deviation / float64(len(semitones))), percentile(semitones, 95) - percentile(semitones, 5)
}

// correlation of n samples with those lag later, from -1 to 1.
func correlation(s []float32, lag, n int) float64 {
	if lag+n > len(s) {
		return 0
	}
	var xy, xx, yy float64
	for i, x := range s[:n] {
		y := s[lag+i]
		xy += float64(x * y)
		xx += float64(x * x)
		yy += float64(y * y)
	}
	return xy / (math.Sqrt(xx*yy) + 1e-12)
}

// vertex is where the parabola through three neighbouring values is highest.
func vertex(middle int, before, at, after float64) float64 {
	return float64(middle) + 0.5*(before-after)/(before-2*at+after-1e-12)
}

func loudest(samples []float32) (most float64) {
	for at := 0; at+window <= len(samples); at += hop {
		most = max(most, energy(samples[at:at+window])/window)
	}
	return most
}

func energy(samples []float32) (sum float64) {
	for _, s := range samples {
		sum += float64(s) * float64(s)
	}
	return sum
}

func level(power float64) float64 { return 10 * math.Log10(power+1e-20) }

// percentile p of the values; it sorts them.
func percentile[T cmp.Ordered](values []T, p int) T {
	slices.Sort(values)
	return values[min(len(values)*p/100, len(values)-1)]
}
