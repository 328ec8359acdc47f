// Package postgres stores content types, entries and assets: drafts, published versions, deletions, the links between
// entries, and the audit log. One transaction writes a change and everything that follows from it.
//
// Published changes are numbered in the order of the commits, so that a reader's position is one number.
package postgres

import (
	"context"
	"embed"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error {
	return postgres.Migrate(ctx, ownerURL, migrations)
}

// Index is the search index. Each call is the last of the caller's transaction that takes a lock.
type Index interface {
	// Show brings into the index what readers get.
	Show(ctx context.Context, tx pgx.Tx, p entry.Published, locale string) error
	// Hide removes from the index what readers no longer get.
	Hide(ctx context.Context, tx pgx.Tx, key entry.Key, contentType string) error
}

// Cards are what readers' lists show. A card goes with what readers get of its entry.
type Cards interface {
	// SetCard writes the card of what readers get from now on. The caller holds the lock of published changes.
	SetCard(ctx context.Context, tx pgx.Tx, p entry.Published, locale string) error
}

// Store is the entries.
type Store struct {
	db      *pgxpool.Pool
	outbox  *outbox.Outbox
	queries *sqlcgen.Queries
	Reads
	cards Cards
	index Index
	now   func() time.Time
}

// New makes the store. now gives the moment of every change, in whole microseconds of UTC.
func New(db *pgxpool.Pool, out *outbox.Outbox, cards Cards, index Index, now func() time.Time) *Store {
	return &Store{db: db, outbox: out, queries: sqlcgen.New(), Reads: NewReads(), cards: cards, index: index, now: now}
}
