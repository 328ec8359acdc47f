package ambience

// wave is one wave of the sea as it comes in.
type wave struct {
	at       float64 // seconds into the loop of its break
	height   float64
	rise     float64 // seconds in which it swells before it breaks
	run, ebb float64 // seconds in which the break and the hiss of the water fade
	foam     float64 // how much of it goes into foam, around 1
	along    float64 // seconds by which it breaks on the left before it does on the right
}

// ocean is noise that swells and ebbs as waves do on a gently sloping beach, and the fizz of
// their foam as it sinks into the sand.
func ocean(s *synth) Loop {
	sea := s.waves()
	for _, b := range seaBands {
		drift := s.swell(0.15, 4, 9, 15)
		ear := func(side float64) curve {
			return func(seconds float64) float64 {
				v := 0.0
				for _, w := range sea {
					v += w.height * b.shape(w, around(seconds-w.at+side*w.along/2))
				}
				return (b.rest + b.level*v) * drift(seconds)
			}
		}
		s.lay(bed{band(b.low, b.high, b.tilt), b.width, ear(1), ear(-1)})
	}
	s.fizz(sea)
	return s.Loop
}

// seaBand is one part of the sea's spectrum and what waves do to it.
type seaBand struct {
	low, high, tilt float64
	width           float64
	level, rest     float64 // at a break of height 1, and between waves
	shape           func(w wave, seconds float64) float64
}

var seaBands = []seaBand{
	// The weight of the water as it falls, felt more than heard.
	{30, 60, 2, 0.3, 0.28, 0.06, func(w wave, s float64) float64 { return w.height * hump(s, w.rise*0.7, w.run*0.9) }},
	// The body of the water: there all the time, heaving with the swell.
	{60, 340, 4.5, 0.7, 0.75, 0.3, func(w wave, s float64) float64 { return hump(s, w.rise*1.1, w.run*1.2) }},
	// The roar of the break.
	{340, 1700, 4.5, 0.7, 0.8, 0.13, func(w wave, s float64) float64 { return hump(s, w.rise*0.8, w.run) }},
	// The hiss of foam, later and longer than the roar.
	{1700, 6000, 4, 0.75, 0.36, 0.045, func(w wave, s float64) float64 { return w.foam * hump(s-0.5, w.rise*0.45, w.ebb) }},
}

// waves places seven, 6 to 11 s apart and no two alike.
func (s *synth) waves() []wave {
	const number = 7
	sea := make([]wave, number)
	heights, rises := s.spread(number, 0.42, 1.0), s.spread(number, 2, 3.8)
	runs, ebbs := s.spread(number, 1.4, 2.8), s.spread(number, 1.8, 3.8)
	foams := s.spread(number, 0.5, 1.5)
	for i := range sea {
		sea[i] = wave{
			at:     (float64(i) + s.between(-0.14, 0.14)) * Seconds / number,
			height: heights[i], rise: rises[i], run: runs[i], ebb: ebbs[i],
			foam: foams[i], along: s.between(-1, 1),
		}
	}
	return sea
}

// fizz is the bursting of bubbles where the water has run back, a second or two after each break.
func (s *synth) fizz(sea []wave) {
	density := func(seconds float64) float64 {
		v := 0.0
		for _, w := range sea {
			v += w.height * w.foam * hump(around(seconds-w.at)-1.5, 0.9, 1.3*w.ebb)
		}
		return v
	}
	s.scatter(600, density, func(at float64) drop {
		return drop{
			at: at, hz: s.pitch(1800, 6500), decay: s.between(0.0008, 0.0025),
			level: 0.5 * s.uneven(), pan: s.between(-0.9, 0.9),
		}
	})
}
