package narration

import (
	"time"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/generation/internal/recording"
)

// narrator is a persona and how it is made of a synthesiser's voice.
type narrator struct {
	recording.Narrator

	voice   string  // of the synthesiser
	stretch float64 // of the voice's own pace, before the formants are shifted
	// pitch and pitchRange as heard, in Hz; 0 is the voice's own, shifted with the formants (rms
	// takes no other).
	pitch, pitchRange float64
	// formants scales the resonances of the vocal tract: 21/20 sounds smaller and younger, 24/25 larger.
	formants ratio
	// loudness in LUFS of the voice as it comes from the synthesiser, after the equaliser.
	loudness float64
	// fall is by how many semitones the pitch sinks over a sentence; rms takes none.
	fall float64
	// equaliser brings the voice to the average spectrum of speech.
	equaliser []dsp.Filter
	// sibilants is the level in dBFS above which what lies over sibilantHz is turned down.
	sibilants float64
}

type ratio struct{ up, down int }

func (r ratio) float() float64 { return float64(r.up) / float64(r.down) }

// Defaults where no narrator is named.
const (
	DefaultVoiceOnly = "maren"
	DefaultImmersive = "isla"
)

// narrators lists all of them.
func narrators() []narrator {
	return []narrator{
		{
			Narrator: recording.Narrator{ID: "maren", Name: "Maren", WordsPerMinute: 123},
			voice:    "slt", stretch: 1.42, pitch: 168, pitchRange: 20, fall: 4, formants: ratio{24, 25}, loudness: -20, sibilants: -24,
			equaliser: []dsp.Filter{dsp.Peak(150, 1.5, -8), dsp.Peak(260, 1.5, 5), dsp.Peak(1250, 0.5, 4.5), dsp.Peak(4700, 1.7, 4), dsp.HighShelf(6300, -3)},
		},
		{
			Narrator: recording.Narrator{ID: "isla", Name: "Isla", WordsPerMinute: 120},
			voice:    "slt", stretch: 1.45, pitch: 148, pitchRange: 18, fall: 4, formants: ratio{14, 15}, loudness: -20.5, sibilants: -24,
			equaliser: []dsp.Filter{dsp.Peak(140, 1.5, -6.5), dsp.Peak(1400, 1, 4), dsp.Peak(4100, 1.7, 2.5), dsp.HighShelf(6300, -4.5)},
		},
		{
			Narrator: recording.Narrator{ID: "wren", Name: "Wren", WordsPerMinute: 124},
			voice:    "slt", stretch: 1.46, pitch: 196, pitchRange: 24, fall: 4, formants: ratio{1, 1}, loudness: -19.5, sibilants: -24,
			equaliser: []dsp.Filter{dsp.Peak(200, 1.5, -8), dsp.Peak(300, 1.5, 6), dsp.Peak(1550, 1, 4), dsp.Peak(4800, 1.7, 5), dsp.HighShelf(6300, -2)},
		},
		{
			Narrator: recording.Narrator{ID: "tomas", Name: "Tomas", WordsPerMinute: 122},
			voice:    "rms", stretch: 1.28, formants: ratio{25, 24}, loudness: -26, sibilants: -26,
			equaliser: []dsp.Filter{dsp.Peak(140, 0.6, -3.5), dsp.Peak(860, 1.4, 9), dsp.Peak(1900, 1.7, 7), dsp.Peak(4000, 1.1, -8.5), dsp.HighShelf(6000, -5)},
		},
		{
			Narrator: recording.Narrator{ID: "callum", Name: "Callum", WordsPerMinute: 121},
			voice:    "awb", stretch: 1.38, pitch: 122, pitchRange: 16, fall: 3, formants: ratio{24, 25}, loudness: -25, sibilants: -24,
			equaliser: []dsp.Filter{dsp.Peak(250, 1.7, -4.5), dsp.Peak(860, 1.5, 5), dsp.Peak(1500, 1.7, 3), dsp.Peak(2900, 1, -5), dsp.Peak(5500, 1.7, 9), dsp.HighShelf(6000, 5)},
		},
		{
			Narrator: recording.Narrator{ID: "ansel", Name: "Ansel", WordsPerMinute: 119},
			voice:    "rms", stretch: 1.32, formants: ratio{20, 21}, loudness: -25.5, sibilants: -26,
			equaliser: []dsp.Filter{dsp.Peak(150, 1, -5), dsp.Peak(890, 0.6, 9), dsp.Peak(1700, 1.7, 4), dsp.Peak(3400, 1.1, -9), dsp.HighShelf(6000, -8)},
		},
	}
}

// Narrators lists all personas that can be heard.
func Narrators() (all []recording.Narrator) {
	for _, n := range narrators() {
		all = append(all, n.Narrator)
	}
	return all
}

// Narrator finds a persona by its id.
func (*Recorder) Narrator(id string) (recording.Narrator, bool) {
	n, known := find(id)
	return n.Narrator, known
}

// DefaultNarrator is who speaks where nobody is named.
func (*Recorder) DefaultNarrator(immersive bool) recording.Narrator {
	id := DefaultVoiceOnly
	if immersive {
		id = DefaultImmersive
	}
	n, _ := find(id)
	return n.Narrator
}

func find(id string) (narrator, bool) {
	for _, n := range narrators() {
		if n.ID == id {
			return n, true
		}
	}
	return narrator{}, false
}

func narratorOrDefault(id string) narrator {
	n, known := find(id)
	if !known {
		n, _ = find(DefaultVoiceOnly)
	}
	return n
}

// utterance asks the synthesiser for what is the narrator's pitch and pace once the formants are shifted.
func (n narrator) utterance(text string) Utterance {
	shift := n.formants.float()
	return Utterance{
		Text: text, Voice: n.voice, Stretch: n.stretch * shift,
		Pitch: n.pitch / shift, PitchRange: n.pitchRange / shift, Fall: n.fall,
	}
}

const (
	// target in LUFS of a sentence. The recording comes out half a decibel lower, at -19: its
	// relative gate counts more of the soft syllables than a single sentence's does.
	target = -18.5
	// maxCorrection in dB of a sentence against the voice's usual level, so that a whispery or
	// odd sentence is not amplified too much.
	maxCorrection = 6.0
	// keepBefore and keepAfter are left around the sound that was found: attack and decay.
	keepBefore, keepAfter = dsp.Rate * 15 / 1000, dsp.Rate * 45 / 1000
	// shortPause at a comma is lengthened by pauseAdd: unhurried speech pauses more, it does not drawl.
	shortPause = dsp.Rate * 70 / 1000
	pauseAdd   = 320 * time.Millisecond
)

// sibilantHz is where sibilants have their power and vowels have little.
const sibilantHz = 4500

// reverb is the room that all narrators speak in.
var reverb = dsp.Reverb{Wet: 0.1, Decay: 0.32}

// compressor evens the voice out, against its level of target LUFS.
var compressor = dsp.Compressor{Threshold: -22, Ratio: 2, Knee: 10, Attack: 0.008, Release: 0.12}

// sharedEqualiser of all narrators: no rumble.
func sharedEqualiser() []dsp.Filter {
	return []dsp.Filter{
		dsp.HighPass(78, 0.5412), dsp.HighPass(78, 1.3066), // together a Butterworth of order four
	}
}
