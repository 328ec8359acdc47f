package ambience

import "math"

// stride in samples between two places where a tone's ways to the ears are read, 10 ms.
const stride = Rate / 100

// tone is one partial.
type tone struct {
	hz          float64
	presence    curve
	drift       curve // of its phase in radians, both ears alike: it goes a little sharp and flat
	left, right ear
}

// ear is how a tone reaches one ear.
type ear struct {
	level curve
	phase curve // in radians, beside the tone's own: small, so that both ears still add up
}

// ear draws how a tone of that level is heard on one side, swelling by a share of it.
func (s *synth) ear(level, shimmer float64) ear {
	swell := s.swell(shimmer, 2+s.IntN(4), 5+s.IntN(5))
	place, wander := s.between(-0.7, 0.7), s.vibration(0.4, 2, 9)
	return ear{
		level: func(seconds float64) float64 { return level * swell(seconds) },
		phase: func(seconds float64) float64 { return place + wander(seconds) },
	}
}

// vibration is a sine of that depth, with a number of cycles in the loop between two.
func (s *synth) vibration(depth float64, fewest, most int) curve {
	cycles, phase := float64(fewest+s.IntN(most-fewest+1)), 2*math.Pi*s.Float64()
	return func(seconds float64) float64 { return depth * math.Sin(2*math.Pi*cycles*seconds/Seconds+phase) }
}

// sound lays a tone onto the loop. Its frequency becomes a whole number of cycles in the loop, off
// by less than a hundredth of a Hz.
func (s *synth) sound(t tone) {
	turns := math.Round(t.hz * Seconds)
	sin, cos := math.Sincos(2 * math.Pi * turns / period)
	turn := complex(cos, sin)
	left, right := t.reach(t.left, 0), t.reach(t.right, 0)
	for at := 0; at < period; at += stride {
		end := float64(at+stride) / Rate
		leftEnd, rightEnd := t.reach(t.left, end), t.reach(t.right, end)
		byLeft, byRight := (leftEnd-left)/stride, (rightEnd-right)/stride
		// Every stride computes the carrier's phase from the time, so that rounding errors do not add up.
		sin, cos := math.Sincos(2 * math.Pi * math.Mod(turns*float64(at)/period, 1))
		carrier := complex(cos, sin)
		for i := at; i < at+stride; i++ {
			s.Left[i] += float32(real(carrier)*real(left) - imag(carrier)*imag(left))
			s.Right[i] += float32(real(carrier)*real(right) - imag(carrier)*imag(right))
			carrier, left, right = carrier*turn, left+byLeft, right+byRight
		}
		left, right = leftEnd, rightEnd
	}
}

// reach is a tone's level and phase at an ear as one number.
func (t tone) reach(e ear, seconds float64) complex128 {
	level := t.presence(seconds) * e.level(seconds)
	sin, cos := math.Sincos(t.drift(seconds) + e.phase(seconds))
	return complex(level*cos, level*sin)
}
