package spoken

import (
	"context"
	"encoding/hex"
	"errors"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/platform/blob"
)

// folder of all files in the blob store, which may be removed at any time.
const folder = "spoken"

// fileOf is the sentence's key in the blob store: 256 folders, so that none grows large.
func fileOf(key Key) string {
	name := hex.EncodeToString(key[:])
	return folder + "/" + name[:2] + "/" + name
}

// find looks among the recent sentences, then in the blob store. It counts what it does not find.
func (s *Store) find(ctx context.Context, key Key) (narration.Speech, bool) {
	file, isRecent := s.recent.get(key)
	if !isRecent {
		var err error
		if file, err = s.breaker.Execute(func() ([]byte, error) { return s.read(ctx, key) }); err != nil {
			s.Metrics.SpokenMiss(ctx, missOf(err))
			return narration.Speech{}, false
		}
	}
	speech, err := unpack(key, file)
	if err != nil {
		s.Log.WarnContext(ctx, "a kept sentence is damaged and is spoken again", "file", fileOf(key), "error", err)
		s.Metrics.SpokenMiss(ctx, MissDamaged)
		return narration.Speech{}, false
	}
	if !isRecent {
		s.recent.add(key, file)
	}
	s.used.note(key, s.hour())
	return speech, true
}

func missOf(err error) string {
	if errors.Is(err, blob.ErrNotFound) {
		return MissAbsent
	}
	return MissAway
}

// read gives the sentence's file.
func (s *Store) read(ctx context.Context, key Key) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	return s.Blobs.Read(ctx, fileOf(key), maxFile)
}
