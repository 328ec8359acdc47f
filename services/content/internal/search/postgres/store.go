// Package postgres keeps the search index: the terms of what readers get, and of members' own meditations, whose titles and scripts
// it holds too.
package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/search/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Entries is what the index asks of the store of entries.
type Entries interface {
	// Entry is what readers get of one item. Errors: entry.ErrNotFound.
	Entry(ctx context.Context, db postgres.Queryer, key entry.Key) (entry.Published, error)
	// DefaultLocale of an environment.
	DefaultLocale(ctx context.Context, db postgres.Queryer, environment string) (string, error)
	// Categories of master, in the editors' order.
	Categories(ctx context.Context, db postgres.Queryer) ([]entry.Category, error)
}

// Store is the search index.
type Store struct {
	db      *pgxpool.Pool
	entries Entries
	queries *sqlcgen.Queries
	now     func() time.Time
}

// New makes the store. now gives the moment of every change, in whole microseconds of UTC.
func New(db *pgxpool.Pool, entries Entries, now func() time.Time) *Store {
	return &Store{db: db, entries: entries, queries: sqlcgen.New(), now: now}
}

// inTx runs fn in one transaction.
func (s *Store) inTx(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return postgres.Translate(postgres.InTx(ctx, s.db, fn), nil)
}

// Spelled returns the words of the index that have one of the spellings, in no order.
func (s *Store) Spelled(ctx context.Context, spellings []string) ([]string, error) {
	return s.queries.SearchWordsSpelled(ctx, s.db, spellings)
}
