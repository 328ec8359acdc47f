package dsp

import "math"

// Reverb is that of a small furnished room: a few early reflections and a short diffuse tail from a
// feedback delay network (Jot and Chaigne, 1991) of eight lines, mixed by a Householder
// matrix, each line losing highs as soft furnishings do.
type Reverb struct {
	// Wet is the level of the reverb against the voice itself, as an amplitude.
	Wet float32
	// Decay is the time in seconds in which the tail falls by 60 dB.
	Decay float64
}

// earlyMs and earlyGain are first reflections as from walls 1.5 to 4 m away; prime distances
// keep them from adding up at one pitch.
var (
	earlyMs   = [...]float64{7.3, 11.9, 16.7, 21.1, 27.7, 33.1}
	earlyGain = [...]float32{0.62, -0.48, 0.41, 0.33, -0.27, 0.21}
	// lateSamples are mutually prime lengths between 25 and 53 ms at 24 kHz.
	lateSamples = [...]int{601, 683, 769, 857, 947, 1051, 1163, 1277}
)

const lines = len(lateSamples)

// damping is the one-pole low-pass in each line: 0 is bright, towards 1 dull.
const damping = 0.45

// Apply adds the reverb to samples in place.
func (r Reverb) Apply(samples []float32) {
	early := r.reflections(samples)
	r.tail(samples, early)
}

// reflections gives the early part alone.
func (r Reverb) reflections(dry []float32) []float32 {
	out := make([]float32, len(dry))
	for t, ms := range earlyMs {
		delay, gain := int(ms*Rate/1000), earlyGain[t]
		if delay >= len(dry) {
			break
		}
		for i, s := range dry[:len(dry)-delay] {
			out[i+delay] += gain * s
		}
	}
	return out
}

// tail feeds the early part to the network and adds both to samples.
func (r Reverb) tail(samples, early []float32) {
	var buffers [lines][]float32
	var feedback, low [lines]float32
	var at [lines]int
	for l, n := range lateSamples {
		buffers[l] = make([]float32, n)
		feedback[l] = float32(math.Pow(10, -3*float64(n)/Rate/r.Decay))
	}
	const norm = 2 / float32(lines)
	for i, in := range early {
		var sum, out float32
		var state [lines]float32
		for l := range lines {
			s := buffers[l][at[l]]
			low[l] += (1 - damping) * (s - low[l])
			state[l] = low[l] * feedback[l]
			sum += state[l]
			if l&1 == 0 {
				out += s
			} else {
				out -= s
			}
		}
		sum = sum*norm - in*0.35
		for l := range lines {
			buffers[l][at[l]] = state[l] - sum
			if at[l]++; at[l] == len(buffers[l]) {
				at[l] = 0
			}
		}
		samples[i] += r.Wet * (in + 0.5*out)
	}
}
