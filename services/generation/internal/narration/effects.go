package narration

import (
	"math"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/sound/loudness"
	"serein.app/services/sound/resample"
)

// tail is how long the reverb is heard after a sentence, in samples.
const tail = dsp.Rate * 4 / 10

// applyEffects gives speech as it comes from the synthesiser the narrator's sound: formants,
// equaliser, pauses, compression, reverb and loudness. It cuts the silence around the speech and
// leaves the reverb's tail after it. Empty or silent speech gives nothing.
func (n narrator) applyEffects(speech Speech) []float32 {
	if len(speech.Samples) == 0 {
		return nil
	}
	samples := resample.New(dsp.Rate*n.tract.down, speech.Rate*n.tract.up).Resample(speech.Samples)
	n.sound.equaliser.Apply(samples)
	samples = n.sound.lengthenPauses(samples)
	if len(samples) == 0 {
		return nil
	}
	dsp.Gain(samples, target-n.loudness)
	n.sound.deEsser.Apply(samples)
	n.sound.compressor.Apply(samples)
	dsp.FadeIn(samples, fadeIn)
	dsp.FadeOut(samples, fadeOut)
	samples = append(samples, make([]float32, tail)...)
	n.sound.reverb.Apply(samples)
	dsp.FadeOut(samples, tail/4)
	if level := levelInFile(samples); !math.IsInf(level, -1) {
		dsp.Gain(samples, max(-maxCorrection, min(target-level, maxCorrection)))
	}
	return samples
}

// levelInFile measures a sentence as it will count in the recording, with quiet on both
// sides: the blocks at its edges are part of the whole file's loudness.
func levelInFile(samples []float32) float64 {
	const edge = dsp.Rate * 3 / 10 // a block of 400 ms that touches the sentence starts here
	padded := make([]float32, edge+len(samples))
	copy(padded[edge:], samples)
	return loudness.Integrated(dsp.Rate, padded)
}

// lengthenPauses does so inside the speech, and cuts the silence around it.
func (s sound) lengthenPauses(samples []float32) []float32 {
	whole, pauses := dsp.DetectSound(samples, s.shortPause)
	if whole.End == 0 {
		return nil
	}
	whole.Start = max(whole.Start-keepBefore, 0)
	whole.End = min(whole.End+keepAfter, len(samples))
	out := make([]float32, 0, whole.End-whole.Start+len(pauses)*count(s.pauseAdd))
	at := whole.Start
	for _, p := range pauses {
		middle := (p.Start + p.End) / 2
		piece := len(out)
		out = append(out, samples[at:middle]...)
		dsp.FadeOut(out[piece:], (p.End-p.Start)/3)
		out = append(out, make([]float32, count(s.pauseAdd))...)
		dsp.FadeIn(samples[middle:whole.End], (p.End-p.Start)/3)
		at = middle
	}
	return append(out, samples[at:whole.End]...)
}
