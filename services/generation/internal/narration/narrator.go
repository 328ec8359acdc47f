// Package narration turns a script's passages into a recording: it has them spoken, gives the
// voice its sound, sets the planned silences and encodes the result segment by segment.
package narration

import (
	"context"
	"errors"
	"time"

	"serein.app/services/platform/mp3"
)

// Narrator narrates scripts. It is safe for concurrent use.
type Narrator struct {
	synth   Synth
	codec   *mp3.Codec
	workers int
}

// New makes a Narrator that speaks at most workers sentences of one script at once.
func New(synth Synth, codec *mp3.Codec, workers int) *Narrator {
	return &Narrator{synth: synth, codec: codec, workers: max(workers, 1)}
}

// Count says how many segments the passages make.
func Count(passages []Passage) int { return len(plan(passages)) }

// Narrate speaks the passages and emits their segments in order, from segment index from on,
// which begins at startAt in the whole recording (0, 0 for all of it). The same voice and
// passages give the same bytes, so a recording whose first segments are safe can be continued
// after a crash. It ends with emit's error, the synthesiser's, or ctx's.
func (n *Narrator) Narrate(ctx context.Context, voice Voice, passages []Passage, from int, startAt time.Duration, emit func(Segment) error) error {
	return errors.ErrUnsupported
}
