package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Published reads what readers get. The other rooms' stores read entries by it alone, each on the pool, the transaction or the batch
// that it names. It returns PostgreSQL's errors as they are.
type Published struct{ queries *sqlcgen.Queries }

// NewPublished makes it.
func NewPublished() Published { return Published{sqlcgen.New()} }

// Entry is what readers get of one item. Errors: entry.ErrNotFound.
func (p Published) Entry(ctx context.Context, db postgres.Queryer, key entry.Key) (entry.Published, error) {
	row, err := p.queries.Published(ctx, db, sqlcgen.PublishedParams{Environment: key.Environment, Kind: string(key.Kind), ID: key.ID})
	if errors.Is(err, pgx.ErrNoRows) {
		return entry.Published{}, entry.ErrNotFound
	}
	if err != nil {
		return entry.Published{}, err
	}
	return toPublished(row)
}

// DefaultLocale of an environment.
func (p Published) DefaultLocale(ctx context.Context, db postgres.Queryer, environment string) (string, error) {
	locales, err := p.locales(ctx, db, environment)
	return locales.Default(), err
}

func (p Published) locales(ctx context.Context, db postgres.Queryer, environment string) (entry.Locales, error) {
	rows, err := p.queries.Locales(ctx, db, environment)
	locales := make(entry.Locales, len(rows))
	for i, row := range rows {
		locales[i] = toLocale(row)
	}
	return locales, err
}

// Categories of master, in the editors' order.
func (p Published) Categories(ctx context.Context, db postgres.Queryer) ([]entry.Category, error) {
	rows, err := p.queries.Categories(ctx, db, entry.Master)
	all := make([]entry.Category, len(rows))
	for i, row := range rows {
		all[i] = entry.Category{ID: row.ID, Name: row.Name}
	}
	return all, err
}
