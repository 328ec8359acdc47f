package ambience

// spout is a place close by where water gathers and drips: always there, always of one kind.
type spout struct {
	pan   float64
	hz    float64 // of its note
	every float64 // seconds between two drops, about
	level float64
}

// spouts of the eaves, from left to right. No interval is a multiple of another.
var spouts = []spout{
	{-0.85, 690, 2.9, 1},
	{-0.45, 410, 4.3, 0.7},
	{0.2, 980, 3.7, 0.45},
	{0.55, 540, 5.1, 0.8},
	{0.9, 820, 2.3, 0.9},
}

// eaves lets each spout drip, unevenly.
func (s *synth) eaves() {
	for _, p := range spouts {
		for at := s.between(0, p.every); at < Seconds-p.every/2; at += p.every * s.between(0.5, 1.5) {
			s.drip(p, at)
		}
	}
}

// drip is one drop close by: what splashes, the note of the water, the thud of the ground, and what
// comes back from the walls.
func (s *synth) drip(p spout, at float64) {
	level := p.level * s.between(0.5, 1)
	hz := p.hz * s.between(0.9, 1.12)
	for range 6 {
		s.fall(drop{
			at: at + s.between(0, 0.012), hz: s.pitch(2000, 6000), decay: s.between(0.002, 0.005),
			level: 0.9 * level * s.Float64(), pan: p.pan,
		})
	}
	note := drop{at: at + 0.004, hz: hz, bubble: 0.3, decay: 0.022, level: 3.5 * level, pan: p.pan}
	s.fall(note)
	s.fall(drop{at: at, hz: hz / 4, decay: 0.03, level: 1.5 * level, pan: p.pan * 0.6})
	for range 5 {
		echo := note
		echo.at += s.between(0.009, 0.06)
		echo.level *= s.between(0.05, 0.16)
		echo.pan = s.between(-0.9, 0.9)
		s.fall(echo)
	}
}
