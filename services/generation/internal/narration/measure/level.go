package measure

import (
	"math"
	"slices"

	"serein.app/services/generation/internal/narration/dsp"
)

// Sibilants is how far the strong sibilants lie above the strong vowels in dB: negative where they lie below. A sibilant is
// a frame with more power above 4 kHz than below 2 kHz, a vowel one that is voiced with most of its power below 2 kHz; strong
// are those at the 90th percentile of their kind.
func Sibilants(samples []float32) float64 {
	low, high := slices.Clone(samples), slices.Clone(samples)
	split(low, high)
	var sibilants, vowels []float64
	floor := level(loudest(samples)) - audible
	for i, hz := range Pitch(samples) {
		at := i * hop
		all := level(energy(samples[at:at+window]) / window)
		below, above := energy(low[at:at+window]), energy(high[at:at+window])
		switch {
		case all < floor:
		case above > below:
			sibilants = append(sibilants, all)
		case hz > 0 && below > 4*above:
			vowels = append(vowels, all)
		}
	}
	if len(sibilants) == 0 || len(vowels) == 0 {
		return math.Inf(-1)
	}
	return percentile(sibilants, 90) - percentile(vowels, 90)
}

// split leaves below 2 kHz in low what lies there, above 4 kHz in high.
func split(low, high []float32) {
	rest := slices.Clone(low)
	for _, q := range []float64{0.5412, 1.3066} {
		f, g := dsp.HighPass(2000, q), dsp.HighPass(4000, q)
		f.Apply(rest)
		g.Apply(high)
	}
	for i := range low {
		low[i] -= rest[i]
	}
}

// Harmonicity is the mean harmonics-to-noise ratio of the voiced frames in dB (Boersma 1993: r/(1-r) of the correlation over a
// period), of the sound above hz: 0 takes all of it. A vocoder that buzzes has as much of it above 3 kHz as below; a
// natural voice has breath there.
func Harmonicity(samples []float32, hz float64) float64 {
	part := slices.Clone(samples)
	if hz > 0 {
		for _, q := range []float64{0.5412, 1.3066} {
			f := dsp.HighPass(hz, q)
			f.Apply(part)
		}
	}
	var sum, n float64
	for i, hz := range Pitch(samples) {
		if hz == 0 {
			continue
		}
		best, period := 0.0, int(dsp.Rate/hz)
		for lag := period - 4; lag <= period+4; lag++ {
			best = max(best, correlation(part[i*hop:], lag, window))
		}
		best = min(max(best, 0.001), 0.9999)
		sum, n = sum+10*math.Log10(best/(1-best)), n+1
	}
	return sum / n
}

// Floor is the level in dBFS of the quietest and of the median 20 ms of a silence.
func Floor(silence []float32) (quietest, median float64) {
	const n = dsp.Rate / 50
	var levels []float64
	for at := 0; at+n <= len(silence); at += n {
		levels = append(levels, level(energy(silence[at:at+n])/n))
	}
	if len(levels) == 0 {
		return math.Inf(-1), math.Inf(-1)
	}
	return slices.Min(levels), percentile(levels, 50)
}
