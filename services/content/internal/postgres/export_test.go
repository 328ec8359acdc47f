package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// ReindexAll gives the empty index all items that are in the table.
func (s *Store) ReindexAll(ctx context.Context) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error { return s.reindexAll(ctx, tx) })
}
