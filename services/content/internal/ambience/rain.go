package ambience

import (
	"math"
	"math/rand/v2"
)

// rain is a fine steady rain on leaves: a soft bed of noise, a crackle of thousands of tiny
// drops, and a few rounder ones near by.
func rain(s *synth) Loop {
	l := newLoop()
	for _, part := range []struct{ low, high, tilt, level, width float64 }{
		{250, 1500, 4, 0.3, 0.6},  // rain further off
		{1500, 7000, 4, 0.3, 0.9}, // rain around
	} {
		shape := band(part.low, part.high, part.tilt)
		middle, side := s.noises(shape)
		left, right := widen(middle, side, part.width)
		gust := s.swell(0.22, 1, 3, 4, 9)
		for i := range gust {
			gust[i] *= float32(part.level)
		}
		l.add(left, right, gust)
	}
	const fine, round = 220, 5 // drops a second
	r := s.Rand
	for range fine * Seconds {
		l.drop(r, drop{hz: 1800 + 4200*r.Float64(), decay: 0.0012 + 0.0025*r.Float64(), level: 2.4 * uneven(r)})
	}
	for range round * Seconds {
		l.drop(r, drop{hz: 420 + 900*r.Float64(), decay: 0.008 + 0.016*r.Float64(), level: 3.2 * uneven(r), bubble: 0.25})
	}
	return l
}

// uneven is a level: mostly small, seldom near 1, as drops are near and far.
func uneven(r *rand.Rand) float64 { return math.Pow(r.Float64(), 2.5) }

// drop is a short ring of hz that fades by decay seconds; a bubble rises in pitch as it fades.
type drop struct{ hz, decay, level, bubble float64 }

// drop lets one fall anywhere in the loop and anywhere between the sides.
func (l Loop) drop(r *rand.Rand, d drop) {
	start, phase := r.IntN(period), 2*math.Pi*r.Float64()
	sin, cos := math.Sincos(math.Pi / 2 * (0.1 + 0.8*r.Float64()))
	attack := 0.3 * d.decay * Rate // a soft beginning: a drop splashes, it does not click
	length := int(7 * d.decay * Rate)
	step, bend := 2*math.Pi*d.hz/Rate, d.bubble/(7*d.decay*Rate)
	// Both exponentials as a factor a sample: there are millions of samples of drops.
	fade, fading := 1.0, math.Exp(-1/(d.decay*Rate))
	onset, passing := 1.0, math.Exp(-1/attack)
	for i := range length {
		phase += step * (1 + bend*float64(i))
		v := d.level * fade * (1 - onset) * math.Sin(phase)
		fade, onset = fade*fading, onset*passing
		at := (start + i) % period
		l.Left[at] += float32(v * cos)
		l.Right[at] += float32(v * sin)
	}
}
