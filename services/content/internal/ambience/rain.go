package ambience

// rain is heard from under a wooden roof that is open to a garden: gusts come over it from one
// side to the other, drops fall far off, on the boards, tiles and tin of the roof and close by from the
// eaves, its gutter runs, and below it all lie the wind and the rumble of rain far away. It never thunders.
func rain(s *synth) Loop {
	weather := s.gusts()
	for _, b := range rainBands {
		s.lay(bed{band(b.low, b.high, b.tilt), b.width, b.under(weather, 1), b.under(weather, -1)})
	}
	s.drizzle(weather)
	s.patter(falling(weather))
	s.gutter(weather)
	s.eaves()
	return s.Loop
}

// rainBand is one part of the rain's noise, and how far a gust lifts it.
type rainBand struct {
	low, high, tilt float64
	width           float64
	level           float64 // between gusts
	lift            float64 // dB at a gust's height
}

var rainBands = []rainBand{
	{38, 110, 3, 0.4, 0.21, 8},    // the wind, and what the roof makes of it
	{160, 700, 4, 0.6, 0.26, 5},   // rain far off
	{700, 3000, 5, 0.85, 0.22, 5}, // rain on the leaves around
	{3000, 6000, 5, 1, 0.105, 9},  // its spray: a gust is brighter than what lies between
}

// under is the level of a band for one ear, 1 for the left and -1 for the right.
func (b rainBand) under(weather []gust, ear float64) curve {
	return func(seconds float64) float64 { return b.level * decibels(b.lift*blowing(weather, seconds, ear)) }
}

// gust is a squall that comes over and passes.
type gust struct {
	at         float64 // seconds into the loop of its height
	height     float64
	rise, fall float64 // seconds
	along      float64 // seconds by which it reaches the left before it does the right
}

// gusts places five, some 12 s apart.
func (s *synth) gusts() []gust {
	const number = 5
	weather, heights := make([]gust, number), s.spread(number, 0.55, 0.9)
	for i := range weather {
		weather[i] = gust{
			at:     (float64(i) + s.between(-0.2, 0.2)) * Seconds / number,
			height: heights[i], rise: s.between(3, 4.5), fall: s.between(2.5, 4),
			along: s.between(0.6, 1.6) * float64(1-2*s.IntN(2)),
		}
	}
	return weather
}

// blowing says how hard it blows for an ear (1 left, -1 right, 0 between), 0 to about 1.
func blowing(weather []gust, seconds, ear float64) (v float64) {
	for _, g := range weather {
		v += g.height * hump(around(seconds-g.at+ear*g.along/2), g.rise, g.fall)
	}
	return v
}

// falling is the density of drops: more of them fall in a gust.
func falling(weather []gust) curve {
	return func(seconds float64) float64 { return min(1, 0.5+0.5*blowing(weather, seconds, 0)) }
}

// drizzle adds the many small drops: a fine crackle far and near, rounder ones on leaves,
// dull ones on the ground.
func (s *synth) drizzle(weather []gust) {
	density := falling(weather)
	s.scatter(320, density, func(at float64) drop {
		hz := s.pitch(1500, 9000)
		return drop{at: at, hz: hz, decay: s.between(5, 14) / hz, level: 1.1 * s.uneven(), pan: s.between(-0.9, 0.9)}
	})
	s.scatter(16, density, func(at float64) drop {
		return drop{
			at: at, hz: s.pitch(420, 1800), bubble: 0.25, decay: s.between(0.004, 0.014),
			level: 1.8 * s.uneven(), pan: s.between(-0.8, 0.8),
		}
	})
	s.scatter(14, density, func(at float64) drop {
		return drop{
			at: at, hz: s.pitch(75, 190), decay: s.between(0.014, 0.035),
			level: 1.6 * s.uneven(), pan: s.between(-0.4, 0.4),
		}
	})
}
