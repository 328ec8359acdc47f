// Package tracks keeps the ambient sounds: made once by a Maker, stored under a name that holds
// their hash, and never changed afterwards. It does not know how a sound is made.
package tracks

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
	"sync"
	"time"

	"serein.app/services/platform/blob"
)

// Sound is a loop as it is played.
type Sound struct {
	MP3 []byte
	// The file holds more than one period: the window from LoopStart for LoopLength repeats
	// without a seam. Whole milliseconds.
	LoopStart, LoopLength time.Duration
}

// Maker makes the sound of a track.
type Maker interface {
	// Recipe names how sounds are made; another recipe makes all of them anew. Letters, digits
	// and hyphens.
	Recipe() string
	Make(ctx context.Context, id string) (Sound, error)
}

// Entry is a track that can be played.
type Entry struct {
	ID string `json:"id"`
	// File is the name to ask for, for example "rain-3f2a9c0d1e4b5a67.mp3".
	File         string `json:"file"`
	LoopStartMs  int32  `json:"loopStartMs"`
	LoopLengthMs int32  `json:"loopLengthMs"`
}

// retryAfter a track could not be made. Its cause may be a full disk or a store that is away.
const retryAfter = 30 * time.Second

// Shelf holds the tracks that are ready.
type Shelf struct {
	store blob.Store
	maker Maker
	ids   []string
	log   *slog.Logger

	mu    sync.RWMutex
	ready map[string]Entry
	tried chan struct{}
}

// NewShelf is for the tracks of these ids. Nothing is ready before Run.
func NewShelf(store blob.Store, maker Maker, ids []string, log *slog.Logger) *Shelf {
	return &Shelf{store: store, maker: maker, ids: ids, log: log, ready: map[string]Entry{}, tried: make(chan struct{})}
}

// Entry of a track; false while it is not ready.
func (s *Shelf) Entry(id string) (Entry, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	e, ok := s.ready[id]
	return e, ok
}

// Ready fails until every track has been found or tried once. A track that cannot be made does
// not keep the rest of the catalogue away.
func (s *Shelf) Ready(context.Context) error {
	select {
	case <-s.tried:
		return nil
	default:
		return errors.New("the ambient tracks are being made")
	}
}

// Run finds or makes every track, and tries again those that failed, until all are ready or ctx
// ends.
func (s *Shelf) Run(ctx context.Context) error {
	missing := s.pass(ctx, s.ids)
	close(s.tried)
	for len(missing) > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(retryAfter):
			missing = s.pass(ctx, missing)
		}
	}
	return nil
}

// pass answers the tracks that are still missing.
func (s *Shelf) pass(ctx context.Context, ids []string) (missing []string) {
	for _, id := range ids {
		e, err := s.provide(ctx, id)
		if err != nil {
			s.log.ErrorContext(ctx, "ambient track is missing", "track", id, "error", err)
			missing = append(missing, id)
			continue
		}
		s.mu.Lock()
		s.ready[id] = e
		s.mu.Unlock()
	}
	return missing
}

func (s *Shelf) provide(ctx context.Context, id string) (Entry, error) {
	e, err := s.stored(ctx, id)
	if err == nil || !errors.Is(err, blob.ErrNotFound) {
		return e, err
	}
	started := time.Now()
	sound, err := s.maker.Make(ctx, id)
	if err != nil {
		return Entry{}, err
	}
	s.log.InfoContext(ctx, "ambient track made", "track", id, "took", time.Since(started), "bytes", len(sound.MP3))
	return s.keep(ctx, id, sound)
}

// stored finds the note of a track and the file that it names.
func (s *Shelf) stored(ctx context.Context, id string) (Entry, error) {
	note, _, err := s.store.Open(ctx, s.noteKey(id))
	if err != nil {
		return Entry{}, err
	}
	defer func() { _ = note.Close() }()
	var e Entry
	if err := json.NewDecoder(io.LimitReader(note, 4<<10)).Decode(&e); err != nil {
		return Entry{}, blob.ErrNotFound.Because(fmt.Errorf("note of %s: %w", id, err))
	}
	file, _, err := s.store.Open(ctx, key(e.File))
	if err != nil {
		return Entry{}, err
	}
	return e, file.Close()
}

// keep stores the file before the note, so that a note never names a file that is not there.
func (s *Shelf) keep(ctx context.Context, id string, sound Sound) (Entry, error) {
	sum := sha256.Sum256(sound.MP3)
	e := Entry{
		ID: id, File: id + "-" + hex.EncodeToString(sum[:8]) + ".mp3",
		LoopStartMs: int32(sound.LoopStart.Milliseconds()), LoopLengthMs: int32(sound.LoopLength.Milliseconds()),
	}
	note, err := json.Marshal(e)
	if err != nil {
		return Entry{}, err
	}
	if err := s.store.Put(ctx, key(e.File), bytes.NewReader(sound.MP3), int64(len(sound.MP3))); err != nil {
		return Entry{}, err
	}
	return e, s.store.Put(ctx, s.noteKey(id), bytes.NewReader(note), int64(len(note)))
}

func key(file string) string { return "tracks/" + file }

func (s *Shelf) noteKey(id string) string {
	return "tracks/notes/" + id + "." + s.maker.Recipe() + ".json"
}
