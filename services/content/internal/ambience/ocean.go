package ambience

import (
	"math"
	"math/rand/v2"
)

// wave is one wave of the sea as it comes in.
type wave struct {
	at       float64 // of its break, as a share of the loop
	height   float64
	rise     float64 // seconds in which it swells before it breaks
	run, ebb float64 // seconds in which the break and the hiss of the water fade
}

// seaBand is one part of the sea's spectrum and what waves do to it.
type seaBand struct {
	low, high, tilt float64
	level, rest     float64 // at a break of height 1, and between waves
	shape           func(w wave, seconds float64) float64
}

var seaBands = []seaBand{
	// The body of the water: there all the time, heaving with the swell.
	{60, 340, 4.5, 0.75, 0.32, func(w wave, s float64) float64 { return hump(s, w.rise*1.1, w.run*1.2) }},
	// The roar of the break.
	{340, 1700, 4.5, 0.8, 0.14, func(w wave, s float64) float64 { return hump(s, w.rise*0.8, w.run) }},
	// The hiss of foam, later and longer than the roar.
	{1700, 7500, 4, 0.36, 0.05, func(w wave, s float64) float64 { return hump(s-0.5, w.rise*0.45, w.ebb) }},
}

// ocean is noise that swells and ebbs as waves do on a gently sloping beach.
func ocean(s *synth) Loop {
	l := newLoop()
	waves := swells(s.Rand)
	for _, b := range seaBands {
		shape := band(b.low, b.high, b.tilt)
		middle, side := s.noises(shape)
		left, right := widen(middle, side, 0.7)
		drift := s.swell(0.15, 3, 7, 11)
		envelope := curve(func(turn float64) float64 {
			v := 0.0
			for _, w := range waves {
				v += w.height * b.shape(w, around(turn-w.at)*Seconds)
			}
			return b.rest + b.level*v
		})
		for i := range envelope {
			envelope[i] *= drift[i]
		}
		l.add(left, right, envelope)
	}
	return l
}

// swells places five waves, 6.5 to 9.5 s apart and no two alike.
func swells(r *rand.Rand) []wave {
	const number = 5
	waves := make([]wave, number)
	for i := range waves {
		waves[i] = wave{
			at:     (float64(i) + 0.36*(r.Float64()-0.5)) / number,
			height: 0.6 + 0.4*r.Float64(),
			rise:   2.4 + 1.2*r.Float64(),
			run:    1.7 + 0.8*r.Float64(),
			ebb:    2.2 + 1.2*r.Float64(),
		}
	}
	return waves
}

// around brings a distance in turns to -0.5…0.5, the nearest way round the loop.
func around(turn float64) float64 { return turn - math.Round(turn) }

// hump rises to 1 at 0 as a bell and falls more slowly as a wider one with a long foot.
func hump(s, rise, fall float64) float64 {
	if s < 0 {
		return math.Exp(-s * s / (rise * rise) * 1.4)
	}
	x := s / fall
	foot := 1 + x*x/2
	return 1 / (foot * foot)
}
