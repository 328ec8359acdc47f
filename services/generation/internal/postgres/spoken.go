package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/generation/internal/spoken"
	"serein.app/services/platform/postgres"
)

var _ spoken.Index = (*Store)(nil)

// removedAtOnce is how many spoken sentences are removed in one transaction: as many as a slow blob store removes one after another before
// the database ends a transaction that waits, after 15 s.
const removedAtOnce = 10

// NoteSpoken implements spoken.Index.
func (s *Store) NoteSpoken(ctx context.Context, sentences []spoken.Sentence, hour time.Time) error {
	noted := sqlcgen.NoteSpokenParams{Hour: hour, Keys: make([][]byte, len(sentences)), Bytes: make([]int32, len(sentences))}
	for i, one := range sentences {
		noted.Keys[i], noted.Bytes[i] = one.Key[:], int32(one.Bytes)
	}
	return translate(s.queries.NoteSpoken(ctx, s.db, noted))
}

// UseSpoken implements spoken.Index.
func (s *Store) UseSpoken(ctx context.Context, keys []spoken.Key, hour time.Time) error {
	return translate(s.queries.UseSpoken(ctx, s.db, sqlcgen.UseSpokenParams{Hour: hour, Keys: bytesOf(keys)}))
}

func bytesOf(keys []spoken.Key) [][]byte {
	all := make([][]byte, len(keys))
	for i, key := range keys {
		all[i] = key[:]
	}
	return all
}

// WhileNoted implements spoken.Index.
func (s *Store) WhileNoted(
	ctx context.Context, keys []spoken.Key, store func(context.Context, []spoken.Key) ([]spoken.Key, error),
) error {
	var fault error
	err := postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		held, err := s.queries.HoldSpoken(ctx, tx, bytesOf(keys))
		if err != nil {
			return err
		}
		noted := make([]spoken.Key, len(held))
		for i, key := range held {
			noted[i] = spoken.Key(key)
		}
		var stored []spoken.Key
		stored, fault = store(ctx, noted)
		return s.queries.SetSpokenStored(ctx, tx, bytesOf(stored))
	})
	return errors.Join(translate(err), fault)
}

// SpokenBytes is the size of all kept sentences.
func (s *Store) SpokenBytes(ctx context.Context) (int64, error) {
	kept, err := s.queries.SpokenBytes(ctx, s.db)
	return kept, translate(err)
}

// RemoveSpoken implements spoken.Index.
func (s *Store) RemoveSpoken(ctx context.Context, limit int64, remove func(context.Context, spoken.Key) error) (removed int, err error) {
	kept, err := s.SpokenBytes(ctx)
	for over := kept - limit; over > 0 && err == nil; {
		var n int
		var bytes int64
		if n, bytes, err = s.removeOldest(ctx, over, remove); n == 0 {
			break // what is left is being stored just now
		}
		removed, over = removed+n, over-bytes
	}
	return removed, err
}

// RemoveUnstored implements spoken.Index.
func (s *Store) RemoveUnstored(ctx context.Context, hour time.Time, remove func(context.Context, spoken.Key) error) (int, error) {
	for removed := 0; ; {
		n, err := s.removeUnstored(ctx, hour, remove)
		removed += n
		if err != nil || n < removedAtOnce {
			return removed, translate(err)
		}
	}
}

// removeUnstored removes a few: their files, if they have any, then their rows.
func (s *Store) removeUnstored(ctx context.Context, hour time.Time, remove func(context.Context, spoken.Key) error) (n int, err error) {
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		unstored, err := s.queries.UnstoredSpoken(ctx, tx, sqlcgen.UnstoredSpokenParams{Hour: hour, Most: removedAtOnce})
		if err != nil {
			return err
		}
		for _, key := range unstored {
			if err := remove(ctx, spoken.Key(key)); err != nil {
				return err
			}
		}
		n = len(unstored)
		return s.queries.ForgetSpoken(ctx, tx, unstored)
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// removeOldest removes a few of the least recently used, no more than are needed for so many bytes: their files, then their rows.
func (s *Store) removeOldest(ctx context.Context, over int64, remove func(context.Context, spoken.Key) error) (n int, bytes int64, err error) {
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		oldest, err := s.queries.LeastUsedSpoken(ctx, tx, removedAtOnce)
		if err != nil {
			return err
		}
		var gone [][]byte
		n, bytes = 0, 0
		for _, row := range oldest {
			if bytes >= over {
				break
			}
			if err := remove(ctx, spoken.Key(row.Key)); err != nil {
				return err
			}
			gone = append(gone, row.Key)
			n, bytes = n+1, bytes+int64(row.Bytes)
		}
		return s.queries.ForgetSpoken(ctx, tx, gone)
	})
	if err != nil {
		return 0, 0, translate(err)
	}
	return n, bytes, nil
}
