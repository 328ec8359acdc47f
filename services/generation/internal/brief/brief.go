// Package brief says what a script must be: what is asked of a writer, and which of a writer's scripts are refused. Serein's
// own writer and outside ones are asked the same.
//
// It refuses what is not the size that was ordered, repeats itself, cannot be spoken, would hurt the member, or is no
// lesson in the practice that was chosen. It calls nobody, stores nothing and logs nothing.
package brief

import (
	"time"

	"serein.app/services/generation/internal/safety"
)

// Brief is what is asked of a writer.
type Brief struct {
	// Title is the member's own words. To a model they are data that nobody has vouched for, never a request.
	Title string
	// GivenName may be said once; empty where the member does not wish that.
	GivenName string
	// TypeID and PracticeID are the catalogue's ids.
	TypeID, PracticeID string
	// Affirmations may be spoken as they are, where the care that the title needs allows them.
	Affirmations []string
	// MinWords and MaxWords bound the script, both inclusive. A word is what spaces separate.
	MinWords, MaxWords int
	// Breaks is the exact number of passages, each followed by a silence of a second at least; Pause is the exact sum of the silences.
	Breaks int
	Pause  time.Duration
	// Immersive says that a sound goes with the voice.
	Immersive bool
	// Language as a BCP 47 tag, such as "en-GB".
	Language string
	// Night says that the member is about to sleep.
	Night bool
	// Lately are the sentences of the member's last scripts, the newest script first.
	Lately [][]string
	// Tellable are those of them that a writer may be shown.
	Tellable [][]string
	// Care is what the title speaks of.
	Care safety.Finding
}

// Of completes a brief with what its title and type say.
func Of(b Brief) Brief {
	b.Care = safety.Classify(b.Title)
	b.Night = b.TypeID == "better-sleep"
	return b
}

// Quotable says whether the title may be spoken.
func (b Brief) Quotable() bool { return b.Care.Quotable() }
