package ambience

import "math"

// root of the pad in Hz, A1. All notes are pure intervals above it, which do not beat.
const root = 55.0

// chord is some notes of the pad that come and go together.
type chord struct {
	notes []note
	at    float64 // seconds into the loop at which it is fullest; less than 0: it is always there
}

// note of the pad: its frequency is ratio times root.
type note struct{ ratio, level float64 }

// chords over a ground that stays: home, the fourth and the second, each for a third of the loop.
// The pad moves, and arrives nowhere that it would have to leave.
var chords = []chord{
	{[]note{{1, 0.62}, {2, 0.8}, {3, 0.4}}, -1},
	{[]note{{4, 0.42}, {5, 0.5}, {6, 0.36}, {10, 0.07}}, 0},
	{[]note{{8.0 / 3, 0.6}, {4, 0.36}, {20.0 / 3, 0.42}, {8, 0.1}}, Seconds / 3.0},
	{[]note{{3, 0.5}, {4.5, 0.5}, {6, 0.4}, {9, 0.08}}, 2 * Seconds / 3.0},
}

// warm is a soft pad. Every partial is one steady tone that drifts by a few cents and swells within
// many seconds, for each ear in its own way: it shimmers slowly, and never flutters.
func warm(s *synth) Loop {
	for _, c := range chords {
		for _, n := range c.notes {
			s.play(n, c.presence())
		}
	}
	breath := s.swell(0.4, 5, 7)
	air := func(seconds float64) float64 { return 0.04 * breath(seconds) }
	s.lay(bed{band(250, 3000, 5), 0.9, air, air})
	return s.Loop
}

// presence is a chord's level over time. Those of the three that come and go have powers that add
// up to one: one rises by a quarter of a sine while another falls.
func (c chord) presence() curve {
	const reach = Seconds / 3.0 // from full to gone
	return func(seconds float64) float64 {
		if c.at < 0 {
			return 1
		}
		return math.Cos(math.Pi / 2 * min(1, math.Abs(around(seconds-c.at))/reach))
	}
}

// play sounds a note's partials, each softer than the last. Higher ones come and go more.
func (s *synth) play(n note, presence curve) {
	const (
		partials = 7
		softness = 1.9 // partial p has the level p^-softness
	)
	for p := 1.0; p <= partials; p++ {
		level := n.level * math.Pow(p, -softness)
		shimmer := min(0.7, 0.15+0.1*p)
		s.sound(tone{
			hz: root * n.ratio * p, drift: s.vibration(0.9, 3, 11), presence: presence,
			left: s.ear(level, shimmer), right: s.ear(level, shimmer),
		})
	}
}
