package narration

import "context"

// Synthesiser turns one utterance into speech. It is the port to a speech synthesiser of any make:
// the embedded one or a vendor's. It is called from several goroutines at once.
type Synthesiser interface {
	// Speak says u.Text, at most MaxUtterance characters. It returns promptly when ctx ends.
	Speak(ctx context.Context, u Utterance) (Speech, error)
	// HasVoice says whether an utterance may name that voice.
	HasVoice(name string) bool
}

// Utterance is what a Synthesiser is asked to say, and how.
type Utterance struct {
	Text string
	// Voice names the synthesiser's own voice, for example "slt".
	Voice string
	// Stretch lengthens every sound: 1 is the voice's own pace, 1.3 is slower by 30 %.
	Stretch float64
	// Pitch is the mean fundamental frequency in Hz, PitchRange its standard deviation in Hz;
	// 0 is the voice's own.
	Pitch, PitchRange float64
	// Fall is by how many semitones the pitch sinks from the beginning of a sentence to its end, and to less in each of its
	// clauses; 0 is the voice's own. It needs a Pitch.
	Fall float64
	// Common says that Text has no words of a member's: the speech may be kept, and given again to others. It changes no sound.
	Common bool
	// Before and After are the sentences beside Text, for a synthesiser that fits the tone to them; empty where nothing stands there, and for
	// every Text that is Common: its speech is kept and given to others, who have other sentences beside it.
	Before, After string
	// Pace is how many words a minute the narrator speaks as a rule; 0 is unknown. It changes no sound: speech of another length
	// than that is not of this Text.
	Pace float64
}

// Admitter is a Synthesiser whose speech costs money. It is asked before the first sentence of a recording, and not in its middle.
type Admitter interface {
	// Admit answers an error where a recording of so many characters cannot be paid for today.
	Admit(ctx context.Context, characters int) error
}

// Speech is mono sound in the range -1…1 at Rate samples a second. Several callers may get the same samples: nobody changes them.
type Speech struct {
	Samples []float32
	Rate    int
}

// MaxUtterance is the longest text of an Utterance in characters; longer sentences are spoken
// in pieces.
const MaxUtterance = 500
