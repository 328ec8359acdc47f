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
	tone := roomTone()
	begin, end := length/2-length/8, length/2+length/8
	for i := range samples {
		place := at + i
		switch {
		case place < begin:
			samples[i] += tone[wrap(place)]
		case place >= end:
			samples[i] += tone[wrap(place-length)]
		default:
			sin, cos := math.Sincos(math.Pi / 2 * float64(place-begin) / float64(end-begin))
			samples[i] += float32(cos)*tone[wrap(place)] + float32(sin)*tone[wrap(place-length)]
		}
	}
}

func wrap(place int) int { return ((place % toneSamples) + toneSamples) % toneSamples }
