// Package tracks keeps the ambient sounds: synthesised once, stored under a name that holds the hash
// of the synthesiser's version, and never changed afterwards. What the store loses is made again. It does
// not know how a sound is made, nor how it is served.
package tracks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"sync"
	"time"

	"serein.app/services/platform/blob"
	"serein.app/services/platform/pause"
)

// Synthesiser makes the sounds of the tracks, as MP3.
type Synthesiser interface {
	// Version of all its sounds. When it changes, the library makes all sounds again.
	Version() string
	// Window of every sound: a file holds more than one period, and from start for length it
	// repeats without a seam. Whole milliseconds.
	Window() (start, length time.Duration)
	Synthesise(ctx context.Context, id string) ([]byte, error)
}

// Entry is a track as it is offered. All of it is known before the sound is made.
type Entry struct {
	// File is the name to ask for, for example "rain-3f2a9c0d1e4b5a67.mp3".
	File                      string
	LoopStartMs, LoopLengthMs int32
}

// ErrNotYet says that a track's sound is still being made.
var ErrNotYet = errors.New("this ambient track is still being made")

var fileName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*-[0-9a-f]{16}\.mp3$`)

// retryAfter a track could not be made. Its cause may be a full disk or a store that is away.
const retryAfter = 30 * time.Second

// Library holds the tracks, those that are made and those that will be.
type Library struct {
	store       blob.Store
	synthesiser Synthesiser
	ids         []string
	now         func() time.Time
	log         *slog.Logger
	offer       map[string]Entry

	mu     sync.Mutex
	stored map[string]chan struct{} // by file; closed once it is in the store
	lost   chan struct{}            // has room for one: a file that was in the store is gone
}

// NewLibrary is for the tracks of these ids. Nothing is made before Run.
func NewLibrary(store blob.Store, synthesiser Synthesiser, ids []string, now func() time.Time, log *slog.Logger) *Library {
	l := &Library{
		store: store, synthesiser: synthesiser, ids: ids, now: now, log: log,
		offer: map[string]Entry{}, stored: map[string]chan struct{}{}, lost: make(chan struct{}, 1),
	}
	start, length := synthesiser.Window()
	for _, id := range ids {
		file := fileOf(id, synthesiser.Version())
		l.offer[id] = Entry{File: file, LoopStartMs: int32(start.Milliseconds()), LoopLengthMs: int32(length.Milliseconds())}
		l.stored[file] = make(chan struct{})
	}
	return l
}

// fileOf names a sound by how it is made, so that its address is known before it exists.
func fileOf(id, version string) string {
	sum := sha256.Sum256([]byte(id + "\x00" + version))
	return id + "-" + hex.EncodeToString(sum[:8]) + ".mp3"
}

// Entry of one of the library's tracks.
func (l *Library) Entry(id string) Entry { return l.offer[id] }

// Open gives the sound of that name. ErrNotYet: it is one of the library's own and Stored tells when
// to come back. blob.ErrNotFound: there is no such track. Files of older versions stay readable for
// players that still hold their name.
func (l *Library) Open(ctx context.Context, file string) (io.ReadSeekCloser, error) {
	if !fileName.MatchString(file) {
		return nil, blob.ErrNotFound
	}
	stored := l.Stored(file)
	found, _, err := l.store.Open(ctx, key(file))
	if stored != nil && errors.Is(err, blob.ErrNotFound) {
		l.miss(file, stored)
		return nil, ErrNotYet
	}
	return found, err
}

// miss says that a file is not in the store; if it was there when Stored gave that, it is made again.
func (l *Library) miss(file string, stored <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !closed(stored) || l.stored[file] != stored {
		return
	}
	l.stored[file] = make(chan struct{})
	select {
	case l.lost <- struct{}{}:
	default:
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Stored is closed once one of the library's own files is in the store; nil for any other name.
func (l *Library) Stored(file string) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stored[file]
}

// Run finds or makes every track, until ctx ends. It makes a track that the store has lost again when a player asks for it.
func (l *Library) Run(ctx context.Context) error {
	return blob.Keep(ctx, l.lost, retryAfter, l.Provide)
}

// Provide finds or makes every track, one at a time so that the other core is left to those who
// wait for something else, and tries again those that failed, until all are there or ctx ends.
func (l *Library) Provide(ctx context.Context) error {
	for !l.provideAll(ctx) {
		if err := pause.For(ctx, retryAfter); err != nil {
			return err
		}
	}
	return nil
}

// provideAll finds or makes what is missing, and says whether all is there.
func (l *Library) provideAll(ctx context.Context) bool {
	all := true
	for _, id := range l.ids {
		file := l.offer[id].File
		if closed(l.Stored(file)) {
			continue
		}
		if err := l.provide(ctx, id, file); err != nil {
			l.log.ErrorContext(ctx, "ambient track is missing", "track", id, "error", err)
			all = false
			continue
		}
		l.mu.Lock()
		close(l.stored[file])
		l.mu.Unlock()
	}
	return all
}

// provide finds a track in the store, or makes it.
func (l *Library) provide(ctx context.Context, id, file string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	found, _, err := l.store.Open(ctx, key(file))
	if err == nil {
		return found.Close()
	}
	if !errors.Is(err, blob.ErrNotFound) {
		return err
	}
	started := l.now()
	sound, err := l.synthesiser.Synthesise(ctx, id)
	if err != nil {
		return fmt.Errorf("make %s: %w", id, err)
	}
	l.log.InfoContext(ctx, "ambient track made", "track", id, "took", l.now().Sub(started), "bytes", len(sound))
	return l.store.Put(ctx, key(file), bytes.NewReader(sound), int64(len(sound)))
}

func key(file string) string { return "tracks/" + file }
