// Package tracks keeps the ambient sounds: made once by a Maker, stored under a name that holds
// their recipe's hash, and never changed afterwards. It does not know how a sound is made.
package tracks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"serein.app/services/platform/blob"
)

// Maker makes the sounds of the tracks, as MP3.
type Maker interface {
	// Recipe names how sounds are made; another recipe makes all of them anew.
	Recipe() string
	// Window of every sound: a file holds more than one period, and from start for length it
	// repeats without a seam. Whole milliseconds.
	Window() (start, length time.Duration)
	Make(ctx context.Context, id string) ([]byte, error)
}

// Entry is a track as it is offered. All of it is known before the sound is made.
type Entry struct {
	// File is the name to ask for, for example "rain-3f2a9c0d1e4b5a67.mp3".
	File                      string
	LoopStartMs, LoopLengthMs int32
}

// retryAfter a track could not be made. Its cause may be a full disk or a store that is away.
const retryAfter = 30 * time.Second

// Shelf holds the tracks, those that are made and those that will be.
type Shelf struct {
	store  blob.Store
	maker  Maker
	ids    []string
	log    *slog.Logger
	offer  map[string]Entry
	stored map[string]chan struct{} // by file; closed once it is in the store
}

// NewShelf is for the tracks of these ids. Nothing is made before Run.
func NewShelf(store blob.Store, maker Maker, ids []string, log *slog.Logger) *Shelf {
	s := &Shelf{store: store, maker: maker, ids: ids, log: log, offer: map[string]Entry{}, stored: map[string]chan struct{}{}}
	start, length := maker.Window()
	for _, id := range ids {
		file := fileOf(id, maker.Recipe())
		s.offer[id] = Entry{File: file, LoopStartMs: int32(start.Milliseconds()), LoopLengthMs: int32(length.Milliseconds())}
		s.stored[file] = make(chan struct{})
	}
	return s
}

// fileOf names a sound by how it is made, so that its address is known before it exists.
func fileOf(id, recipe string) string {
	sum := sha256.Sum256([]byte(id + "\x00" + recipe))
	return id + "-" + hex.EncodeToString(sum[:8]) + ".mp3"
}

// Entry of one of the shelf's tracks.
func (s *Shelf) Entry(id string) Entry { return s.offer[id] }

// Run finds or makes every track, one at a time so that the other core is left to those who
// wait for something else, and tries again those that failed, until all are there or ctx ends.
func (s *Shelf) Run(ctx context.Context) error {
	missing := s.pass(ctx, s.ids)
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
		file := s.offer[id].File
		if err := s.provide(ctx, id, file); err != nil {
			s.log.ErrorContext(ctx, "ambient track is missing", "track", id, "error", err)
			missing = append(missing, id)
			continue
		}
		close(s.stored[file])
	}
	return missing
}

func (s *Shelf) provide(ctx context.Context, id, file string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	found, _, err := s.store.Open(ctx, key(file))
	if err == nil {
		return found.Close()
	}
	if !errors.Is(err, blob.ErrNotFound) {
		return err
	}
	started := time.Now()
	sound, err := s.maker.Make(ctx, id)
	if err != nil {
		return fmt.Errorf("make %s: %w", id, err)
	}
	s.log.InfoContext(ctx, "ambient track made", "track", id, "took", time.Since(started), "bytes", len(sound))
	return s.store.Put(ctx, key(file), bytes.NewReader(sound), int64(len(sound)))
}

func key(file string) string { return "tracks/" + file }
