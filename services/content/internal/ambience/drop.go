package ambience

import "math"

// drop is a short ring of hz that fades by decay seconds; a bubble rises in pitch as it fades.
type drop struct {
	at         float64 // seconds into the loop
	hz, bubble float64
	decay      float64
	level      float64
	pan        float64 // -1 is the left, 1 the right
}

const (
	// softest is the longest beginning of a drop in seconds: it splashes, it does not click, and it
	// does not swell either.
	softest = 0.002
	// headDelay is how much later a sound from one side reaches the other ear, in seconds.
	headDelay = 0.0006
)

// fall lets a drop fall onto the loop.
func (s *synth) fall(d drop) {
	start, phase := int(d.at*Rate)+period, 2*math.Pi*s.Float64()
	right, left := math.Sincos(math.Pi / 4 * (1 + d.pan))
	toLeft := start + int(math.Max(0, d.pan)*headDelay*Rate)
	toRight := start + int(math.Max(0, -d.pan)*headDelay*Rate)
	length := int(7 * d.decay * Rate)
	turn, bend := 2*math.Pi*d.hz/Rate, d.bubble/(7*d.decay*Rate)
	// Both exponentials as a factor a sample: there are millions of samples of drops.
	fade, fading := d.level, math.Exp(-1/(d.decay*Rate))
	onset, passing := 1.0, math.Exp(-1/(min(0.3*d.decay, softest)*Rate))
	for i := range length {
		phase += turn * (1 + bend*float64(i))
		v := fade * (1 - onset) * math.Sin(phase)
		fade, onset = fade*fading, onset*passing
		s.Left[(toLeft+i)%period] += float32(v * left)
		s.Right[(toRight+i)%period] += float32(v * right)
	}
}

// scatter lets drops fall at random, perSecond of them where density is 1; it goes from 0 to 1.
func (s *synth) scatter(perSecond int, density curve, next func(at float64) drop) {
	for range perSecond * Seconds {
		if at := s.between(0, Seconds); s.Float64() < density(at) {
			s.fall(next(at))
		}
	}
}

// uneven is a level: mostly small, seldom near 1, as drops are near and far.
func (s *synth) uneven() float64 { return math.Pow(s.Float64(), 2.5) }

// pitch is a frequency between low and high Hz, as likely in each octave.
func (s *synth) pitch(low, high float64) float64 { return low * math.Pow(high/low, s.Float64()) }
