package narration

import (
	"time"

	"serein.app/services/generation/internal/narration/sound"
)

// Voice is a narrator that members can hear.
type Voice struct {
	// ID is the stable name that presets use; Name is what a member reads.
	ID, Name string
	// WordsPerMinute is the measured pace while speaking, breaths between sentences included.
	WordsPerMinute float64

	base    string
	stretch float64 // of the synthesiser's own pace, before tract
	// pitch and pitchRange as heard, in Hz; 0 is the base voice's own, moved by tract (rms
	// takes no other).
	pitch, pitchRange float64
	// tract scales the vocal tract's resonances: 21/20 sounds smaller and younger, 24/25 larger.
	tract ratio
	// loudness in LUFS of the voice as it comes from the synthesiser, after the equaliser.
	loudness float64
	// tone is the narrator's own equaliser, before the one all share.
	tone []sound.Filter
}

type ratio struct{ up, down int }

func (r ratio) float() float64 { return float64(r.up) / float64(r.down) }

// Defaults where no narrator, or an unknown one, is named.
const (
	DefaultVoiceOnly = "maren"
	DefaultImmersive = "isla"
)

// Voices lists all narrators.
func Voices() []Voice {
	return []Voice{
		{
			ID: "maren", Name: "Maren", WordsPerMinute: 123,
			base: "slt", stretch: 1.42, pitch: 168, pitchRange: 16, tract: ratio{1, 1}, loudness: -20,
		},
		{
			ID: "isla", Name: "Isla", WordsPerMinute: 120,
			base: "slt", stretch: 1.45, pitch: 148, pitchRange: 14, tract: ratio{14, 15}, loudness: -20.5,
			tone: []sound.Filter{sound.Peak(260, 0.8, 1.5), sound.HighShelf(5000, -1.5)},
		},
		{
			ID: "wren", Name: "Wren", WordsPerMinute: 124,
			base: "slt", stretch: 1.38, pitch: 196, pitchRange: 20, tract: ratio{15, 14}, loudness: -19.5,
			tone: []sound.Filter{sound.HighShelf(5000, 1)},
		},
		{
			ID: "tomas", Name: "Tomas", WordsPerMinute: 122,
			base: "rms", stretch: 1.28, tract: ratio{25, 24}, loudness: -26,
		},
		{
			ID: "callum", Name: "Callum", WordsPerMinute: 121,
			base: "awb", stretch: 1.38, pitch: 122, pitchRange: 15, tract: ratio{1, 1}, loudness: -25,
		},
		{
			ID: "ansel", Name: "Ansel", WordsPerMinute: 119,
			base: "rms", stretch: 1.32, tract: ratio{10, 11}, loudness: -25.5,
			tone: []sound.Filter{sound.Peak(150, 0.8, 1.5), sound.HighShelf(4500, -1.5)},
		},
	}
}

// VoiceFor finds a narrator; an empty or unknown id gives the default of the kind of meditation.
func VoiceFor(id string, immersive bool) Voice {
	fallback := DefaultVoiceOnly
	if immersive {
		fallback = DefaultImmersive
	}
	var found Voice
	for _, v := range Voices() {
		if v.ID == id {
			return v
		}
		if v.ID == fallback {
			found = v
		}
	}
	return found
}

// utterance asks the synthesiser for what, moved by tract, is the narrator's pitch and pace.
func (v Voice) utterance(text string) Utterance {
	t := v.tract.float()
	return Utterance{
		Text: text, Base: v.base, Stretch: v.stretch * t,
		Pitch: v.pitch / t, PitchRange: v.pitchRange / t,
	}
}

const (
	// target in LUFS of a sentence. The recording comes out half a decibel lower, at -19: its
	// relative gate counts more of the soft syllables than a single sentence's does.
	target = -18.5
	// mostCorrection in dB of a sentence against the voice's usual level, so that a whispery or
	// odd one is not blown up.
	mostCorrection = 6.0
	// keepBefore and keepAfter are left around the sound that was found: attack and decay.
	keepBefore, keepAfter = sound.Rate * 15 / 1000, sound.Rate * 45 / 1000
	// shortPause at a comma is lengthened by pauseAdd: calm speech pauses more, it does not drawl.
	shortPause = sound.Rate * 70 / 1000
	pauseAdd   = 320 * time.Millisecond
)

// room all narrators speak in.
var room = sound.Room{Wet: 0.1, Decay: 0.32}

// evening of the voice, against its level of target LUFS.
var evening = sound.Compressor{Threshold: -22, Ratio: 2, Knee: 10, Attack: 0.008, Release: 0.12}

// equaliser all voices share: no rumble, some warmth, less harshness and hiss.
func equaliser() []sound.Filter {
	return []sound.Filter{
		sound.HighPass(78, 0.5412), sound.HighPass(78, 1.3066), // together a Butterworth of order four
		sound.Peak(210, 0.9, 1.8),
		sound.Peak(3800, 0.9, -3),
		sound.HighShelf(6500, -2.5),
	}
}
