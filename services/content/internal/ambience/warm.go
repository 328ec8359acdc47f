package ambience

import "math"

// note of the pad: its frequency is ratio times root.
type note struct{ ratio, level float64 }

// root is A2. The ratios are pure intervals (fifth, octave, third, ninth), which do not beat.
const root = 110.0

// chords rise and fall one after the other and overlap, so the pad moves without changing.
var chords = [][]note{
	{{1, 1}, {1.5, 0.7}, {2, 0.45}},
	{{2, 0.55}, {2.5, 0.42}, {3, 0.3}},
	{{1.5, 0.6}, {2.25, 0.4}, {3.75, 0.14}},
	{{1, 0.5}, {3, 0.3}, {4, 0.13}},
}

// warm is a soft pad: every partial is a narrow hump of noise around its frequency, as many
// slightly detuned strings make it, so it shimmers slowly and never beats in step.
func warm(s *synth) Loop {
	l := newLoop()
	for i, chord := range chords {
		left, right := widen(s.pad(chord), s.pad(chord), 0.55)
		turn := float64(i) / float64(len(chords))
		drift := s.swell(0.18, 2, 3, 5)
		envelope := curve(func(t float64) float64 {
			x := 0.5 + 0.5*math.Cos(2*math.Pi*(t-turn))
			return 0.3 + 0.7*x*x*(3-2*x)
		})
		for j := range envelope {
			envelope[j] *= drift[j]
		}
		l.add(left, right, envelope)
	}
	air, side := s.noises(band(300, 1800, 5))
	left, right := widen(air, side, 0.9)
	breath := s.swell(0.5, 3, 4)
	for i := range breath {
		breath[i] *= 0.02
	}
	l.add(left, right, breath)
	return l
}

// pad makes one period of a chord.
func (s *synth) pad(chord []note) []float32 {
	const (
		partials = 6
		cents    = 9.0 // half width of a hump
		softness = 2.1 // partial n has the level n^-softness
	)
	clear(s.bins)
	for _, n := range chord {
		for p := 1.0; p <= partials; p++ {
			centre := root * n.ratio * p * Seconds
			width := centre * (math.Pow(2, cents/1200) - 1)
			level := n.level * math.Pow(p, -softness) / math.Sqrt(width)
			for k := int(centre - 4*width); k <= int(centre+4*width); k++ {
				x := (float64(k) - centre) / width
				a := level * math.Exp(-x*x)
				sin, cos := math.Sincos(2 * math.Pi * s.Float64())
				s.bins[k] += complex(a*cos, a*sin)
			}
		}
	}
	return scaled(s.synthesise(), chord)
}

// scaled gives a pad the level its notes ask for.
func scaled(wave []float32, chord []note) []float32 {
	var sum float64
	for _, n := range chord {
		sum += n.level * n.level
	}
	g := float32(math.Sqrt(sum))
	for i := range wave {
		wave[i] *= g
	}
	return wave
}
