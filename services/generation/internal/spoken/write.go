package spoken

import (
	"bytes"
	"context"
	"errors"
	"time"

	"serein.app/services/generation/internal/recovery"
	"serein.app/services/platform/deadline"
)

const (
	// batch is how many sentences are stored in one transaction.
	batch = 16
	// noteEvery is how often the use of sentences is written down.
	noteEvery = 5 * time.Second
)

// writeTime bounds what is written at once. The database's rows are held so long at most.
var writeTime = deadline.Of(10 * time.Second)

// Run stores what was spoken and writes down what was used, until ctx ends. What it cannot write is spoken again.
func (s *Store) Run(ctx context.Context) error {
	due := time.NewTicker(noteEvery)
	defer due.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case first := <-s.said:
			err = s.write(ctx, s.more(first))
		case <-due.C:
			err = s.noteUsed(ctx)
		}
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "spoken sentences cannot be kept", "error", err)
		}
	}
}

// more takes what waits behind the first sentence, up to a batch. Of a sentence that is there twice, one is enough.
func (s *Store) more(first said) map[Key]pcm {
	all := map[Key]pcm{first.key: first.speech}
	for range batch - 1 {
		select {
		case next := <-s.said:
			all[next.key] = next.speech
		default:
			return all
		}
	}
	return all
}

// write stores sentences: their rows first, then their files while nobody removes the rows. A panic costs these sentences alone.
func (s *Store) write(ctx context.Context, sentences map[Key]pcm) (err error) {
	defer recovery.ToError(&err)
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	files, keys, rows := map[Key][]byte{}, []Key{}, []Sentence{}
	for key, speech := range sentences {
		file := pack(key, speech)
		if len(file) > maxFile {
			continue
		}
		files[key] = file
		keys, rows = append(keys, key), append(rows, Sentence{key, len(file)})
	}
	if err := s.Index.NoteSpoken(ctx, rows, s.hour()); err != nil {
		return err
	}
	return s.Index.WhileNoted(ctx, keys, func(ctx context.Context, noted []Key) (stored []Key, err error) {
		for _, key := range noted {
			fault := s.Blobs.Put(ctx, fileOf(key), bytes.NewReader(files[key]), int64(len(files[key])))
			if fault == nil {
				s.recent.add(key, files[key])
				stored = append(stored, key)
			}
			err = errors.Join(err, fault)
		}
		return stored, err
	})
}

func (s *Store) noteUsed(ctx context.Context) (err error) {
	defer recovery.ToError(&err)
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	notes := s.used.take()
	if len(notes) == 0 {
		return nil
	}
	if err := s.Index.UseSpoken(ctx, notes, s.hour()); err != nil {
		s.used.giveBack(notes)
		return err
	}
	return nil
}

// Sweep removes the least recently used sentences that are beyond the limit, and what a fault left half stored in an earlier hour: a row
// without a file, or a file whose row does not say that it is there.
func (s *Store) Sweep(ctx context.Context) error {
	remove := func(ctx context.Context, key Key) error { return s.Blobs.Delete(ctx, fileOf(key)) }
	over, err := s.Index.RemoveSpoken(ctx, s.Limit, remove)
	half, fault := s.Index.RemoveUnstored(ctx, s.hour(), remove)
	s.Metrics.SpokenRemoved(ctx, over+half)
	return errors.Join(err, fault)
}

// hour is the hour in UTC: a sentence that is used all the time is written once an hour and process.
func (s *Store) hour() time.Time { return s.Now().UTC().Truncate(time.Hour) }
