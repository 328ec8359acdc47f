package narration

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/generation/internal/recording"
)

//go:embed narrators.yaml
var narratorsFile []byte

// file is narrators.yaml, whose comments say what each field means.
type file struct {
	Defaults struct {
		VoiceOnly string `yaml:"voice_only"`
		Immersive string
	}
	Sounds    map[string]soundEntry
	Narrators []narratorEntry
}

type narratorEntry struct {
	ID, Name, Description, Synthesiser, Sound string

	Settings       settings
	Tract          []int
	Equaliser      []filterEntry
	Loudness       float64
	Sibilants      float64
	WordsPerMinute float64 `yaml:"words_per_minute"`
}

type soundEntry struct {
	Equaliser  []filterEntry
	Pauses     struct{ Shortest, Added time.Duration }
	DeEsser    struct{ Hz, Ratio float64 } `yaml:"de_esser"`
	Compressor struct {
		Threshold, Ratio, Knee float64
		Attack, Release        time.Duration
	}
	Reverb struct {
		Wet   float32
		Decay time.Duration
	}
}

type filterEntry struct {
	Kind      string
	Hz, Q, DB float64
}

// parse refuses fields that nobody reads.
func parse(data []byte) (f file, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&f); err != nil {
		return file{}, fmt.Errorf("narrators.yaml: %w", err)
	}
	return f, nil
}

var slug = regexp.MustCompile(`^[a-z]+$`)

// faults collects what does not hold.
type faults []error

func (f *faults) want(holds bool, format string, args ...any) {
	if !holds {
		*f = append(*f, fmt.Errorf(format, args...))
	}
}

// check finds what would be a voice that nobody can hear, or another one than was meant.
func (f file) check() error {
	var found faults
	var ids []string
	for _, n := range f.Narrators {
		found.want(slug.MatchString(n.ID), "narrator %q: not a slug", n.ID)
		found.want(!slices.Contains(ids, n.ID), "narrator %s: twice", n.ID)
		_, known := f.Sounds[n.Sound]
		found.want(known, "narrator %s: there is no sound %q", n.ID, n.Sound)
		ids = append(ids, n.ID)
		n.check(&found)
	}
	for name, s := range f.Sounds {
		s.check(name, &found)
	}
	for _, id := range []string{f.Defaults.VoiceOnly, f.Defaults.Immersive} {
		found.want(slices.Contains(ids, id), "default %q: there is no such narrator", id)
	}
	return errors.Join(found...)
}

func (n narratorEntry) check(found *faults) {
	within := func(what string, v, least, most float64) {
		found.want(v >= least && v <= most, "narrator %s: %s %v, want %v to %v", n.ID, what, v, least, most)
	}
	found.want(n.Name != "" && n.Description != "", "narrator %s: a text is missing", n.ID)
	within("stretch", n.Settings.Stretch, 0.5, 3)
	within("pitch", n.Settings.Pitch, 0, 400)
	within("pitch_range", n.Settings.PitchRange, 0, 100)
	within("fall", n.Settings.Fall, 0, 12)
	found.want(n.Settings.Fall == 0 || n.Settings.Pitch > 0, "narrator %s: a fall without a pitch", n.ID)
	within("loudness", n.Loudness, -60, -5)
	within("sibilants", n.Sibilants, -60, -10)
	within("words_per_minute", n.WordsPerMinute, 60, 200)
	if found.want(len(n.Tract) == 2, "narrator %s: tract %v, want two numbers", n.ID, n.Tract); len(n.Tract) == 2 {
		within("tract", float64(n.Tract[0])/float64(n.Tract[1]), 0.5, 2)
		within("tract", float64(n.Tract[1]), 1, 100)
	}
	for _, f := range n.Equaliser {
		f.check("narrator "+n.ID, found)
	}
}

func (s soundEntry) check(name string, found *faults) {
	for _, f := range s.Equaliser {
		f.check("sound "+name, found)
	}
	d, c := s.DeEsser, s.Compressor
	found.want(d.Hz > 0 && d.Hz < dsp.Rate/2 && d.Ratio >= 1, "sound %s: de_esser %+v", name, d)
	found.want(c.Ratio >= 1 && c.Knee >= 0 && c.Attack > 0 && c.Release > 0, "sound %s: compressor %+v", name, c)
	found.want(s.Reverb.Wet >= 0 && s.Reverb.Wet <= 1 && s.Reverb.Decay > 0, "sound %s: reverb %+v", name, s.Reverb)
	found.want(s.Pauses.Shortest > 0 && s.Pauses.Added >= 0, "sound %s: pauses %+v", name, s.Pauses)
}

func (f filterEntry) check(where string, found *faults) {
	known := f.Kind == "high-shelf" || f.Q > 0 && (f.Kind == "high-pass" || f.Kind == "peak")
	found.want(known && f.Hz > 0 && f.Hz < dsp.Rate/2, "%s: no filter: %+v", where, f)
}

func (f filterEntry) filter() dsp.Filter {
	switch f.Kind {
	case "high-pass":
		return dsp.HighPass(f.Hz, f.Q)
	case "peak":
		return dsp.Peak(f.Hz, f.Q, f.DB)
	default:
		return dsp.HighShelf(f.Hz, f.DB)
	}
}

// narrator with the sound s, whose equaliser comes before the narrator's own.
func (n narratorEntry) narrator(s soundEntry, synthesiser Synthesiser) narrator {
	var equaliser dsp.Filters
	for _, f := range slices.Concat(s.Equaliser, n.Equaliser) {
		equaliser = append(equaliser, f.filter())
	}
	made := narrator{
		Narrator: recording.Narrator{
			ID: n.ID, Name: n.Name, Description: n.Description, WordsPerMinute: n.WordsPerMinute, Sound: n.hash(s),
		},
		synthesiser: synthesiser, synthesiserName: n.Synthesiser, settings: n.Settings, loudness: n.Loudness,
		sound: sound{
			equaliser: equaliser, shortPause: count(s.Pauses.Shortest), pauseAdd: s.Pauses.Added,
			deEsser: dsp.DeEsser{Hz: s.DeEsser.Hz, Threshold: n.Sibilants, Ratio: s.DeEsser.Ratio},
			compressor: dsp.Compressor{
				Threshold: s.Compressor.Threshold, Ratio: s.Compressor.Ratio, Knee: s.Compressor.Knee,
				Attack: s.Compressor.Attack.Seconds(), Release: s.Compressor.Release.Seconds(),
			},
			reverb: dsp.Reverb{Wet: s.Reverb.Wet, Decay: s.Reverb.Decay.Seconds()},
		},
	}
	if len(n.Tract) == 2 {
		made.tract = ratio{n.Tract[0], n.Tract[1]}
	}
	return made
}

// hash of all in the file that makes the narrator's sound.
func (n narratorEntry) hash(s soundEntry) string {
	n.Name, n.Description, n.WordsPerMinute = "", "", 0
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v %+v", n, s))
	return hex.EncodeToString(sum[:8])
}
