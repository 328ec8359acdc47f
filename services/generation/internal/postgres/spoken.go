package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/generation/internal/spoken"
	"serein.app/services/platform/postgres"
)

var _ spoken.Index = (*Store)(nil)

// removedAtOnce is how many spoken sentences are removed in one transaction, and so for how long their rows are locked.
const removedAtOnce = 50

// NoteSpoken implements spoken.Index.
func (s *Store) NoteSpoken(ctx context.Context, used []spoken.Sentence, day time.Time) error {
	noted := sqlcgen.NoteSpokenParams{Day: day, Keys: make([][]byte, len(used)), Bytes: make([]int32, len(used))}
	for i, u := range used {
		noted.Keys[i], noted.Bytes[i] = u.Key[:], int32(u.Bytes)
	}
	return translate(s.queries.NoteSpoken(ctx, s.db, noted))
}

// WhileNoted implements spoken.Index.
func (s *Store) WhileNoted(ctx context.Context, keys []spoken.Key, store func(context.Context, []spoken.Key) error) error {
	asked := make([][]byte, len(keys))
	for i, key := range keys {
		asked[i] = key[:]
	}
	return translate(postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		held, err := s.queries.HoldSpoken(ctx, tx, asked)
		if err != nil {
			return err
		}
		noted := make([]spoken.Key, len(held))
		for i, key := range held {
			noted[i] = spoken.Key(key)
		}
		return store(ctx, noted)
	}))
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
