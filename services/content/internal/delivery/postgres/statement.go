package postgres

import (
	"slices"
	"strconv"
	"strings"

	"serein.app/services/content/internal/delivery/query"
)

// statement is one that is put together for a query. Values are arguments, never text.
type statement struct {
	parts []string
	args  []any
	of    query.Collection
	// environment is the argument that holds it.
	environment string
}

func newStatement(environment string, q *query.Query) *statement {
	s := &statement{of: q.Of}
	s.environment = s.arg(environment)
	return s
}

func (s *statement) text(parts ...string) { s.parts = append(s.parts, parts...) }

func (s *statement) sql() string { return strings.Join(s.parts, "") }

// arg adds an argument and gives its place.
func (s *statement) arg(value any) string {
	s.args = append(s.args, value)
	return "$" + strconv.Itoa(len(s.args))
}

func (s *statement) table() string {
	switch s.of {
	case query.ContentTypes:
		return "content_types"
	case query.Tags:
		return "tags"
	default:
		return "delivered"
	}
}

// where is the condition of a query.
func (s *statement) where(q *query.Query) string {
	all := []string{"p.environment = " + s.environment}
	if s.table() == "delivered" {
		all = append(all, "p.kind = "+s.arg(q.Of.Type()))
	}
	if q.ContentType != "" {
		all = append(all, "p.content_type = "+s.arg(q.ContentType))
	}
	for _, f := range q.Filters {
		all = append(all, s.condition("p", f))
	}
	for _, r := range q.References {
		all = append(all, s.reference(r))
	}
	for _, l := range q.LinksTo {
		all = append(all, "p.id IN (SELECT l.id FROM links l WHERE l.environment = "+s.environment+
			" AND l.target_kind = "+s.arg(string(l.Kind))+" AND l.target_id = "+s.arg(l.ID)+")")
	}
	if len(q.Words) > 0 {
		all = append(all, s.anyText(q))
	}
	if q.Media != nil {
		all = append(all, s.media(q))
	}
	return strings.Join(all, " AND ")
}

// isSelective says whether an index other than the order's finds what the query means.
func isSelective(q *query.Query) bool {
	return len(q.References)+len(q.LinksTo)+len(q.Words) > 0 || slices.ContainsFunc(q.Filters, func(f query.Filter) bool {
		switch f.Op {
		case query.Eq, query.In, query.All, query.Match:
			return f.Target.Column != query.ColumnType && f.Target.Column != query.ColumnContentType
		default:
			return false
		}
	})
}

// reference is the condition on what a field points at.
func (s *statement) reference(r query.Reference) string {
	all := []string{
		"l.environment = " + s.environment, "l.id = p.id", "l.field = " + s.arg(r.Field), "l.target_kind = 'Entry'",
		"t.content_type = ANY(" + s.arg(r.Types) + "::text[])",
	}
	for _, f := range r.Filters {
		all = append(all, s.condition("t", f))
	}
	return "EXISTS (SELECT FROM links l JOIN delivered t ON t.environment = l.environment AND t.kind = l.target_kind AND t.id = l.target_id WHERE " +
		strings.Join(all, " AND ") + ")"
}

// condition of a row that goes by that name.
func (s *statement) condition(row string, f query.Filter) string {
	switch f.Target.Column {
	case query.ColumnField:
		return s.fieldCondition(row, f)
	case query.ColumnTags, query.ColumnConcepts, query.ColumnDescendants:
		return s.labels(row, f)
	case query.ColumnCreatedAt, query.ColumnUpdatedAt:
		return s.moment(s.column(row, f.Target.Column), f)
	default:
		return s.scalar(s.column(row, f.Target.Column), f)
	}
}

// column is the expression of a system property.
func (s *statement) column(row string, c query.Column) string {
	items := s.table() == "delivered"
	switch c {
	case query.ColumnID:
		return row + ".id"
	case query.ColumnType:
		if items {
			return row + ".kind"
		}
		return "'" + s.of.Type() + "'::text"
	case query.ColumnContentType:
		return row + ".content_type"
	case query.ColumnCreatedAt:
		return row + ".created_at"
	case query.ColumnUpdatedAt:
		return row + ".updated_at"
	case query.ColumnRevision:
		if items {
			return row + ".revision"
		}
		return row + ".version"
	case query.ColumnVersion:
		return row + ".version"
	case query.ColumnVisibility:
		return "'public'::text"
	default:
		return row + ".name"
	}
}
