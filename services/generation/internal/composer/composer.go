// Package composer makes the script package the domain's writer: original scripts, written on
// this machine, the same for the same meditation.
package composer

import (
	"context"
	"time"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/script"
)

// Composer adapts.
type Composer struct{}

var _ meditation.Writer = Composer{}

// Write composes.
func (Composer) Write(_ context.Context, m meditation.Meditation) (meditation.Script, error) {
	composed, err := script.Compose(script.Request{
		Title: m.Title, TypeID: m.TypeID, PracticeID: m.PracticeID, SizeID: m.SizeID,
		MinWords: m.Brief.MinWords, MaxWords: m.Brief.MaxWords,
		Breaks: m.Brief.Breaks, PauseSeconds: int(m.Brief.Pause / time.Second),
		Affirmations: m.Brief.Affirmations, Seed: m.Seed(),
	})
	if err != nil {
		return meditation.Script{}, err
	}
	s := meditation.Script{Words: composed.Words, Passages: make([]meditation.Passage, len(composed.Passages))}
	for i, p := range composed.Passages {
		s.Passages[i] = meditation.Passage(p)
	}
	return s, nil
}
