package dsp

// Span is a stretch of samples, End excluded.
type Span struct{ Start, End int }

const (
	trimStep = Rate / 200 // levels are taken every 5 ms
	// trimBelow is where sound ends, as power under the loudest 5 ms: -42 dB keeps soft
	// consonants such as the f of "soft" and drops the synthesiser's idle noise.
	trimBelow = 6.3e-5
)

// DetectSound finds where sound starts and ends, and the pauses inside it that last at least
// minPause samples. A silent signal has no sound: an empty span.
func DetectSound(samples []float32, minPause int) (whole Span, pauses []Span) {
	power := make([]float64, len(samples)/trimStep)
	var top float64
	for i := range power {
		for _, s := range samples[i*trimStep : (i+1)*trimStep] {
			power[i] += float64(s) * float64(s)
		}
		top = max(top, power[i])
	}
	last := -1
	for i, p := range power {
		if p <= top*trimBelow {
			continue
		}
		if last < 0 {
			whole.Start = i * trimStep
		} else if gap := (i - last - 1) * trimStep; gap >= minPause {
			pauses = append(pauses, Span{(last + 1) * trimStep, i * trimStep})
		}
		last = i
		whole.End = (i + 1) * trimStep
	}
	return whole, pauses
}
