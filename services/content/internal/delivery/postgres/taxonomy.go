package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/platform/postgres"
)

// Concepts gives concepts, one more than the limit where there is one.
func (r *Reader) Concepts(ctx context.Context, t query.Taxonomy) ([]query.Concept, error) {
	s := &statement{}
	where := "true"
	switch {
	case t.Ancestors || t.Descendants:
		to, from := "broader", "concept"
		if t.Descendants {
			to, from = from, to
		}
		id, depth := s.arg(t.ID), s.arg(t.Depth)
		s.text("WITH RECURSIVE related (id, steps) AS (SELECT ", to, ", 1 FROM concept_broader WHERE ", from, " = ", id,
			" UNION SELECT b.", to, ", r.steps + 1 FROM related r JOIN concept_broader b ON b.", from, " = r.id WHERE r.steps < ", depth, ") ")
		where = "p.id IN (SELECT id FROM related)"
	case t.ID != "":
		where = "p.id = " + s.arg(t.ID)
	case t.Scheme != "":
		where = "p.scheme = " + s.arg(t.Scheme)
	}
	s.text(`SELECT p.id, p.scheme, p.pref_label, p.alt_labels, p.definition, p.version, p.created_at, p.updated_at,
			ARRAY(SELECT b.broader FROM concept_broader b WHERE b.concept = p.id ORDER BY b.broader)
		FROM concepts p WHERE `, where, s.taxonomyPage(t))
	return rows[query.Concept](ctx, r, s)
}

// Schemes gives concept schemes, one more than the limit where there is one.
func (r *Reader) Schemes(ctx context.Context, t query.Taxonomy) ([]query.Scheme, error) {
	s := &statement{}
	where := "true"
	if t.ID != "" {
		where = "p.id = " + s.arg(t.ID)
	}
	s.text(`SELECT p.id, p.pref_label, p.definition, p.version, p.created_at, p.updated_at,
			ARRAY(SELECT c.id FROM concepts c WHERE c.scheme = p.id AND c.top ORDER BY c.id),
			ARRAY(SELECT c.id FROM concepts c WHERE c.scheme = p.id ORDER BY c.id)
		FROM concept_schemes p WHERE `, where, s.taxonomyPage(t))
	return rows[query.Scheme](ctx, r, s)
}

// taxonomyPage is order, limit and offset.
func (s *statement) taxonomyPage(t query.Taxonomy) string {
	by := ""
	switch t.Order {
	case "createdAt":
		by = "p.created_at"
	case "updatedAt":
		by = "p.updated_at"
	case "prefLabel":
		by = "p.pref_label ->> " + s.arg(t.Locale)
	}
	if by != "" && t.Desc {
		by += " DESC"
	}
	if by != "" {
		by += ", "
	}
	return " ORDER BY " + by + "p.id LIMIT " + s.arg(t.Limit+1) + " OFFSET " + s.arg(t.Offset)
}

func rows[T any](ctx context.Context, r *Reader, s *statement) ([]T, error) {
	found, err := r.db.Query(ctx, s.sql(), s.args...)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	all, err := pgx.CollectRows(found, pgx.RowToStructByPos[T])
	return all, postgres.Translate(err, nil)
}
