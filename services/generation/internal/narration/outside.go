package narration

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"
)

// outsideFile is an operator's file of narrators who speak by a synthesiser outside this process. Its entries are those of narrators.yaml, with
// what is left out taken as unchanged sound, and two fields more.
type outsideFile struct {
	Narrators []outsideEntry
}

type outsideEntry struct {
	narratorEntry `yaml:",inline"`

	// Languages that the voice speaks, as BCP 47 tags.
	Languages []string
	// Fallback is the id of the built-in narrator who speaks where this one fails before the first sentence.
	Fallback string
}

// language is what meditations are made in.
const language = "en-GB"

// Engage adds the narrators of an operator's file, who speak by these synthesisers. It is called before the first recording. It refuses a file
// with a fault, and names every fault.
func (r *Recorder) Engage(data []byte, synthesisers Synthesisers) error {
	own, err := parse(narratorsFile)
	if err != nil {
		return err
	}
	var f outsideFile
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	var found faults
	found.want(len(f.Narrators) > 0, "no narrators")
	engaged := slices.Clone(r.cast.narrators)
	for _, entry := range f.Narrators {
		entry.complete()
		before := len(found)
		entry.check(own, synthesisers, engaged, &found)
		if len(found) == before {
			engaged = append(engaged, entry.engage(own.Sounds[entry.Sound], synthesisers[entry.Synthesiser]))
		}
	}
	if len(found) == 0 {
		r.cast.narrators = engaged
	}
	return errors.Join(found...)
}

// complete sets what an outside voice needs no setting for.
func (e *outsideEntry) complete() {
	if e.Settings.Stretch == 0 {
		e.Settings.Stretch = 1
	}
	if len(e.Tract) == 0 {
		e.Tract = []int{1, 1}
	}
	if e.Sibilants == 0 {
		e.Sibilants = sibilantsUnchanged
	}
}

// sibilantsUnchanged is a threshold in dBFS that no sibilant of speech at the recording's loudness reaches.
const sibilantsUnchanged = -10

// Checker is a Synthesiser that cannot say every Utterance of a voice that it has.
type Checker interface {
	// Check says why it cannot speak in that way, whatever the text.
	Check(u Utterance) error
}

func (e outsideEntry) check(own file, synthesisers Synthesisers, engaged []narrator, found *faults) {
	found.want(slug.MatchString(e.ID), "narrator %q: not a slug", e.ID)
	found.want(!slices.ContainsFunc(engaged, func(n narrator) bool { return n.ID == e.ID }), "narrator %s: twice", e.ID)
	_, known := own.Sounds[e.Sound]
	found.want(known, "narrator %s: there is no sound %q", e.ID, e.Sound)
	e.narratorEntry.check(found)
	found.want(slices.Contains(e.Languages, language), "narrator %s: languages %v, want %s among them", e.ID, e.Languages, language)
	found.want(slices.ContainsFunc(own.Narrators, func(n narratorEntry) bool { return n.ID == e.Fallback }),
		"narrator %s: fallback %q is not a built-in narrator", e.ID, e.Fallback)
	synthesiser, known := synthesisers[e.Synthesiser]
	if found.want(known, "narrator %s: there is no synthesiser %q in the settings", e.ID, e.Synthesiser); !known {
		return
	}
	found.want(synthesiser.HasVoice(e.Settings.Voice), "narrator %s: %s has no voice %q", e.ID, e.Synthesiser, e.Settings.Voice)
	if c, picky := synthesiser.(Checker); picky && len(e.Tract) == 2 {
		err := c.Check(e.narrator(soundEntry{}, synthesiser).utterance(""))
		found.want(err == nil, "narrator %s: %w", e.ID, err)
	}
}

// engage makes the narrator. Its sound's hash also has what the synthesiser says of itself, for example its model.
func (e outsideEntry) engage(s soundEntry, synthesiser Synthesiser) narrator {
	n := e.narrator(s, synthesiser)
	n.fallback = e.Fallback
	n.admitter, _ = synthesiser.(Admitter)
	if to, ok := synthesiser.(interface{ Recipient() string }); ok {
		n.Recipient = to.Recipient()
	}
	if r, ok := synthesiser.(interface {
		Recipe(u Utterance) [sha256.Size]byte
	}); ok {
		recipe := r.Recipe(n.utterance(""))
		sum := sha256.Sum256(append([]byte(n.Sound), recipe[:]...))
		n.Sound = hex.EncodeToString(sum[:8])
	}
	return n
}
