// Package spoken keeps what the synthesiser has said, so that no sentence is synthesised twice. Store is a synthesiser that
// looks for a sentence first, and asks the real one for what is not kept.
//
// What is kept is the synthesiser's own speech, before any effect: the same samples, to the bit, so a recording is the same
// with the store and without it. A file's name is the hash of all that the speech depends on, so nothing that is kept ever
// becomes wrong; it only becomes unused. All processes share the files, in the blob store, and the index of their size and
// last use, in the database.
//
// Nothing here makes a recording fail or wait. A sentence is synthesised where its file is lost or damaged or the blob store is
// away, and it is written behind the caller's back. A sentence with words of a member's is never kept.
package spoken

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"time"

	"github.com/sony/gobreaker/v2"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/deadline"
)

const (
	// lookFailures in a row and no file is looked for during lookRest: a store that is away or slow costs seconds, not each
	// sentence's lookTime.
	lookFailures, lookRest = 3, 15 * time.Second
	// waiting is how many sentences may wait to be stored. What comes on top is not kept this time.
	waiting = 64
)

// lookTime bounds the look for one sentence. Synthesising it takes some 140 ms.
var lookTime = deadline.Of(250 * time.Millisecond)

// Key names a sentence as it is spoken.
type Key = [sha256.Size]byte

// Synthesiser speaks what is not kept.
type Synthesiser interface {
	narration.Synthesiser
	// Recipe is a hash of all that the speech of an utterance depends on.
	Recipe(u narration.Utterance) Key
}

// Index has a row for each kept sentence.
type Index interface {
	// NoteSpoken gives these sentences a row, as used in that hour. None may be in it twice.
	NoteSpoken(ctx context.Context, sentences []Sentence, hour time.Time) error
	// UseSpoken writes down that these sentences are used in that hour. What has no row any more gets none.
	UseSpoken(ctx context.Context, keys []Key, hour time.Time) error
	// WhileNoted calls store with those of the sentences that have a row, which are not removed until store returns.
	WhileNoted(ctx context.Context, keys []Key, store func(ctx context.Context, noted []Key) error) error
	// RemoveSpoken removes the least recently used sentences until those that stay have at most limit bytes. It calls remove for
	// the files, and forgets the rows afterwards, so many at once that a call takes seconds. It answers how many went.
	RemoveSpoken(ctx context.Context, limit int64, remove func(context.Context, Key) error) (int, error)
}

// Sentence is a kept sentence and the size of its file.
type Sentence struct {
	Key   Key
	Bytes int
}

// Metrics count what operators need to know.
type Metrics interface {
	// SpokenHit counts a sentence that was found, and SpokenMiss one that was not, by the reason's word.
	SpokenHit(ctx context.Context)
	SpokenMiss(ctx context.Context, reason string)
	// SpokenRemoved counts sentences that were removed.
	SpokenRemoved(ctx context.Context, n int)
}

// Why a sentence was not found.
const (
	MissAbsent  = "absent"
	MissDamaged = "damaged"
	// MissAway: the blob store has not answered in time, or was not asked since it has not answered lately.
	MissAway = "away"
	// MissOwn: the sentence has words of a member's.
	MissOwn = "own"
)

// Ports are what a Store works with.
type Ports struct {
	Synthesiser Synthesiser
	Blobs       blob.Store
	Index       Index
	Metrics     Metrics
	// Limit is how many bytes of files are kept; 0 keeps nothing.
	Limit int64
	Now   func() time.Time
	Log   *slog.Logger
}

// Store is a synthesiser that says nothing twice. It is safe for concurrent use.
type Store struct {
	Ports
	breaker *gobreaker.CircuitBreaker[[]byte]
	recent  *recent
	said    chan said
	used    *used
}

var _ narration.Synthesiser = (*Store)(nil)

// said is a sentence that waits to be stored.
type said struct {
	key    Key
	speech pcm
}

// New makes a Store. It keeps nothing new before Run.
func New(p Ports) *Store {
	return &Store{
		Ports: p, recent: newRecent(), used: newUsed(), said: make(chan said, waiting),
		breaker: gobreaker.NewCircuitBreaker[[]byte](gobreaker.Settings{
			Name: "spoken sentences", Timeout: lookRest,
			ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= lookFailures },
			// A recording that was cancelled says nothing about the store.
			IsSuccessful: func(err error) bool {
				return err == nil || errors.Is(err, blob.ErrNotFound) || errors.Is(err, context.Canceled)
			},
		}),
	}
}

// Speak gives the kept speech, or the synthesiser's.
func (s *Store) Speak(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	if s.Limit == 0 {
		return s.Synthesiser.Speak(ctx, u)
	}
	if !u.Common {
		s.Metrics.SpokenMiss(ctx, MissOwn)
		return s.Synthesiser.Speak(ctx, u)
	}
	key := s.Synthesiser.Recipe(u)
	if speech, found := s.find(ctx, key); found {
		s.Metrics.SpokenHit(ctx)
		return speech, nil
	}
	speech, err := s.Synthesiser.Speak(ctx, u)
	if err == nil {
		s.keep(key, speech)
	}
	return speech, err
}

// keep has the sentence stored, unless too many wait or it is not speech that a file holds exactly.
func (s *Store) keep(key Key, speech narration.Speech) {
	exact, ok := toPCM(speech)
	if !ok {
		return
	}
	select {
	case s.said <- said{key, exact}:
	default:
	}
}

// HasVoice says whether the synthesiser has the voice.
func (s *Store) HasVoice(name string) bool { return s.Synthesiser.HasVoice(name) }
