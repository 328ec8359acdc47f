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
	// equaliser is the narrator's own, before the one all share.
	equaliser []dsp.Filter
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
			voice:    "slt", stretch: 1.42, pitch: 168, pitchRange: 16, formants: ratio{1, 1}, loudness: -20,
		},
		{
			Narrator: recording.Narrator{ID: "isla", Name: "Isla", WordsPerMinute: 120},
			voice:    "slt", stretch: 1.45, pitch: 148, pitchRange: 14, formants: ratio{14, 15}, loudness: -20.5,
			equaliser: []dsp.Filter{dsp.Peak(260, 0.8, 1.5), dsp.HighShelf(5000, -1.5)},
		},
		{
			Narrator: recording.Narrator{ID: "wren", Name: "Wren", WordsPerMinute: 124},
			voice:    "slt", stretch: 1.38, pitch: 196, pitchRange: 20, formants: ratio{15, 14}, loudness: -19.5,
			equaliser: []dsp.Filter{dsp.HighShelf(5000, 1)},
		},
		{
			Narrator: recording.Narrator{ID: "tomas", Name: "Tomas", WordsPerMinute: 122},
			voice:    "rms", stretch: 1.28, formants: ratio{25, 24}, loudness: -26,
		},
		{
			Narrator: recording.Narrator{ID: "callum", Name: "Callum", WordsPerMinute: 121},
			voice:    "awb", stretch: 1.38, pitch: 122, pitchRange: 15, formants: ratio{1, 1}, loudness: -25,
		},
		{
			Narrator: recording.Narrator{ID: "ansel", Name: "Ansel", WordsPerMinute: 119},
			voice:    "rms", stretch: 1.32, formants: ratio{10, 11}, loudness: -25.5,
			equaliser: []dsp.Filter{dsp.Peak(150, 0.8, 1.5), dsp.HighShelf(4500, -1.5)},
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
		Pitch: n.pitch / shift, PitchRange: n.pitchRange / shift,
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

// reverb is the room that all narrators speak in.
var reverb = dsp.Reverb{Wet: 0.1, Decay: 0.32}

// compressor evens the voice out, against its level of target LUFS.
var compressor = dsp.Compressor{Threshold: -22, Ratio: 2, Knee: 10, Attack: 0.008, Release: 0.12}

// sharedEqualiser of all narrators: no rumble, some warmth, less harshness and hiss.
func sharedEqualiser() []dsp.Filter {
	return []dsp.Filter{
		dsp.HighPass(78, 0.5412), dsp.HighPass(78, 1.3066), // together a Butterworth of order four
		dsp.Peak(210, 0.9, 1.8),
		dsp.Peak(3800, 0.9, -3),
		dsp.HighShelf(6500, -2.5),
	}
}
