// Package narrate has every article and meditation that readers get narrated by the generation service, keeps the
// sound and says where it is. It decides what is said and by whom, in which order, and how often it tries again.
//
// It knows no SQL: the store is a port. Who may hear what is asked of it by package media.
package narrate

import (
	"context"
	"errors"
	"time"

	"serein.app/services/content/internal/entry"
)

// State of a narration.
type State string

// The states, as the table names them. What failed is tried again.
const (
	Waiting   State = "waiting"
	Narrating State = "narrating"
	Done      State = "done"
	Failed    State = "failed"
)

// Progress of one entry's narration. Done and Total count passages; 0 of 0 before it has begun.
type Progress struct {
	State       State
	Done, Total int
}

// Counts are how many of a content type are not narrated yet, each counted to 10,000. All others of it are.
type Counts struct{ Waiting, Narrating, Failed int }

// ErrChanged says that readers get something else by now, or nothing.
var ErrChanged = errors.New("what readers get has changed meanwhile")

// Store keeps what is wanted and how far it is.
type Store interface {
	// PublishedSince are what readers get of a content type, of those numbered above after, in order.
	PublishedSince(ctx context.Context, contentType string, after int64, most int) ([]entry.Published, error)
	// Want says what shall be narrated of an entry; nothing changes where the same is wanted already.
	Want(ctx context.Context, w Want) error
	// Next is what to narrate next: what an admin made, what a reader has opened, then by place. Within a place, content types other
	// than last come first. ok is false if nothing is due.
	Next(ctx context.Context, last string) (job Job, ok bool, err error)
	// Opened says that a reader has opened an entry of master; it changes nothing unless the entry waits for its sound.
	Opened(ctx context.Context, id string) error
	// Progress says how far a job is.
	Progress(ctx context.Context, j Job, done, total int) error
	// Postpone says that a job goes on later, at the time in it; it has failed for a reason, or waits.
	Postpone(ctx context.Context, j Job, s State, reason string) error
	// Keep says that a file is in the blob store, and for which entry of master it was made.
	Keep(ctx context.Context, file, id string, bytes int64) error
	// Finish gives readers the sound: fields of the entry that editors do not write, published in the name of the
	// narrator. ErrChanged where readers get other words than those of the job.
	Finish(ctx context.Context, j Job, file string, length time.Duration) error
	// Lose says that the file of that hash is gone, and whether anything of it is made again.
	Lose(ctx context.Context, hash string) (bool, error)
	// AudioEntries are the published entries that name a file, in any environment, and the published entry that it was made for.
	AudioEntries(ctx context.Context, file string) ([]AudioEntry, error)
	// DefaultLocale of an environment.
	DefaultLocale(ctx context.Context, environment string) (string, error)
	// Files are those in the blob store, by name, behind after.
	Files(ctx context.Context, after string, most int) ([]File, error)
	// Mark says since when no entry names a file, the zero time for one that is named, and whether it was removed.
	Mark(ctx context.Context, f File, removed bool) error
}

// Want is what shall be narrated of an entry.
type Want struct {
	entry.Key

	// Place is when: lower ones first.
	Place int
	// Hash of what is said, how and by whom; Done says that the entry has its sound.
	Hash string
	Done bool
}

// Job is a narration to be made.
type Job struct {
	Entry entry.Published
	Hash  string
	// Tries that failed, and when it is tried next.
	Tries     int
	NextTryAt time.Time
}

// KeptUnnamed is how long a file stays when no entry names it any more: pages that are open name it still, and words
// may come back.
const KeptUnnamed = 30 * 24 * time.Hour

// File is a narration in the blob store.
type File struct {
	Name string
	// Named says whether an entry names it now, a draft too, Unnamed since when that was found not to be so; the zero time for never.
	Named   bool
	Unnamed time.Time
}
