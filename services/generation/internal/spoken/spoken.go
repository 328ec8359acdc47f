// Package spoken keeps what the synthesiser has said, so that no sentence is synthesised twice. Store is a synthesiser that
// looks for a sentence first, and asks the real one for what is not kept.
//
// What is kept is the synthesiser's own speech, before any effect: the same samples, to the bit, so a recording is the same
// with the store and without it. A file's name is the hash of all that the speech depends on, so nothing that is kept ever
// becomes wrong; it only becomes unused. All processes share the files, in the blob store, and the index of their size and
// last use, in the database.
//
// Nothing here makes a recording fail or wait. A sentence is synthesised where its file is lost or damaged or the blob store is
// away, and it is written behind the caller's back. A sentence that several recordings miss at the same time is synthesised once
// in a process. A sentence with words of a member's is never kept.
package spoken

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"time"

	"github.com/sony/gobreaker/v2"
	"golang.org/x/sync/singleflight"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recovery"
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

// Key names a sentence as it is spoken, and its file.
type Key = [sha256.Size]byte

// keyOf names what a file of this format keeps of a recipe.
func keyOf(recipe Key) Key { return sha256.Sum256(append([]byte("spoken "+format+" "), recipe[:]...)) }

// Synthesiser speaks what is not kept.
type Synthesiser interface {
	narration.Synthesiser
	// Recipe is a hash of all that the speech of an utterance depends on.
	Recipe(u narration.Utterance) Key
}

// Index has a row for each kept sentence.
type Index interface {
	// NoteSpoken gives these sentences a row, as used in that hour and not stored yet. None may be in it twice.
	NoteSpoken(ctx context.Context, sentences []Sentence, hour time.Time) error
	// UseSpoken writes down that these sentences are used in that hour. What has no row any more gets none.
	UseSpoken(ctx context.Context, keys []Key, hour time.Time) error
	// WhileNoted calls store with those of the sentences that have a row, which are not removed until store returns. It writes down
	// which of them store has stored, and returns the error of store as well.
	WhileNoted(ctx context.Context, keys []Key, store func(ctx context.Context, noted []Key) (stored []Key, err error)) error
	// RemoveSpoken removes the least recently used sentences until those that stay have at most limit bytes. It calls remove for
	// the files, and forgets the rows afterwards, so many at once that a call takes seconds. It answers how many went.
	RemoveSpoken(ctx context.Context, limit int64, remove func(context.Context, Key) error) (int, error)
	// RemoveUnstored removes, in the same way, the sentences that were noted before that hour and are not stored.
	RemoveUnstored(ctx context.Context, hour time.Time, remove func(context.Context, Key) error) (int, error)
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
	breaker  *gobreaker.CircuitBreaker[[]byte]
	speaking singleflight.Group // by key
	recent   *recent
	said     chan said
	used     *used
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
	key := keyOf(s.Synthesiser.Recipe(u))
	if speech, found := s.find(ctx, key); found {
		s.Metrics.SpokenHit(ctx)
		return speech, nil
	}
	return s.speakOnce(ctx, key, u)
}

// speakOnce has the sentence synthesised once for all who miss it at the same time. A caller who leaves ends nothing: it is
// synthesised to its end, which its length bounds.
func (s *Store) speakOnce(ctx context.Context, key Key, u narration.Utterance) (narration.Speech, error) {
	if err := ctx.Err(); err != nil {
		return narration.Speech{}, err
	}
	speaking := context.WithoutCancel(ctx)
	answer := s.speaking.DoChan(string(key[:]), func() (any, error) { return s.speak(speaking, key, u) })
	select {
	case <-ctx.Done():
		return narration.Speech{}, ctx.Err()
	case once := <-answer:
		speech, _ := once.Val.(narration.Speech)
		return speech, once.Err
	}
}

// speak synthesises the sentence and has it stored. It turns a panic into an error, since it runs on a goroutine that is no caller's.
func (s *Store) speak(ctx context.Context, key Key, u narration.Utterance) (speech narration.Speech, err error) {
	defer recovery.ToError(&err)
	if speech, err = s.Synthesiser.Speak(ctx, u); err == nil {
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
