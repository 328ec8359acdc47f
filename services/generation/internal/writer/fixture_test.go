package writer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
	"serein.app/services/generation/internal/writer"
	"serein.app/services/platform/pause"
	"serein.app/services/testkit"
)

// ordered is a meditation whose script is to be written.
func ordered(title string) meditation.Meditation {
	return meditation.Meditation{
		ID: uuid.New(), UID: uuid.MustParse("01935c4e-0000-7000-8000-000000000001"), // of which the seed is made
		Request: meditation.Request{Title: title, TypeID: "mindfulness", PracticeID: "zen", SizeID: "minimed", GivenName: "Amara", Language: "en-GB", Day: "2026-11-21"},
		Brief: meditation.Brief{
			MinWords: 350, MaxWords: 380, Breaks: 17, Pause: 40 * time.Second,
			Affirmations: []string{"I am here for this.", "This moment is wide enough to live in.", "I can notice without judging."},
		},
	}
}

// passage is a line of an answer.
type passage struct {
	N    int      `json:"n"`
	Say  []string `json:"say"`
	More []string `json:"more,omitempty"`
	Rest string   `json:"rest"`
}

// good is an answer that is a good script for the meditation: one of Serein's own, in the form that models are asked for.
func good(t *testing.T, m meditation.Meditation) []passage {
	t.Helper()
	m.Title = "After the long meeting"
	s, err := script.Composer{}.Write(t.Context(), m)
	require.NoError(t, err)
	var lines []passage
	for i, p := range s.Passages {
		lines = append(lines, passage{N: i + 1, Say: slices.Clone(p.Sentences), Rest: "short"})
	}
	return lines
}

// text is an answer as a model writes it.
func text(lines []passage) string {
	var all strings.Builder
	for _, l := range lines {
		data, _ := json.Marshal(l)
		fmt.Fprintf(&all, "%s\n", data)
	}
	return all.String()
}

// turn is how a stand-in answers one question: pieces of a text, then an error.
type turn struct {
	text string
	err  error
	// stalls until the question ends: before any text, or behind it.
	stalls, stallsBehind bool
}

// standIn is a model that answers one turn after the other, and notes what it was asked.
type standIn struct {
	mu    sync.Mutex
	turns []turn
	asked []writer.Ask
	usage writer.Usage
}

func (s *standIn) Stream(ctx context.Context, ask writer.Ask, say func(string) error) (writer.Usage, error) {
	s.mu.Lock()
	s.asked = append(s.asked, ask)
	now := s.turns[min(len(s.asked), len(s.turns))-1]
	s.mu.Unlock()
	if now.stalls {
		<-ctx.Done()
		return writer.Usage{}, context.Cause(ctx)
	}
	for piece := range slices.Chunk([]byte(now.text), 7) {
		if err := say(string(piece)); err != nil {
			return s.usage, err
		}
	}
	if now.stallsBehind {
		<-ctx.Done()
		return s.usage, context.Cause(ctx)
	}
	return s.usage, now.err
}

// counts are the metrics and the budget of a test.
type counts struct {
	mu               sync.Mutex
	written, refused map[string]int
	midway           map[string]int
	cost, withdrawn  budget.Cost
	asked            []budget.Cost
	roomErr          error
}

func newCounts() *counts {
	return &counts{written: map[string]int{}, refused: map[string]int{}, midway: map[string]int{}}
}

func (c *counts) Written(_ context.Context, outcome string) { c.add(c.written, outcome) }

func (c *counts) ScriptRefused(_ context.Context, reason string) { c.add(c.refused, reason) }

func (c *counts) MendedMidway(_ context.Context, by string) { c.add(c.midway, by) }

func (c *counts) add(to map[string]int, key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	to[key]++
}

func (c *counts) WriterSpent(_ context.Context, cost budget.Cost) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cost += cost
}

func (c *counts) Room(_ context.Context, cost budget.Cost) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, cost)
	return c.roomErr
}

func (c *counts) Spend(ctx context.Context, cost budget.Cost) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.withdrawn += cost
	return ctx.Err()
}

var patient = writer.Limits{AtOnce: 4, First: time.Minute, Whole: 2 * time.Minute}

func newWriter(t *testing.T, m writer.Model, l writer.Limits, c *counts) *writer.Writer {
	t.Helper()
	return writer.New(writer.Ports{
		Outside: writer.NewOutside(m, l), BuiltIn: script.Composer{}, Budget: c, Metrics: c, Log: testkit.Logger(t), Prices: writer.Prices{In: 2, Out: 10},
	})
}

// builtIn is the script that Serein's own writer writes.
func builtIn(t *testing.T, m meditation.Meditation) recording.Script {
	t.Helper()
	s, err := script.Composer{}.Write(t.Context(), m)
	require.NoError(t, err)
	return s
}

func sentences(s recording.Script) (all []string) {
	for _, p := range s.Passages {
		all = append(all, p.Sentences...)
	}
	return all
}

// slowly is a model that takes a second for each line.
type slowly struct{ text string }

func (s slowly) Stream(ctx context.Context, _ writer.Ask, say func(string) error) (writer.Usage, error) {
	for line := range strings.Lines(s.text) {
		if err := pause.For(ctx, time.Second); err != nil {
			return writer.Usage{}, err
		}
		if err := say(line); err != nil {
			return writer.Usage{}, err
		}
	}
	return writer.Usage{}, nil
}
