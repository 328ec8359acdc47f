// Package catalogue is what the bespoke generator offers: meditation types, practices, sizes and
// ambient tracks. The words are editorial data in the JSON files beside this one, in the order in
// which members see them; a fault in them is found at start, not by a member.
//
// It owns no sound: package tracks has the files of the ambient tracks.
package catalogue

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// WordsPerMinute is the pace of Serein's narrators while they speak, breaths between sentences
// included: measured from 112 to 122, and 118 for Maren, the voice most types have. It is the one
// place that the expected lengths come from.
const WordsPerMinute = 118

// Affirmations of each type, from the specification.
const Affirmations = 3

// Catalogue is the whole offer.
type Catalogue struct {
	Types     []Type
	Practices []Practice
	Sizes     []Size
	Tracks    []Track
	Narrators Narrators
}

// Narrators speak members' meditations of every type.
type Narrators struct {
	// Immersive speaks what is immersive, unless the member chooses a narrator; a type's narrator speaks the rest.
	Immersive Narrator
}

// Type is what a meditation is for.
type Type struct {
	ID, Name, Description string
	Affirmations          []string
	Narrator              Narrator
}

// Narrator is a preset voice: ID is the generation service's, Name what members read.
type Narrator struct{ ID, Name string }

// Practice is the manner of a meditation.
type Practice struct{ ID, Name, Description string }

// Size bounds a script; the numbers are the specification's.
type Size struct {
	ID, Name, Description string
	MinWords, MaxWords    int
	// Breaks is the exact number of silences, PauseSeconds their exact sum.
	Breaks, PauseSeconds int
}

// Track is an ambient sound by name.
type Track struct{ ID, Name string }

// Expected is the usual length: the words in the middle of the range at the narrators' pace, and
// the silences. Rounded to a second.
func (s Size) Expected() time.Duration {
	speech := time.Duration(s.MinWords+s.MaxWords) * time.Minute / (2 * WordsPerMinute)
	return (speech + time.Duration(s.PauseSeconds)*time.Second).Round(time.Second)
}

//go:embed *.json
var files embed.FS

// Load reads the embedded data and reports every fault in it.
func Load() (Catalogue, error) {
	var c Catalogue
	err := errors.Join(
		read("types.json", &c.Types), read("practices.json", &c.Practices),
		read("sizes.json", &c.Sizes), read("tracks.json", &c.Tracks), read("narrators.json", &c.Narrators),
	)
	if err != nil {
		return Catalogue{}, err
	}
	return c, c.check()
}

func read(name string, into any) error {
	data, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
