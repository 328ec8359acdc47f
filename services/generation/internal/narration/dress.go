package narration

import (
	"math"

	"serein.app/services/generation/internal/narration/sound"
	"serein.app/services/sound/loudness"
	"serein.app/services/sound/resample"
)

// tail is how long the room is heard after a sentence, in samples.
const tail = sound.Rate * 4 / 10

// dress gives speech as it comes from the synthesiser the narrator's sound: tract, equaliser,
// pace of its pauses, evenness, room and level. It cuts the silence around the speech and
// leaves the room's tail after it. Empty or silent speech gives nothing.
func (v Voice) dress(speech Speech) []float32 {
	if len(speech.Samples) == 0 {
		return nil
	}
	samples := resample.New(sound.Rate*v.tract.down, speech.Rate*v.tract.up).Resample(speech.Samples)
	for _, f := range append(equaliser(), v.tone...) {
		f.Apply(samples)
	}
	samples = calm(samples)
	if len(samples) == 0 {
		return nil
	}
	sound.Gain(samples, target-v.loudness)
	evening.Apply(samples)
	sound.FadeIn(samples, fadeIn)
	sound.FadeOut(samples, fadeOut)
	samples = append(samples, make([]float32, tail)...)
	room.Apply(samples)
	sound.FadeOut(samples, tail/4)
	if level := levelInFile(samples); !math.IsInf(level, -1) {
		sound.Gain(samples, max(-mostCorrection, min(target-level, mostCorrection)))
	}
	return samples
}

// levelInFile measures a sentence as it will count in the recording, with quiet on both
// sides: the blocks at its edges are part of the whole file's loudness.
func levelInFile(samples []float32) float64 {
	const edge = sound.Rate * 3 / 10 // a block of 400 ms that touches the sentence starts here
	padded := make([]float32, edge+len(samples))
	copy(padded[edge:], samples)
	return loudness.Integrated(sound.Rate, padded)
}

// calm cuts the silence around the sound and lengthens the pauses in it.
func calm(samples []float32) []float32 {
	whole, pauses := sound.Voiced(samples, shortPause)
	if whole.End == 0 {
		return nil
	}
	whole.Start = max(whole.Start-keepBefore, 0)
	whole.End = min(whole.End+keepAfter, len(samples))
	out := make([]float32, 0, whole.End-whole.Start+len(pauses)*count(pauseAdd))
	at := whole.Start
	for _, p := range pauses {
		middle := (p.Start + p.End) / 2
		piece := len(out)
		out = append(out, samples[at:middle]...)
		sound.FadeOut(out[piece:], (p.End-p.Start)/3)
		out = append(out, make([]float32, count(pauseAdd))...)
		sound.FadeIn(samples[middle:whole.End], (p.End-p.Start)/3)
		at = middle
	}
	return append(out, samples[at:whole.End]...)
}
