// Package shared owns the short recordings that belong to no member: the grounding, which the app offers in place of a
// meditation when a title speaks of a crisis, the sample for visitors who have not decided yet, and a sentence by each narrator,
// for members who choose one. The service narrates
// each once, in the background of its first start, and keeps it under a name that holds the hash of its words,
// narrator and the narrator's settings; others make another recording. If the store loses a recording, the service makes it again.
//
// They cost no credits, and the package knows no member and no transport. Replicas that make a recording at the same time
// make the same bytes under the same name.
package shared

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"sync/atomic"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/recovery"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/pause"
)

// ErrNotYet says that the recording is still being made, or that its making failed and is tried again.
var ErrNotYet = errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "The recording will be here in a moment. Please try again.")

var fileName = regexp.MustCompile(`^[0-9a-f]{16}\.mp3$`)

const (
	// recipe is raised by hand to record again what is the same in words, narrator and settings.
	recipe = "1"
	// The first wait after a failure, and the longest.
	firstRetry, longestRetry = time.Second, time.Minute
)

// Recording is what is offered.
type Recording struct {
	// File is the recording's name, for example "3f2a9c0d1e4b5a67.mp3".
	File     string           `json:"file"`
	Duration time.Duration    `json:"duration"`
	Lines    []recording.Line `json:"lines"`
}

// Recorder makes recordings; see meditation.Recorder.
type Recorder interface {
	DefaultNarrator(immersive bool) recording.Narrator
	Record(ctx context.Context, narratorID string, s recording.Script, from int, startAt time.Duration,
		emit func(s recording.Segment, mp3 []byte) error) error
}

// Library keeps the recording of one piece. It is safe for concurrent use.
type Library struct {
	piece    Piece
	store    blob.Store
	recorder Recorder
	now      func() time.Time
	log      *slog.Logger
	made     atomic.Pointer[Recording]
	// lost has room for one: the sound that was made is gone.
	lost chan struct{}
}

// New makes a Library. Nothing is narrated before Run.
func New(p Piece, store blob.Store, r Recorder, now func() time.Time, log *slog.Logger) *Library {
	return &Library{piece: p, store: store, recorder: r, now: now, log: log, lost: make(chan struct{}, 1)}
}

// Path is the address of a recording below the media route.
func (l *Library) Path(r Recording) string { return l.key(r.File) }

// Recording answers what can be played now; ErrNotYet before that.
func (l *Library) Recording() (Recording, error) {
	if made := l.made.Load(); made != nil {
		return *made, nil
	}
	return Recording{}, ErrNotYet
}

// Open gives the sound of that name, an older recording's too, for pages that still hold its name.
// blob.ErrNotFound: there is none. ErrNotYet: the store has lost it, and it is made again.
func (l *Library) Open(ctx context.Context, file string) (io.ReadSeekCloser, error) {
	if !fileName.MatchString(file) {
		return nil, blob.ErrNotFound
	}
	sound, _, err := l.store.Open(ctx, l.key(file))
	if errors.Is(err, blob.ErrNotFound) && file == l.file() {
		select {
		case l.lost <- struct{}{}:
		default:
		}
		return nil, ErrNotYet
	}
	return sound, err
}

// Run finds the recording or makes it, and makes it again once somebody asks for what the store has lost, until
// ctx ends.
func (l *Library) Run(ctx context.Context) error {
	return blob.Keep(ctx, l.lost, longestRetry, l.Provide)
}

// Provide finds the recording or makes it, and tries again until it is there or ctx ends.
func (l *Library) Provide(ctx context.Context) error {
	for wait := firstRetry; ; wait = min(2*wait, longestRetry) {
		made, err := l.provide(ctx)
		if err == nil {
			l.made.Store(&made)
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l.log.ErrorContext(ctx, "shared recording is missing", "piece", l.piece.Name, "error", err, "retry_in", wait)
		if err := pause.For(ctx, wait); err != nil {
			return err
		}
	}
}

// provide answers the stored recording, or narrates and stores it. It stores the description last, so
// a reader who finds the description finds the sound too. A panic counts as a failed try.
func (l *Library) provide(ctx context.Context) (made Recording, err error) {
	defer recovery.ToError(&err)
	narrator, name := l.narrator(), l.name()
	made, err = l.find(ctx, name)
	if !errors.Is(err, blob.ErrNotFound) {
		return made, err
	}
	started := l.now()
	made, sound, err := l.record(ctx, narrator.ID)
	if err != nil {
		return Recording{}, fmt.Errorf("record: %w", err)
	}
	made.File = name + ".mp3"
	about, err := json.Marshal(made)
	if err != nil {
		return Recording{}, err
	}
	if err := l.store.Put(ctx, l.key(made.File), bytes.NewReader(sound), int64(len(sound))); err != nil {
		return Recording{}, err
	}
	if err := l.store.Put(ctx, l.key(name+".json"), bytes.NewReader(about), int64(len(about))); err != nil {
		return Recording{}, err
	}
	l.log.InfoContext(ctx, "shared recording made", "piece", l.piece.Name, "took", l.now().Sub(started), "duration", made.Duration)
	return made, nil
}

// find reads the description. blob.ErrNotFound: there is no description, it cannot be parsed, or its sound
// is gone; the caller makes the recording again then.
func (l *Library) find(ctx context.Context, name string) (made Recording, err error) {
	file, _, err := l.store.Open(ctx, l.key(name+".json"))
	if err != nil {
		return Recording{}, err
	}
	about, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return Recording{}, err
	}
	if err := json.Unmarshal(about, &made); err != nil {
		return Recording{}, blob.ErrNotFound.Because(err)
	}
	if made.File != name+".mp3" {
		return Recording{}, blob.ErrNotFound.Because(fmt.Errorf("the description is of %q", made.File))
	}
	sound, _, err := l.store.Open(ctx, l.key(made.File))
	if err != nil {
		return Recording{}, err
	}
	return made, sound.Close()
}

// record makes the whole; its segments joined are the sound.
func (l *Library) record(ctx context.Context, narratorID string) (made Recording, sound []byte, err error) {
	err = l.recorder.Record(ctx, narratorID, l.piece.script(), 0, 0, func(segment recording.Segment, mp3 []byte) error {
		sound = append(sound, mp3...)
		made.Duration += segment.Duration
		made.Lines = append(made.Lines, segment.Lines...)
		return nil
	})
	return made, sound, err
}

// nameOf says what is said, by whom and in what sound, so that another recording has another address.
func (p Piece) nameOf(n recording.Narrator) string {
	sum := sha256.Sum256([]byte(recipe + "\x00" + n.ID + "\x00" + n.Sound + "\x00" + p.words))
	return hex.EncodeToString(sum[:8])
}

func (l *Library) narrator() recording.Narrator {
	if l.piece.narrator.ID != "" {
		return l.piece.narrator
	}
	return l.recorder.DefaultNarrator(l.piece.immersive)
}

// name is that of the files; file that of the sound.
func (l *Library) name() string { return l.piece.nameOf(l.narrator()) }

func (l *Library) file() string { return l.name() + ".mp3" }

func (l *Library) key(file string) string { return l.piece.folder + "/" + file }
