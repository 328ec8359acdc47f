package publication

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/recording"
)

// Store keeps narrations. A method that takes a claimed narration answers ErrLost where another attempt owns it.
type Store interface {
	// StartNarration stores the narration, or finds the stored one with its id; ErrReused if that has another request. It
	// queues a failed narration again, and one whose sound was removed from the beginning.
	StartNarration(ctx context.Context, n Narration, now time.Time) (Narration, error)
	// Narration finds a narration by id; ErrNotFound, also if its sound was removed.
	Narration(ctx context.Context, id string) (Narration, error)
	// ClaimNarration takes the oldest that no living worker has.
	ClaimNarration(ctx context.Context, worker uuid.UUID) (n Narration, ok bool, err error)
	// AddNarrationSegment stores the next segment.
	AddNarrationSegment(ctx context.Context, n Narration, s Segment) error
	NarrationSegments(ctx context.Context, id string) ([]Segment, error)
	// CompleteNarration makes it ready, with its event.
	CompleteNarration(ctx context.Context, n Narration, now time.Time) error
	FailNarration(ctx context.Context, n Narration, reason string, now time.Time) error
	// GiveNarrationBack makes it claimable after the wait. counts says whether the attempt counts as a try: an outage does not.
	GiveNarrationBack(ctx context.Context, n Narration, wait time.Duration, counts bool) error
	// RestartNarration forgets its segments: their sound is gone.
	RestartNarration(ctx context.Context, n Narration, wait time.Duration) error
	// LoseNarration puts a ready narration whose sound is gone back into the queue, to be made again.
	LoseNarration(ctx context.Context, id string) error
	// UntidyNarrations ended up to that time and have sound still.
	UntidyNarrations(ctx context.Context, before time.Time) ([]string, error)
	// NarrationTidied says that its sound was removed, unless it is being made again.
	NarrationTidied(ctx context.Context, id string, before time.Time) error
}

// Recorder makes recordings; see package narration.
type Recorder interface {
	Narrator(id string) (n recording.Narrator, known bool)
	DefaultNarrator(immersive bool) recording.Narrator
	// Record speaks for somebody who waits.
	Record(ctx context.Context, narratorID string, s recording.Script, from int, startAt time.Duration,
		emit func(s recording.Segment, mp3 []byte) error) error
	// BackgroundSegments are what RecordInBackground makes segments of, one by one.
	BackgroundSegments(s recording.Script) []recording.Passage
	// RecordInBackground emits the segments from index from on, with recorders that nobody else needs.
	RecordInBackground(ctx context.Context, narratorID string, s recording.Script, from int,
		emit func(s recording.Segment, mp3 []byte) error) error
}

// Members come first.
type Members interface {
	// Admit reserves time for that much sound, by the rules of members' own requests, until release; or refuses.
	Admit(ctx context.Context, sound time.Duration) (release func(), err error)
	// Waiting says whether there is accepted work that nobody has begun.
	Waiting() bool
}

// Metrics count what operators of the service need to know.
type Metrics interface {
	// Narrated counts a narration that ended, by its state.
	Narrated(ctx context.Context, s State)
}

// Notifier tells of changes; see meditation.Notifier.
type Notifier interface {
	Subscribe(topic string) (notified <-chan struct{}, unsubscribe func())
}

// TopicNarrations is notified of narrations that can be claimed.
const TopicNarrations = "narrations"
