package script

import (
	"context"
	"time"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
)

// Composer is the writer that needs nothing outside this process.
type Composer struct{}

var _ meditation.Writer = Composer{}

// Write composes what the meditation's brief asks for.
func (Composer) Write(_ context.Context, m meditation.Meditation) (recording.Script, error) {
	return Compose(Request{
		Title: m.Title, Immersive: m.Immersive, GivenName: m.GivenName, TypeID: m.TypeID, PracticeID: m.PracticeID, SizeID: m.SizeID,
		MinWords: m.Brief.MinWords, MaxWords: m.Brief.MaxWords,
		Breaks: m.Brief.Breaks, PauseSeconds: int(m.Brief.Pause / time.Second),
		Affirmations: m.Brief.Affirmations, Seed: m.Seed(), Past: m.Past,
	})
}
