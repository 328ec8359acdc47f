package narration

import (
	"errors"
	"fmt"
	"time"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/generation/internal/recording"
)

// narrator is a persona and how it is made of a synthesiser's voice.
type narrator struct {
	recording.Narrator

	// synthesiser is the one that the file calls synthesiserName.
	synthesiser     Synthesiser
	synthesiserName string
	// admitter is asked before a recording begins; nil where speech costs nothing.
	admitter Admitter
	// fallback is the id of who speaks instead, before a first sentence is stored; empty for a built-in narrator.
	fallback string
	settings settings
	// tract scales the resonances of the vocal tract: 21/20 sounds smaller and younger, 24/25 larger.
	tract ratio
	// loudness in LUFS of the voice as it comes from the synthesiser, after the equaliser.
	loudness float64
	sound    sound
}

// settings of the synthesiser's voice.
type settings struct {
	Voice string
	// Stretch of the voice's usual pace, before the tract is scaled.
	Stretch float64
	// Pitch and PitchRange as heard, in Hz; 0 is the voice's own, scaled with the tract.
	Pitch      float64
	PitchRange float64 `yaml:"pitch_range"`
	// Fall is by how many semitones the pitch sinks over a sentence.
	Fall float64
}

type ratio struct{ up, down int }

func (r ratio) float() float64 { return float64(r.up) / float64(r.down) }

// sound is the chain that makes a narrator's sound of a synthesiser's.
type sound struct {
	// equaliser is the chain's, then the narrator's own.
	equaliser dsp.Filters
	// shortPause in samples, as at a comma, is lengthened by pauseAdd.
	shortPause int
	pauseAdd   time.Duration
	// deEsser softens sharp sibilants, from the narrator's own threshold on.
	deEsser dsp.DeEsser
	// compressor evens the voice out, against its level of target LUFS.
	compressor dsp.Compressor
	reverb     dsp.Reverb
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
)

// Synthesisers are those that narrators may name.
type Synthesisers map[string]Synthesiser

// cast is who can be heard.
type cast struct {
	narrators            []narrator
	voiceOnly, immersive narrator
}

// newCast gives every narrator of the file a synthesiser. It refuses a file with a fault, and names every fault.
func newCast(data []byte, synthesisers Synthesisers) (c cast, err error) {
	f, err := parse(data)
	if err != nil {
		return c, err
	}
	faults := []error{f.check()}
	for _, entry := range f.Narrators {
		synthesiser, known := synthesisers[entry.Synthesiser]
		switch {
		case !known:
			faults = append(faults, fmt.Errorf("narrator %s: there is no synthesiser %q", entry.ID, entry.Synthesiser))
			continue
		case !synthesiser.HasVoice(entry.Settings.Voice):
			faults = append(faults, fmt.Errorf("narrator %s: %s has no voice %q", entry.ID, entry.Synthesiser, entry.Settings.Voice))
		}
		c.narrators = append(c.narrators, entry.narrator(f.Sounds[entry.Sound], synthesiser))
	}
	if err := errors.Join(faults...); err != nil {
		return cast{}, fmt.Errorf("narrators.yaml:\n%w", err)
	}
	c.voiceOnly, _ = c.find(f.Defaults.VoiceOnly)
	c.immersive, _ = c.find(f.Defaults.Immersive)
	return c, nil
}

// speakWith replaces the synthesiser of that name.
func (c *cast) speakWith(name string, s Synthesiser) {
	all := []*narrator{&c.voiceOnly, &c.immersive}
	for i := range c.narrators {
		all = append(all, &c.narrators[i])
	}
	for _, n := range all {
		if n.synthesiserName == name {
			n.synthesiser = s
		}
	}
}

func (c cast) find(id string) (narrator, bool) {
	for _, n := range c.narrators {
		if n.ID == id {
			return n, true
		}
	}
	return narrator{}, false
}

// Narrators lists all personas that can be heard, in the order in which members see them.
func (r *Recorder) Narrators() (all []recording.Narrator) {
	for _, n := range r.cast.narrators {
		all = append(all, n.Narrator)
	}
	return all
}

// Narrator finds a persona by its id.
func (r *Recorder) Narrator(id string) (recording.Narrator, bool) {
	n, known := r.cast.find(id)
	return n.Narrator, known
}

// Fallback is who speaks in the place of an outside narrator who fails before the first sentence; false for every other id.
func (r *Recorder) Fallback(id string) (recording.Narrator, bool) {
	n, known := r.cast.find(id)
	if !known || n.fallback == "" {
		return recording.Narrator{}, false
	}
	return r.Narrator(n.fallback)
}

// DefaultNarrator is who speaks where nobody is named.
func (r *Recorder) DefaultNarrator(immersive bool) recording.Narrator {
	if immersive {
		return r.cast.immersive.Narrator
	}
	return r.cast.voiceOnly.Narrator
}

// utterance asks the synthesiser for what is the narrator's pitch and pace once the tract is scaled.
func (n narrator) utterance(text string) Utterance {
	shift := n.tract.float()
	return Utterance{
		Text: text, Voice: n.settings.Voice, Stretch: n.settings.Stretch * shift,
		Pitch: n.settings.Pitch / shift, PitchRange: n.settings.PitchRange / shift, Fall: n.settings.Fall, Pace: n.WordsPerMinute,
	}
}
