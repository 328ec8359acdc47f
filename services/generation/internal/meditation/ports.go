package meditation

import (
	"context"
	"io"
	"time"
)

// Store keeps meditations. Each method is one transaction, with the events of its state change.
// A method that names an attempt answers ErrLost when that attempt no longer owns the work.
type Store interface {
	// Begin writes a request down in state Holding, or finds the meditation of the same key.
	// ErrTooManyGenerations for a new one of a member who has limit running.
	Begin(ctx context.Context, m Meditation, limit int) (found Meditation, err error)
	// Enqueue makes a request whose cost is held work, unless the member has limit running by now:
	// then it is abandoned with its hold, and the answer is that and ErrTooManyGenerations. ErrLost
	// if it is not Holding.
	Enqueue(ctx context.Context, m Meditation, limit int, now time.Time) (Meditation, error)
	// Discard forgets a request that billing refused.
	Discard(ctx context.Context, id string) error

	// Get, List and the segments answer for the owner only; ErrNotFound for everybody else.
	Get(ctx context.Context, uid, id string) (Meditation, error)
	Segments(ctx context.Context, id string, from int) ([]Segment, error)
	Segment(ctx context.Context, id string, index int) (Segment, error)
	List(ctx context.Context, uid string, page Page, failedSince time.Time) ([]Meditation, int, error)

	// Claim takes the next work whose lease is free or has lapsed; ok is false when there is none.
	Claim(ctx context.Context, lease time.Duration) (m Meditation, ok bool, err error)
	Beat(ctx context.Context, m Meditation, lease time.Duration) error
	Yield(ctx context.Context, m Meditation, wait time.Duration, setbacks int) error
	Script(ctx context.Context, id string) (Script, error)
	SaveScript(ctx context.Context, m Meditation, s Script, segments int, expected time.Duration) (Meditation, error)
	AddSegment(ctx context.Context, m Meditation, s Segment, expected time.Duration) error
	StartFinishing(ctx context.Context, m Meditation) (Meditation, error)
	Complete(ctx context.Context, m Meditation, now time.Time) error
	Fail(ctx context.Context, m Meditation, reason string, settled bool, now time.Time) (Meditation, error)

	// Cancel answers ErrLost when there is nothing to cancel.
	Cancel(ctx context.Context, uid, id string, now time.Time) (Meditation, error)
	AbandonOld(ctx context.Context, before, now time.Time) error
	FailOverdue(ctx context.Context, reason string, now time.Time) error
	Unsettled(ctx context.Context) ([]Meditation, error)
	// Settle marks an ended meditation whose hold has ended; an abandoned one is forgotten.
	Settle(ctx context.Context, m Meditation) error
	PostponeSettling(ctx context.Context, id string, wait time.Duration) error
	Untidy(ctx context.Context) ([]Meditation, error)
	Tidied(ctx context.Context, m Meditation) error
}

// Credits is billing. Its errors carry the reasons of billing's contract.
type Credits interface {
	// Hold sets the cost aside. The key is the meditation's id: asking again answers the same hold.
	Hold(ctx context.Context, m Meditation) (holdID string, err error)
	Capture(ctx context.Context, uid, holdID string) error
	Release(ctx context.Context, uid, holdID string) error
}

// Catalogue says what can be generated.
type Catalogue interface {
	Catalogue(ctx context.Context) (Offer, error)
}

// Offer is the part of the content service's catalogue that the rules need.
type Offer struct {
	Types     map[string]Type
	Practices map[string]bool
	Sizes     map[string]Size
	Tracks    map[string]bool
}

// Type of meditation.
type Type struct {
	// NarratorID of the preset narrator; empty for the default.
	NarratorID   string
	Affirmations []string
}

// Size of a meditation: its script's bounds and the usual length of the recording.
type Size struct {
	MinWords, MaxWords, Breaks int
	Pause, Expected            time.Duration
}

// Writer writes scripts. The same meditation gives the same script.
type Writer interface {
	Write(ctx context.Context, m Meditation) (Script, error)
}

// Voice is a narrator of the house.
type Voice struct {
	ID, Name string
	// WordsPerMinute while speaking.
	WordsPerMinute float64
}

// Narrator speaks scripts.
type Narrator interface {
	// Voice finds a narrator; an empty or unknown id gives the default of the kind of meditation.
	Voice(id string, immersive bool) Voice
	// Count says how many pieces the script makes.
	Count(s Script) int
	// Narrate emits the pieces in order from index from, which begins at startAt in the whole.
	// It ends with emit's error, the narrator's, or ctx's.
	Narrate(ctx context.Context, voiceID string, s Script, from int, startAt time.Duration, emit func(Piece) error) error
}

// Blobs keeps audio.
type Blobs interface {
	Put(ctx context.Context, key string, r io.Reader, size int64) error
	Open(ctx context.Context, key string) (io.ReadSeekCloser, error)
	// Clear deletes everything below the prefix.
	Clear(ctx context.Context, prefix string) error
}

// Bell tells of changes, whichever process made them. It may ring too often and it may be late
// while the database is away; what rang is read from the store.
type Bell interface {
	// Listen rings on the channel until stop is called; rings that nobody fetched yet are one.
	Listen(topic string) (rings <-chan struct{}, stop func())
}

// TopicQueue rings for new work.
const TopicQueue = "queue"

// TopicChanged rings for every change of one meditation.
func TopicChanged(id string) string { return "changed " + id }

// TopicStopped rings when work on a meditation must stop.
func TopicStopped(id string) string { return "stopped " + id }
