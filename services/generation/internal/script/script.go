// Package script composes guided meditations from Serein's own words: original, inside a
// size's word range, with its exact number of silences and their exact total.
//
// The words live in words/, one file a practice, a type, an image and a theme; the code only
// chooses among them, prefers what the member has not been told lately, and never cuts a sentence. The same
// request with the same past gives the same script byte for byte. It owns no audio, no storage and no network.
package script

import (
	"cmp"
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

// shortFrom is the attempt from which short blocks come first, fewFrom the one from which a theme of short turns has no further one, and
// anyPlaceFrom the one from which the words may speak of a sore place, and of silence beside a sound: better such a script than none.
const shortFrom, fewFrom, anyPlaceFrom = 2, attempts / 4, attempts * 3 / 4

// Request says what to write.
type Request struct {
	// Title is the member's own, checked by package title. It is spoken only where it is plain words.
	Title string
	// Immersive says that a sound goes with the voice: it is greeted, and nothing is said of silence or of other sounds.
	Immersive bool
	// GivenName is spoken once, in the greeting, where a narrator can say it; empty is fine.
	GivenName string
	// TypeID, PracticeID and SizeID are the catalogue's ids.
	TypeID, PracticeID, SizeID string
	// MinWords and MaxWords bound the script, both inclusive.
	MinWords, MaxWords int
	// Breaks is the number of silences (17 to 28), each at least a second; PauseSeconds is their sum.
	Breaks, PauseSeconds int
	// Affirmations are three whole sentences, spoken as they are. Where the past has them, another set of the type's may
	// be spoken instead.
	Affirmations []string
	// Past are the sentences of the member's last scripts, the newest script first; empty for a new member.
	Past [][]string
	// attempt is how many compositions of the request have failed.
	attempt int
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
	return lib.compose(r)
}

// compose tries until a draft has the words that are asked for. A draft that fails for what it has drawn is rare.
func (lib *library) compose(r Request) (recording.Script, error) {
	if err := lib.check(r); err != nil {
		return recording.Script{}, err
	}
	rng, m, stuck, failed := randomness(r), lib.remember(r.Past), map[*station]int{}, error(nil)
	for attempt := range attempts {
		if attempt == attempts/2 {
			m = memory{} // what is left that is new does not go together
		}
		r.attempt = attempt
		d, err := lib.draft(r, m, stuck, rng)
		failed = err
		if err == nil && d.fill(r.MinWords, r.MaxWords, rng) && d.varied() {
			return d.script(halves(2 * r.PauseSeconds)), nil
		}
	}
	return recording.Script{}, cmp.Or(failed, fmt.Errorf("%w: no composition has %d to %d words in %d passages",
		ErrRequest, r.MinWords, r.MaxWords, r.Breaks))
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
