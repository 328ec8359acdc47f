package ambience

// material is something near that drops strike, and how it rings: each place of it in its own pitch.
type material struct {
	low, high   float64 // Hz of the lowest mode
	modes       []mode
	perSecond   int     // drops, at a gust's height
	level       float64 // of the loudest drop
	left, right float64 // how far it reaches, -1 is the left, 1 the right
}

// mode is one of the frequencies at which a material rings.
type mode struct {
	ratio float64 // to the lowest
	level float64 // beside the lowest
	decay float64 // seconds
}

// The roof of boards is above, clay tiles and a pot stand on the right, and the tin of the gutter runs along the left. The ratios
// are those of bars and plates: no mode is a harmonic of another, or it would be a tune.
var roof = []material{
	{150, 320, []mode{{1, 1, 0.018}, {2.76, 0.45, 0.009}, {5.4, 0.2, 0.005}}, 16, 2.6, -0.6, 0.6},
	{480, 760, []mode{{1, 1, 0.022}, {2.31, 0.4, 0.012}, {3.89, 0.2, 0.007}}, 7, 1.4, 0.25, 0.85},
	{1050, 1700, []mode{{1, 1, 0.04}, {1.59, 0.55, 0.03}, {2.14, 0.35, 0.022}}, 5, 0.85, -0.9, -0.35},
}

// patter lets drops fall on each material of the roof, more of them in a gust.
func (s *synth) patter(density curve) {
	for _, m := range roof {
		s.scatter(m.perSecond, density, func(at float64) drop { return s.strike(m, at) })
	}
}

// strike rings the higher modes of a place that a drop strikes, and gives the lowest.
func (s *synth) strike(m material, at float64) drop {
	lowest := drop{at: at, hz: s.pitch(m.low, m.high), decay: m.modes[0].decay, level: m.level * s.uneven(), pan: s.between(m.left, m.right)}
	for _, higher := range m.modes[1:] {
		ring := lowest
		ring.hz, ring.decay, ring.level = lowest.hz*higher.ratio, higher.decay, lowest.level*higher.level
		s.fall(ring)
	}
	return lowest
}

// gutter collects what falls on the roof and runs down a pipe on the left, fullest some seconds after a gust: low water in the
// pipe, and bubbles where it comes out.
func (s *synth) gutter(weather []gust) {
	const lag = 3.0 // seconds that water takes along the roof
	full := func(seconds float64) float64 { return 0.6 + 0.5*blowing(weather, around(seconds-lag), 0) }
	near := func(seconds float64) float64 { return 0.15 * full(seconds) }
	far := func(seconds float64) float64 { return 0.08 * full(seconds) }
	s.lay(bed{band(70, 210, 5), 0.3, near, far})
	s.scatter(40, func(seconds float64) float64 { return min(1, full(seconds)) }, func(at float64) drop {
		return drop{
			at: at, hz: s.pitch(330, 900), bubble: 0.5, decay: s.between(0.006, 0.016),
			level: 0.7 * s.uneven(), pan: s.between(-0.9, -0.6),
		}
	})
}
