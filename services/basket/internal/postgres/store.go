// Package postgres keeps baskets with their lines, and what members have bought.
package postgres

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/basket/internal/basket"
	"serein.app/services/basket/internal/postgres/sqlcgen"
	"serein.app/services/platform/outbox"
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
	outbox  *outbox.Outbox
	now     func() time.Time
	newID   func() (uuid.UUID, error)
}

// New makes the store.
func New(db *pgxpool.Pool, out *outbox.Outbox, now func() time.Time, newID func() (uuid.UUID, error)) *Store {
	return &Store{db, sqlcgen.New(), out, now, newID}
}

// Basket reads an owner's basket, in one snapshot; the zero Basket if the owner has no basket.
func (s *Store) Basket(ctx context.Context, owner basket.Owner) (basket.Basket, error) {
	b, err := s.read(ctx, s.db, owner)
	return b, postgres.Translate(err, nil)
}

func (s *Store) read(ctx context.Context, db sqlcgen.DBTX, owner basket.Owner) (basket.Basket, error) {
	row, err := s.queries.BasketOf(ctx, db, sqlcgen.BasketOfParams{Owner: owner.ID, Guest: owner.Guest})
	if errors.Is(err, pgx.ErrNoRows) {
		return basket.Basket{}, nil
	}
	if err != nil {
		return basket.Basket{}, err
	}
	b := basket.Basket{ID: row.ID, Version: row.Version}
	if b.Lines, err = toLines(row.Lines); err != nil || row.Before == nil {
		return b, err
	}
	before, err := toLines(row.Before)
	b.Before = &before
	return b, err
}

func toLines(data []byte) (lines []basket.Line, err error) {
	if err := json.Unmarshal(data, &lines); err != nil {
		return nil, fmt.Errorf("lines: %w", err)
	}
	for i, l := range lines {
		lines[i].AddedAt = l.AddedAt.UTC()
		if l.SavedAt != nil {
			saved := l.SavedAt.UTC()
			lines[i].SavedAt = &saved
		}
	}
	return lines, nil
}

// inTx runs fn in one transaction, and gives its errors as declared ones.
func (s *Store) inTx(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return postgres.Translate(postgres.InTx(ctx, s.db, fn), nil)
}
