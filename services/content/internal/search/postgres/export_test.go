package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/search"
)

// RenewSearchPage is one transaction of a rebuild.
func (s *Store) RenewSearchPage(ctx context.Context) (int, error) { return s.renewItems(ctx) }

// PutAll brings items into the index in one transaction.
func (s *Store) PutAll(ctx context.Context, items []search.Item) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var all []termsChange
		for _, i := range items {
			changes, err := s.write(ctx, tx, i)
			if err != nil {
				return err
			}
			all = append(all, changes...)
		}
		return s.reindex(ctx, tx, all)
	})
}
