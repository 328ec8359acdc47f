package script

import (
	"context"
	"time"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
)

// Composer is the writer that needs nothing outside this process.
type Composer struct{}

var (
	_ meditation.Streamer   = Composer{}
	_ meditation.RestWriter = Composer{}
)

// Write composes what the meditation's brief asks for.
func (Composer) Write(_ context.Context, m meditation.Meditation) (recording.Script, error) {
	return Compose(requestOf(m))
}

// requestOf is what a meditation asks for.
func requestOf(m meditation.Meditation) Request {
	return Request{
		Title: m.Title, Immersive: m.Immersive, GivenName: m.GivenName, TypeID: m.TypeID, PracticeID: m.PracticeID, SizeID: m.SizeID,
		MinWords: m.Brief.MinWords, MaxWords: m.Brief.MaxWords,
		Breaks: m.Brief.Breaks, PauseSeconds: int(m.Brief.Pause / time.Second),
		Affirmations: m.Brief.Affirmations, Seed: m.Seed(), Past: m.Past,
	}
}

// Streams says no: what it writes is whole at once.
func (Composer) Streams(meditation.Meditation) bool { return false }

// Stream adds the rest of a script that another writer began and left.
func (c Composer) Stream(_ context.Context, m meditation.Meditation, sheet *meditation.Sheet) error {
	rest, err := c.Rest(m, sheet.Said)
	if err != nil {
		return err
	}
	return sheet.Add(rest...)
}

// Rest composes the passages behind those that another writer wrote.
func (Composer) Rest(m meditation.Meditation, said []recording.Passage) ([]recording.Passage, error) {
	return Rest(requestOf(m), said)
}
