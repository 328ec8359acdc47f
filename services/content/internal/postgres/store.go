// Package postgres stores content types, entries and assets: drafts, published versions, deletions, the links between
// entries, and the audit log. One transaction writes a change and everything that follows from it.
//
// Published changes are numbered in the order of the commits, so that a reader's position is one number.
package postgres

import (
	"context"
	"embed"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

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

// Store is the content database.
type Store struct {
	db      *pgxpool.Pool
	outbox  *outbox.Outbox
	queries *sqlcgen.Queries
	now     func() time.Time
}

// New makes the store. now gives the moment of every change.
func New(db *pgxpool.Pool, out *outbox.Outbox, now func() time.Time) *Store {
	return &Store{
		db: db, outbox: out, queries: sqlcgen.New(),
		now: func() time.Time { return now().UTC().Truncate(time.Microsecond) }, // what a timestamptz can hold
	}
}
