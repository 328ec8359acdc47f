package postgres

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/postgres"
)

// Latest is the number of the newest change that readers of an environment can see, or 0 without changes. Transactions take
// their numbers in the order of their commits, so every later change has a higher number.
func (r *Reader) Latest(ctx context.Context, environment string) (seq int64, err error) {
	err = r.db.QueryRow(ctx, `SELECT GREATEST(
			(SELECT p.seq FROM delivered p WHERE p.environment = $1 ORDER BY p.seq DESC LIMIT 1),
			(SELECT d.seq FROM deletions d WHERE d.environment = $1 ORDER BY d.seq DESC LIMIT 1), 0)`, environment).Scan(&seq)
	return seq, postgres.Translate(err, nil)
}

// Changes gives changes in their order, one more than the limit where there is one.
func (r *Reader) Changes(ctx context.Context, environment string, c query.Changes) ([]query.Change, error) {
	s := &statement{}
	env, after, limit := s.arg(environment), s.arg(c.After), s.arg(c.Limit+1)
	bounds := "environment = " + env + " AND seq > " + after
	if c.UpTo > 0 {
		bounds += " AND seq <= " + s.arg(c.UpTo)
	}
	published, deleted := kinds(c.Published), kinds(c.Deleted)
	where := bounds
	if len(published) == 1 {
		where += " AND kind = " + s.arg(published[0])
	}
	if c.ContentType != "" {
		where += " AND content_type = " + s.arg(c.ContentType)
	}
	var parts []string
	if len(published) > 0 {
		parts = append(parts, `(SELECT kind, id, COALESCE(content_type, ''), revision, version, fields, tags, concepts, created_at, updated_at,
			NULL::timestamptz, seq FROM delivered WHERE `+where+" ORDER BY seq LIMIT "+limit+")")
	}
	if len(deleted) > 0 {
		gone := bounds
		if c.ContentType != "" {
			gone += " AND content_type = " + s.arg(c.ContentType)
		}
		parts = append(parts, `(SELECT kind, id, COALESCE(content_type, ''), revision, 0, '{}'::jsonb, '{}'::text[], '{}'::text[], created_at, deleted_at,
			deleted_at, seq FROM deletions WHERE `+gone+" AND kind = ANY("+s.arg(deleted)+"::text[]) ORDER BY seq LIMIT "+limit+")")
	}
	s.text("SELECT * FROM (", strings.Join(parts, " UNION ALL "), ") AS change ORDER BY seq LIMIT ", limit)
	rows, err := r.db.Query(ctx, s.sql(), s.args...)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	changes, err := pgx.CollectRows(rows, scanChange)
	return changes, postgres.Translate(err, nil)
}

func kinds(of []entry.Kind) []string {
	all := make([]string, len(of))
	for i, kind := range of {
		all[i] = string(kind)
	}
	return all
}

func scanChange(row pgx.CollectableRow) (c query.Change, err error) {
	var deleted *time.Time
	err = row.Scan(&c.Kind, &c.ID, &c.ContentType, &c.Revision, &c.Version, &c.Fields, &c.Tags, &c.Concepts, &c.CreatedAt, &c.UpdatedAt, &deleted, &c.Seq)
	if deleted != nil {
		c.DeletedAt = *deleted
	}
	return c, err
}
