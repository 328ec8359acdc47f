package narration

import (
	"time"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/sound/mp3"
)

// A segment is a complete MP3 stream: lead, speech, silence, encoded to whole frames.
// Decoded, its sound starts mp3.Delay samples late, and two frames are added in all. So
// between the last sound of one segment and the first of the next a listener hears
//
//	trailing silence + 2 frames + lead
//
// and the trailing silence is chosen so that this is the planned silence to the sample. It
// holds nothing but the reverb's tail. For the sum to come out in whole frames, a segment's last
// sentence is given up to a frame (24 ms) more for its decay before the silence begins.
const (
	frame = 576
	// lead is quiet at a segment's start; with the codec's delay a player that begins with
	// this segment has 118 ms before the first sound.
	lead = headFrames * frame
	// between is what encoding adds between two segments.
	between = 2 * frame
	// leastSilence is the shortest planned silence: the reverb's tail must fit in.
	leastSilence = 300 * time.Millisecond
)

const (
	fadeIn  = dsp.Rate * 5 / 1000
	fadeOut = dsp.Rate * 10 / 1000
	// ceiling in dBTP: the encoder adds up to about half a decibel, and -1 must hold after it.
	ceiling = -2.0
	// bellAfter is how long after the last word the bell begins, where the last silence has room for it; otherwise the
	// bell follows the silence.
	bellAfter = dsp.Rate * 3 / 2
)

// mix joins the sentences of a segment. The reverb's tail of one lies under the next.
type mix struct {
	samples []float32
	end     int // of the last sentence, without its tail
	lines   []recording.Line
	silence int // planned, in samples
}

func newMix(silence time.Duration) *mix {
	return &mix{end: lead, silence: count(max(silence, leastSilence))}
}

// add appends a sentence in its pieces, after a breath if it is not the first. A sentence
// without sound is left out.
func (m *mix) add(text string, pieces [][]float32) {
	start := -1
	for _, piece := range pieces {
		if len(piece) == 0 {
			continue
		}
		if start >= 0 {
			m.end += count(pieceGap)
		} else if len(m.lines) > 0 {
			m.end += count(sentenceGap)
		}
		if start < 0 {
			start = m.end
		}
		m.mixIn(piece)
	}
	if start >= 0 {
		m.lines = append(m.lines, recording.Line{Text: text, Start: duration(start + mp3.Delay), End: duration(m.end + mp3.Delay)})
	}
}

// mixIn adds a piece at the end.
func (m *mix) mixIn(piece []float32) {
	m.grow(m.end + len(piece))
	for i, s := range piece {
		m.samples[m.end+i] += s
	}
	m.end += len(piece) - tail
}

func (m *mix) grow(n int) {
	if n > len(m.samples) {
		m.samples = append(m.samples, make([]float32, n-len(m.samples))...)
	}
}

// finish appends the silence, and the bell to the recording's last segment, and gives whole frames.
func (m *mix) finish(last bool) []float32 {
	trailing := m.silence - lead - between
	bellAt, extra := m.silence, 0
	if last {
		extra = lead + between // no segment follows that would begin with these
		if m.silence >= bellAfter+dsp.BellSamples {
			bellAt = bellAfter
		} else {
			extra += dsp.BellSamples
		}
	}
	whole := (m.end + trailing + extra + frame - 1) / frame * frame
	m.end = whole - trailing - extra
	if last := len(m.lines) - 1; last >= 0 {
		m.lines[last].End = duration(m.end + mp3.Delay)
	}
	m.grow(whole)
	m.samples = m.samples[:whole]
	dsp.FadeOut(m.samples, fadeOut)
	dsp.Limit(m.samples, ceiling)
	if last {
		for i, s := range dsp.Bell() {
			m.samples[m.end+bellAt+i] += s
		}
	}
	return m.samples
}
