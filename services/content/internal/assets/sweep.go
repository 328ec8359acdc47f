package assets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"serein.app/services/platform/pause"
)

const (
	// sweepEvery is how often every file is looked at, and retryEvery how soon again after a failure.
	sweepEvery, retryEvery = 24 * time.Hour, 5 * time.Minute
	// page of files that is looked at.
	page = 100
	// removeTime bounds what removing one file takes.
	removeTime = 30 * time.Second
)

// Run sweeps when it starts and once a day until ctx ends.
func (s *Files) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		next := sweepEvery
		if err := s.Lead(ctx, s.Sweep); err != nil && ctx.Err() == nil {
			s.failures.Add(ctx, 1)
			s.Log.ErrorContext(ctx, "files of assets that nothing names may stay too long", "error", err, "retry_in", retryEvery)
			next = retryEvery
		}
		_ = pause.For(ctx, next)
	}
	return nil
}

// Sweep looks at every file whether an asset names it, and removes what none has named for long enough. What fails keeps
// nothing else from being removed.
func (s *Files) Sweep(ctx context.Context) error {
	faults := []error{s.find(ctx)}
	for after := ""; ; {
		files, err := s.Store.Stored(ctx, after, page)
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		for _, f := range files {
			if err := s.look(ctx, f); err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", f.File, err))
			}
			after = f.File
		}
		if len(files) < page || ctx.Err() != nil {
			return errors.Join(append(faults, ctx.Err())...)
		}
	}
}

// find adds files of the blob store that the table lacks: files that are older than the table, or than the backup from which an
// operator restored the table.
func (s *Files) find(ctx context.Context) error {
	keys, err := s.Blobs.List(ctx, root)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(keys, page) {
		var files []string
		for _, key := range some {
			if file, ok := fileOf(key); ok {
				files = append(files, file)
			}
		}
		if err := s.Store.AddFiles(ctx, files); err != nil {
			return err
		}
	}
	return nil
}

func (s *Files) look(ctx context.Context, f Stored) error {
	now := s.Now()
	switch long := now.Add(-KeptUnnamed); {
	case f.Removing:
		return s.remove(ctx, f, long) // a process has died over it, or the blob store was away
	case f.Named && f.Unnamed.IsZero():
		return nil
	case f.Named:
		return s.Store.MarkFile(ctx, f.File, time.Time{})
	case f.Unnamed.IsZero():
		return s.Store.MarkFile(ctx, f.File, now)
	case f.Unnamed.After(long):
		return nil
	default:
		return s.remove(ctx, f, long)
	}
}

// remove deletes the file from the blob store unless an asset names it again. Between Removing and Removed the store refuses
// uploads of the same bytes, so that no asset names a file that is being deleted.
func (s *Files) remove(ctx context.Context, f Stored, long time.Time) error {
	going, err := s.Store.Removing(ctx, f.File, long)
	if err != nil || !going {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, removeTime)
	defer cancel()
	if err := s.Blobs.Delete(ctx, root+f.File); err != nil {
		return err
	}
	return s.Store.Removed(ctx, f.File)
}
