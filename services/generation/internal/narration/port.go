package narration

import (
	"context"
	"time"
)

// Synth turns one utterance into speech. It is the port to a narrator of any make: the
// embedded synthesiser or a vendor's. It is called from several goroutines at once.
type Synth interface {
	// Speak says u.Text, at most MaxUtterance characters. It returns promptly when ctx ends.
	Speak(ctx context.Context, u Utterance) (Speech, error)
}

// Utterance is what a Synth is asked to say, and how.
type Utterance struct {
	Text string
	// Base names the synthesiser's own voice, for example "slt".
	Base string
	// Stretch lengthens every sound: 1 is the voice's own pace, 1.3 is slower by 30 %.
	Stretch float64
	// Pitch is the mean fundamental frequency in Hz, PitchRange its standard deviation in Hz;
	// 0 is the voice's own.
	Pitch, PitchRange float64
}

// Speech is mono sound in the range -1…1 at Rate samples a second.
type Speech struct {
	Samples []float32
	Rate    int
}

// Passage is a group of sentences and the planned silence after the last of them.
type Passage struct {
	Sentences []string
	Pause     time.Duration
}

// Segment is one passage with its silence, encoded: a piece of the final file that plays
// alone. Segments joined byte for byte in the order of Index are the final file. The first
// passage makes two segments if it has several sentences, so that listening can start after
// the first sentence.
type Segment struct {
	Index int
	MP3   []byte
	// Start is the segment's place in the whole recording and Duration its length, both
	// whole frames of 24 ms.
	Start, Duration time.Duration
	// Silence is the planned quiet after the segment's last word.
	Silence time.Duration
	// Lines are the spoken sentences with their places in the whole recording, as a listener
	// hears them (the codec's delay is included).
	Lines []Line
}

// Line is one spoken sentence.
type Line struct {
	Text       string
	Start, End time.Duration
}

// MaxUtterance is the longest text of an Utterance in characters; longer sentences are spoken
// in pieces.
const MaxUtterance = 500
