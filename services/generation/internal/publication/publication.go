// Package publication narrates published articles and library meditations, for the content service alone. Members come
// first: a process makes one narration at a time, sentence by sentence, and begins no sentence while a member waits.
//
// It charges no credits and knows no member. It keeps a narration for a week after its end; the content service keeps the sound.
package publication

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/errs"
)

// State of a narration.
type State string

// The states, as the table names them.
const (
	Waiting   State = "waiting"
	Narrating State = "narrating"
	Ready     State = "ready"
	Failed    State = "failed"
)

// ReasonNarration is why a narration failed, a stable word.
const ReasonNarration = "narration_failed"

const (
	// MaxTries without progress, killed processes included, then it fails.
	MaxTries = 5
	// KeptFor after it ended.
	KeptFor = 7 * 24 * time.Hour
	// longestPassage in characters that is spoken at once, and how long that may take.
	longestPassage = 1200
	speakingTime   = 20 * time.Second
	// speakers is how many passages are spoken at once in a process.
	speakers = 2
)

// The refusals.
var (
	ErrNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_NARRATION_NOT_FOUND, "There is no such narration.")
	ErrReused   = errs.New(errs.Conflict, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED, "This id was already used for another narration.").On("id")
	ErrNarrator = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_NARRATOR, "Please choose a narrator from the list, or none.").On("narrator_id")
	ErrTooLong  = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "A passage has at most 1,200 characters.").On("passage")
	ErrNoWords  = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "There are no words in it, or in one of its sentences.").On("passages")
)

// Request is what shall be narrated.
type Request struct {
	ID string
	// NarratorID as asked for; empty for the default.
	NarratorID string
	// Immersive ones have a default narrator of their own.
	Immersive bool
	Passages  []recording.Passage
}

// hash tells one request from another.
func (r Request) hash() []byte {
	data, _ := json.Marshal(r) // of texts and numbers: cannot fail
	sum := sha256.Sum256(data)
	return sum[:]
}

// Narration is one that was asked for.
type Narration struct {
	ID          string
	RequestHash []byte
	NarratorID  string
	// NarratorName as members read it.
	NarratorName string
	Passages     []recording.Passage
	State        State
	// Done and Total count the segments; Duration and Bytes are those of the done ones.
	Done, Total   int
	Duration      time.Duration
	Bytes         int64
	FailureReason string
	// Attempt counts claims and fences what is written; Tries those since the last progress.
	Attempt, Tries int
}

// Segment is a stored piece of it.
type Segment struct {
	Index    int
	Duration time.Duration
	Bytes    int64
	BlobKey  string
}

func folder(id string) string   { return "narrations/" + id }
func audioKey(id string) string { return folder(id) + "/audio.mp3" }
func wordsKey(id string) string { return folder(id) + "/words.vtt" }
