package narration

import (
	"time"

	"serein.app/services/generation/internal/narration/sound"
	"serein.app/services/platform/mp3"
)

// A segment is a whole MP3 stream of its own: lead, speech, silence, encoded to whole frames.
// Decoded, its sound stands mp3.Delay samples late, and two frames are added in all. So
// between the last sound of one segment and the first of the next a listener hears
//
//	trailing silence + 2 frames + lead
//
// and the trailing silence is chosen so that this is the planned silence to the sample. It
// holds nothing but the room's tail. For the sum to come out in whole frames, the speech is
// lengthened by less than a frame (24 ms) of quiet, before the planned silence begins.
const (
	frame = 576
	// lead is quiet at a segment's start; with the codec's delay a player that begins with
	// this segment has 70 ms before the first sound.
	lead = frame
	// between is what encoding adds between two segments.
	between = 2 * frame
	// leastSilence is the shortest planned silence: the room's tail must fit in.
	leastSilence = 300 * time.Millisecond
)

const (
	fadeIn  = sound.Rate * 5 / 1000
	fadeOut = sound.Rate * 10 / 1000
	// ceiling in dBTP: the encoder adds up to about half a decibel, and -1 must hold after it.
	ceiling = -2.0
)

// mix joins the sentences of a segment.
type mix struct {
	samples []float32
	lines   []Line
	silence int // planned, in samples
}

func newMix(silence time.Duration) *mix {
	return &mix{samples: make([]float32, lead), silence: count(max(silence, leastSilence))}
}

// add appends a sentence, after a breath if it is not the first.
func (m *mix) add(text string, samples []float32) {
	if len(samples) == 0 {
		return
	}
	if len(m.lines) > 0 {
		m.samples = append(m.samples, make([]float32, count(sentenceGap))...)
	}
	sound.FadeIn(samples, fadeIn)
	sound.FadeOut(samples, fadeOut)
	start := len(m.samples)
	m.samples = append(m.samples, samples...)
	m.lines = append(m.lines, Line{
		Text:  text,
		Start: duration(start + mp3.Delay),
		End:   duration(len(m.samples) + mp3.Delay),
	})
}

// finish appends the silence, adds the room and gives whole frames.
func (m *mix) finish() []float32 {
	trailing := m.silence - lead - between
	quiet := (frame - (len(m.samples)+trailing)%frame) % frame
	m.samples = append(m.samples, make([]float32, quiet+trailing)...)
	room.Apply(m.samples)
	sound.FadeOut(m.samples, fadeOut)
	sound.Limit(m.samples, ceiling)
	return m.samples
}
