// Package postgres keeps the cards of what readers get, the lists that hold them and the names that led to them, and reads what readers'
// pages show.
package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/reading/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Entries is what readers' pages ask of the store of entries.
type Entries interface {
	// LockChanges keeps others from changing what readers get, until the transaction ends.
	LockChanges(ctx context.Context, tx pgx.Tx) error
	// DefaultLocale of an environment.
	DefaultLocale(ctx context.Context, db postgres.Queryer, environment string) (string, error)
	// Entry is what readers get of one item. Errors: entry.ErrNotFound.
	Entry(ctx context.Context, db postgres.Queryer, key entry.Key) (entry.Published, error)
	// OfTypes are what readers get of content types in master that have few entries: at most 200 of each, the last changed first.
	OfTypes(ctx context.Context, db postgres.Queryer, contentTypes ...string) ([]entry.Published, error)
	// OfTypeWith are those of a content type in master that have the values.
	OfTypeWith(ctx context.Context, db postgres.Queryer, contentType string, values entry.Fields) ([]entry.Published, error)
	// Entries are those of master with these ids, in no order.
	Entries(ctx context.Context, db postgres.Queryer, ids []string) ([]entry.Published, error)
	// Assets are the fields of those assets of master, by their ids.
	Assets(ctx context.Context, db postgres.Queryer, ids []string) (map[string]entry.Fields, error)
}

// Words are those of the search index.
type Words interface {
	// Spelled returns the words of the index that have one of the spellings, in no order.
	Spelled(ctx context.Context, spellings []string) ([]string, error)
}

// Standings are what members did with items.
type Standings interface {
	// Standings are the states of items, by their ids. uid is the member's, or uuid.Nil for a visitor.
	Standings(ctx context.Context, db postgres.Queryer, uid uuid.UUID, kind reading.Kind, ids ...string) (map[string]reading.UserItemState, error)
}

// Store is the cards and the pages of readers.
type Store struct {
	db        *pgxpool.Pool
	entries   Entries
	words     Words
	standings Standings
	queries   *sqlcgen.Queries
}

// New makes the store.
func New(db *pgxpool.Pool, entries Entries, words Words, standings Standings) *Store {
	return &Store{db: db, entries: entries, words: words, standings: standings, queries: sqlcgen.New()}
}
