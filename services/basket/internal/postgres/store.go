// Package postgres keeps baskets and their lines.
package postgres

import (
	"context"
	"embed"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/basket/internal/basket"
	"serein.app/services/basket/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error {
	return postgres.Migrate(ctx, ownerURL, migrations)
}

// Store is the basket database.
type Store struct {
	db      *pgxpool.Pool
	queries *sqlcgen.Queries
}

// New makes the store.
func New(db *pgxpool.Pool) *Store { return &Store{db, sqlcgen.New()} }

// Basket reads a member's basket; the zero one where there is none.
func (s *Store) Basket(ctx context.Context, uid uuid.UUID) (basket.Basket, error) {
	id, err := s.queries.BasketOf(ctx, s.db, uid)
	if errors.Is(err, pgx.ErrNoRows) {
		return basket.Basket{}, nil
	}
	if err != nil {
		return basket.Basket{}, postgres.Translate(err, nil)
	}
	rows, err := s.queries.Lines(ctx, s.db, sqlcgen.LinesParams{BasketID: id, Most: basket.MaxLines})
	if err != nil {
		return basket.Basket{}, postgres.Translate(err, nil)
	}
	found := basket.Basket{ID: id, Lines: make([]basket.Line, len(rows))}
	for i, row := range rows {
		found.Lines[i] = basket.Line{
			ID: row.ID, ProductID: row.ProductID, Size: row.Size, Quantity: row.Quantity,
			AddedAt: row.AddedAt.UTC(), SavedForLater: row.SavedForLater,
		}
	}
	return found, nil
}
