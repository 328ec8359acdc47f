package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Reads reads what readers get. The other rooms' stores read entries by it alone, each on the pool, the transaction or the batch
// that it names. It returns PostgreSQL's errors as they are.
type Reads struct{ queries *sqlcgen.Queries }

// NewReads makes it.
func NewReads() Reads { return Reads{sqlcgen.New()} }

// Entry is what readers get of one item. Errors: entry.ErrNotFound.
func (p Reads) Entry(ctx context.Context, db postgres.Queryer, key entry.Key) (entry.Published, error) {
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
func (p Reads) DefaultLocale(ctx context.Context, db postgres.Queryer, environment string) (string, error) {
	locales, err := p.locales(ctx, db, environment)
	return locales.Default(), err
}

func (p Reads) locales(ctx context.Context, db postgres.Queryer, environment string) (entry.Locales, error) {
	rows, err := p.queries.Locales(ctx, db, environment)
	locales := make(entry.Locales, len(rows))
	for i, row := range rows {
		locales[i] = toLocale(row)
	}
	return locales, err
}

// Categories of master, in the editors' order.
func (p Reads) Categories(ctx context.Context, db postgres.Queryer) ([]entry.Category, error) {
	rows, err := p.queries.Categories(ctx, db, entry.Master)
	all := make([]entry.Category, len(rows))
	for i, row := range rows {
		all[i] = entry.Category{ID: row.ID, Name: row.Name}
	}
	return all, err
}

// Since are what readers get of a content type in master, of those numbered above after, in the order of the numbers.
func (p Reads) Since(ctx context.Context, db postgres.Queryer, contentType string, after int64, most int) ([]entry.Published, error) {
	return all(p.queries.PublishedSince(ctx, db, sqlcgen.PublishedSinceParams{
		Environment: entry.Master, ContentType: contentType, After: after, Most: int32(most),
	}))
}

// With are the entries that readers get with those values, in any environment.
func (p Reads) With(ctx context.Context, db postgres.Queryer, values entry.Fields) ([]entry.Published, error) {
	value, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	return all(p.queries.EntriesWith(ctx, db, value))
}

// MadeFor is what readers of master get of the entry for which a narration was made, if they get it.
func (p Reads) MadeFor(ctx context.Context, db postgres.Queryer, file string) ([]entry.Published, error) {
	return all(p.queries.MadeFor(ctx, db, sqlcgen.MadeForParams{File: file, Environment: entry.Master}))
}

// OfTypes are what readers get of content types in master that have few entries: at most 200 of each, the last changed first.
func (p Reads) OfTypes(ctx context.Context, db postgres.Queryer, contentTypes ...string) ([]entry.Published, error) {
	return all(p.queries.PublishedOfAll(ctx, db, sqlcgen.PublishedOfAllParams{Environment: entry.Master, ContentTypes: contentTypes}))
}

// OfTypeWith are what readers get of a content type in master that has the values.
func (p Reads) OfTypeWith(ctx context.Context, db postgres.Queryer, contentType string, values entry.Fields) ([]entry.Published, error) {
	value, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	return all(p.queries.PublishedWith(ctx, db, sqlcgen.PublishedWithParams{Environment: entry.Master, ContentType: contentType, Value: value}))
}

// Entries are what readers get of entries of master, in no order.
func (p Reads) Entries(ctx context.Context, db postgres.Queryer, ids []string) ([]entry.Published, error) {
	return all(p.queries.PublishedEntries(ctx, db, sqlcgen.PublishedEntriesParams{Environment: entry.Master, Ids: ids}))
}

// Assets are the fields of what readers get of assets of master, by their ids.
func (p Reads) Assets(ctx context.Context, db postgres.Queryer, ids []string) (map[string]entry.Fields, error) {
	rows, err := p.queries.PublishedAssets(ctx, db, sqlcgen.PublishedAssetsParams{Environment: entry.Master, Ids: ids})
	assets := make(map[string]entry.Fields, len(rows))
	for _, row := range rows {
		var fields entry.Fields
		if err := columns.Parse(row.Fields, &fields, "asset "+row.ID); err != nil {
			return nil, err
		}
		assets[row.ID] = fields
	}
	return assets, err
}

// LockChanges keeps others from changing what readers get, until the transaction ends.
func (p Reads) LockChanges(ctx context.Context, tx pgx.Tx) error {
	return p.queries.LockChanges(ctx, tx)
}

// all converts the rows of a query.
func all(rows []sqlcgen.Published, err error) ([]entry.Published, error) {
	if err != nil {
		return nil, err
	}
	items := make([]entry.Published, len(rows))
	for i, row := range rows {
		if items[i], err = toPublished(row); err != nil {
			return nil, err
		}
	}
	return items, nil
}
