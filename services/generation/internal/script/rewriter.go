package script

import "serein.app/services/generation/internal/meditation"

// Rewriter finds what may stand in the place of a line in Serein's own words, also of a line that an outside writer wrote.
type Rewriter struct{}

var _ meditation.Rewriter = Rewriter{}

// Another answers what may stand in the place of a sentence.
func (Rewriter) Another(m meditation.Meditation, passage []string, at int, inner bool) (first, count int, instead [][]string, err error) {
	o, err := Another(Place{Title: m.Title, Immersive: m.Immersive, Passage: passage, At: at, Inner: inner})
	return o.First, o.Count, o.Instead, err
}
