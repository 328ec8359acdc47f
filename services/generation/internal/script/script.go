// Package script composes guided meditations from Serein's own words: original, inside a
// size's word range, with its exact number of silences and their exact total.
//
// The words live in words/, one file a practice, a type, an image and a theme; the code only
// chooses among them and never cuts a sentence. The same request gives the same script byte for
// byte. It owns no audio, no storage and no network.
package script

import (
	"errors"
	"fmt"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/safety"
)

// ErrRequest is wrapped by every refusal of a request that cannot be composed.
var ErrRequest = errors.New("script: cannot compose")

// affirmationsPerType is the catalogue's promise; the plan has one passage for each.
const affirmationsPerType = 3

// attempts at a composition that fits. Nearly every first one does; a very long title in the
// smallest size, or words that come too close to each other, need a few.
const attempts = 64

// Request says what to write.
type Request struct {
	// Title is the member's own, checked by package title. It is spoken only where it is plain words.
	Title string
	// GivenName is spoken now and then; empty is fine.
	GivenName string
	// TypeID, PracticeID and SizeID are the catalogue's ids.
	TypeID, PracticeID, SizeID string
	// MinWords and MaxWords bound the script, both inclusive.
	MinWords, MaxWords int
	// Breaks is the number of silences (17 to 28), each at least a second; PauseSeconds is their sum.
	Breaks, PauseSeconds int
	// Affirmations are three whole sentences, spoken as they are.
	Affirmations []string
	// Seed tells members and days apart. Title, type, practice and size are mixed in as well.
	Seed uint64
}

// Compose writes the script. Each pause is at least a second and a multiple of half a second. Every
// error wraps ErrRequest.
func Compose(r Request) (recording.Script, error) {
	lib, err := words()
	if err != nil {
		return recording.Script{}, err
	}
	if err := lib.check(r); err != nil {
		return recording.Script{}, err
	}
	rng := randomness(r)
	for range attempts {
		d, err := lib.draft(r, rng)
		if err != nil {
			return recording.Script{}, err
		}
		if d.fill(r.MinWords, r.MaxWords, rng) && d.varied() {
			return d.script(r.PauseSeconds), nil
		}
	}
	return recording.Script{}, fmt.Errorf("%w: no composition has %d to %d words in %d passages",
		ErrRequest, r.MinWords, r.MaxWords, r.Breaks)
}

func (lib *library) check(r Request) error {
	switch {
	case safety.Classify(r.Title).Class == safety.Crisis:
		return fmt.Errorf("%w: no meditation is made of such a title", ErrRequest)
	case lib.types[r.TypeID] == nil:
		return fmt.Errorf("%w: unknown type %q", ErrRequest, r.TypeID)
	case lib.practices[r.PracticeID] == nil:
		return fmt.Errorf("%w: unknown practice %q", ErrRequest, r.PracticeID)
	case len(r.Affirmations) != affirmationsPerType:
		return fmt.Errorf("%w: %d affirmations, not %d", ErrRequest, len(r.Affirmations), affirmationsPerType)
	case r.MinWords > r.MaxWords:
		return fmt.Errorf("%w: words %d to %d", ErrRequest, r.MinWords, r.MaxWords)
	case r.PauseSeconds < r.Breaks:
		return fmt.Errorf("%w: %d s cannot hold %d silences of a second", ErrRequest, r.PauseSeconds, r.Breaks)
	}
	return nil
}
