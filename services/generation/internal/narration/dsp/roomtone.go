package dsp

import (
	"math"
	"sync"
)

// RoomToneLevel in dBFS of the room's own sound: one feels that somebody is there, and hears nothing.
const RoomToneLevel = -65.0

// toneSamples is how long the tone goes on before it repeats: longer than any silence, and a prime, so that it lines up
// with nothing.
const toneSamples = 240007

// roomTone is noise that falls by 6 dB an octave from 250 Hz on, as that of a quiet room does, without rumble. Its end leads
// into its beginning.
var roomTone = sync.OnceValue(func() []float32 {
	tone := make([]float32, toneSamples)
	filters := [...]Filter{LowPass(250), LowPass(3000), HighPass(60, 0.7071)}
	for range 2 { // the filters go into the second round as they come out of it
		seed := uint32(1)
		for i := range tone {
			seed = seed*1664525 + 1013904223 // Numerical Recipes' generator
			tone[i] = float32(int32(seed)) / (1 << 31)
		}
		for f := range filters {
			filters[f].Apply(tone)
		}
	}
	var sum float64
	for _, s := range tone {
		sum += float64(s) * float64(s)
	}
	Gain(tone, RoomToneLevel-10*math.Log10(sum/toneSamples))
	return tone
})

// AddRoomTone adds the room's own sound to samples, which begin at the place at of a piece of that length. At every
// piece's start the tone is the same, and at every piece's end it is what leads into that, before the start and after the end
// too. So it goes on without a seam from a piece into any other, and each is still made without knowing the others. In
// between, one passes into the other.
func AddRoomTone(samples []float32, at, length int) {
	begin, end := length/2-length/8, length/2+length/8
	first := min(max(begin-at, 0), len(samples))
	second := min(max(end-at, first), len(samples))
	addTone(samples[:first], at)
	passTone(samples[first:second], at+first, begin, end, length)
	addTone(samples[second:], at+second-length)
}

// addTone adds the tone from a place on.
func addTone(samples []float32, place int) {
	tone := roomTone()
	for from := wrap(place); len(samples) > 0; from = 0 {
		n := min(len(samples), toneSamples-from)
		for i, s := range tone[from : from+n] {
			samples[i] += s
		}
		samples = samples[n:]
	}
}

// turnSamples is how many samples passTone turns from one exact sine and cosine. After so many steps the error is some 1e-14,
// far below what a float32 holds.
const turnSamples = 64

// passTone adds, from a place between begin and end on, the tone that passes from that of a piece's start into that of its
// end. The powers of the two add up to the same everywhere: their gains are the cosine and the sine of a quarter of a turn.
func passTone(samples []float32, place, begin, end, length int) {
	tone := roomTone()
	leaving, coming := wrap(place), wrap(place-length)
	stepSin, stepCos := math.Sincos(math.Pi / 2 / float64(end-begin))
	var sin, cos float64
	for i := range samples {
		if i%turnSamples == 0 {
			sin, cos = math.Sincos(math.Pi / 2 * float64(place+i-begin) / float64(end-begin))
		}
		samples[i] += float32(cos)*tone[leaving] + float32(sin)*tone[coming]
		sin, cos = sin*stepCos+cos*stepSin, cos*stepCos-sin*stepSin
		if leaving++; leaving == toneSamples {
			leaving = 0
		}
		if coming++; coming == toneSamples {
			coming = 0
		}
	}
}

func wrap(place int) int { return ((place % toneSamples) + toneSamples) % toneSamples }
