// Package postgres answers the delivery API's queries from the view `delivered`: the published entries and assets without
// unverified meditations. It builds SQL statements from queries that package query has checked. Values are always arguments,
// and every shape of statement begins with an index. It only reads.
package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/postgres"
)

// Reader reads.
type Reader struct{ db *pgxpool.Pool }

// New makes it.
func New(db *pgxpool.Pool) *Reader { return &Reader{db} }

const itemColumns = "p.kind, p.id, COALESCE(p.content_type, ''), p.revision, p.version, p.fields, p.tags, p.concepts, p.created_at, p.updated_at"

// Items gives a page of a query's entries or assets. One by cursor has an item more than its limit where
// there is one, in the query's order as all.
func (r *Reader) Items(ctx context.Context, environment string, q *query.Query, at *query.Position) ([]query.Item, error) {
	if q.Nothing || q.Page.Limit == 0 {
		return nil, nil
	}
	s := newStatement(environment, q)
	order := s.order(q.Order)
	s.text("SELECT ", itemColumns)
	if q.Page.Cursor {
		s.text(", ", order.texts())
	}
	if isSelective(q) {
		// Without the fence the planner may walk the order's index and throw away nearly all that it meets.
		s.text(" FROM (SELECT p.* FROM delivered p WHERE ", s.where(q), " OFFSET 0) p WHERE true")
	} else {
		s.text(" FROM delivered p WHERE ", s.where(q))
	}
	if at != nil {
		s.text(" AND ", order.beyond(*at))
	}
	limit, back := q.Page.Limit, at != nil && at.Back
	if q.Page.Cursor {
		limit++
	}
	s.text(" ORDER BY ", order.by(back), " LIMIT ", s.arg(limit))
	if q.Page.Skip > 0 {
		s.text(" OFFSET ", s.arg(q.Page.Skip))
	}
	items, err := r.items(ctx, s, q.Page.Cursor)
	if back {
		slices.Reverse(items)
	}
	return items, err
}

// Count says how many items a query means, on all of its pages. All of a content type, or of a kind, are counted already; of
// what a condition picks each is counted that its index finds.
func (r *Reader) Count(ctx context.Context, environment string, q *query.Query) (n int, err error) {
	if q.Nothing {
		return 0, nil
	}
	s := newStatement(environment, q)
	if s.table() == "delivered" && isPlain(q) {
		s.text("SELECT COALESCE(sum(p.count), 0)::bigint FROM published_counts p WHERE ", s.where(q))
	} else {
		s.text("SELECT count(*) FROM ", s.table(), " p WHERE ", s.where(q))
	}
	err = r.db.QueryRow(ctx, s.sql(), s.args...).Scan(&n)
	return n, postgres.Translate(err, nil)
}

// isPlain says whether a query asks for no more than a kind or a content type.
func isPlain(q *query.Query) bool {
	return len(q.Filters)+len(q.References)+len(q.LinksTo)+len(q.Words) == 0 && q.Media == nil
}

// Linked gives the published items that links lead to, those that there are, in the order of their ids.
func (r *Reader) Linked(ctx context.Context, environment string, links []entry.Link) ([]query.Item, error) {
	if len(links) == 0 {
		return nil, nil
	}
	kinds, ids := make([]string, len(links)), make([]string, len(links))
	for i, l := range links {
		kinds[i], ids[i] = string(l.Kind), l.ID
	}
	s := &statement{}
	s.text("SELECT ", itemColumns, " FROM unnest(", s.arg(kinds), "::text[], ", s.arg(ids), "::text[]) AS l (kind, id)",
		" JOIN delivered p ON p.environment = ", s.arg(environment), " AND p.kind = l.kind AND p.id = l.id ORDER BY p.kind, p.id")
	return r.items(ctx, s, false)
}

func (r *Reader) items(ctx context.Context, s *statement, positions bool) ([]query.Item, error) {
	rows, err := r.db.Query(ctx, s.sql(), s.args...)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	items, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (i query.Item, err error) {
		into := []any{
			&i.Kind, &i.ID, &i.ContentType, &i.Revision, &i.Version, &i.Fields, &i.Tags, &i.Concepts, &i.CreatedAt, &i.UpdatedAt,
		}
		if positions {
			into = append(into, &i.Position)
		}
		return i, row.Scan(into...)
	})
	return items, postgres.Translate(err, nil)
}
