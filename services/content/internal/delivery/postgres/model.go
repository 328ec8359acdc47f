package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/postgres"
)

// Model is what queries of an environment are checked against. An environment that is not there is
// postgres.ErrNotFound.
func (r *Reader) Model(ctx context.Context, environment string) (query.Model, error) {
	m := query.Model{Environment: environment, Types: map[string]entry.ContentType{}}
	if err := r.db.QueryRow(ctx, "SELECT created_at FROM environments WHERE id = $1", environment).Scan(&m.CreatedAt); err != nil {
		return m, postgres.Translate(err, nil)
	}
	var err error
	if m.Locales, err = r.locales(ctx, environment); err != nil {
		return m, err
	}
	rows, err := r.db.Query(ctx, "SELECT "+typeColumns+" FROM content_types p WHERE p.environment = $1", environment)
	if err != nil {
		return m, postgres.Translate(err, nil)
	}
	types, err := pgx.CollectRows(rows, scanType)
	for _, t := range types {
		m.Types[t.ID] = t
	}
	return m, postgres.Translate(err, nil)
}

func (r *Reader) locales(ctx context.Context, environment string) (entry.Locales, error) {
	rows, err := r.db.Query(ctx, `SELECT code, name, COALESCE(fallback_code, ''), is_default, version FROM locales
		WHERE environment = $1 ORDER BY is_default DESC, code`, environment)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	locales, err := pgx.CollectRows(rows, pgx.RowToStructByPos[entry.Locale])
	return locales, postgres.Translate(err, nil)
}

const typeColumns = "p.environment, p.id, p.name, p.description, p.display_field, p.fields, p.version, p.created_at, p.updated_at"

func scanType(row pgx.CollectableRow) (t entry.ContentType, err error) {
	var fields []byte
	err = row.Scan(&t.Environment, &t.ID, &t.Name, &t.Description, &t.DisplayField, &fields, &t.Version, &t.CreatedAt, &t.UpdatedAt)
	if err == nil {
		if err = json.Unmarshal(fields, &t.Fields); err != nil {
			err = fmt.Errorf("fields of the content type %s: %w", t.ID, err)
		}
	}
	return t, err
}

// ContentTypes gives a page of a query's content types.
func (r *Reader) ContentTypes(ctx context.Context, environment string, q *query.Query) ([]entry.ContentType, error) {
	return list(ctx, r, environment, q, typeColumns, scanType)
}

// Tags gives a page of a query's tags.
func (r *Reader) Tags(ctx context.Context, environment string, q *query.Query) ([]query.Tag, error) {
	return list(ctx, r, environment, q, "p.id, p.name, p.version, p.created_at, p.updated_at", pgx.RowToStructByPos[query.Tag])
}

// list gives a page by skip and limit of the small tables.
func list[T any](ctx context.Context, r *Reader, environment string, q *query.Query, columns string, scan pgx.RowToFunc[T]) ([]T, error) {
	s := newStatement(environment, q)
	order := s.order(q.Order)
	s.text("SELECT ", columns, " FROM ", s.table(), " p WHERE ", s.where(q), " ORDER BY ", order.by(false),
		" LIMIT ", s.arg(q.Page.Limit), " OFFSET ", s.arg(q.Page.Skip))
	rows, err := r.db.Query(ctx, s.sql(), s.args...)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	found, err := pgx.CollectRows(rows, scan)
	return found, postgres.Translate(err, nil)
}
