package postgres

import (
	"strings"
	"time"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// signs of comparisons.
var signs = map[query.Op]string{
	query.Eq: "=", query.Ne: "<>", query.Lt: "<", query.Lte: "<=", query.Gt: ">", query.Gte: ">=",
}

// scalar is the condition on a column that is never null.
func (s *statement) scalar(column string, f query.Filter) string {
	kind, list := "text", func() string { return s.arg(texts(f.Values)) }
	if f.Target.Type == entry.Integer {
		kind, list = "bigint", func() string { return s.arg(wholes(f.Values)) }
	}
	switch f.Op {
	case query.Exists:
		return s.known(f.Values[0] == true)
	case query.In:
		return column + " = ANY(" + list() + "::" + kind + "[])"
	case query.Nin:
		return column + " <> ALL(" + list() + "::" + kind + "[])"
	case query.All:
		return column + " = ALL(" + list() + "::" + kind + "[])"
	case query.Match:
		return "to_tsvector('simple', " + column + ") @@ to_tsquery('simple', " + s.arg(prefixes(f.Values)) + ")"
	default:
		return column + " " + signs[f.Op] + " " + s.arg(f.Values[0]) + "::" + kind
	}
}

// texts are values that are texts.
func texts(values []any) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i], _ = v.(string)
	}
	return all
}

// wholes are values that are whole numbers.
func wholes(values []any) []int64 {
	all := make([]int64, len(values))
	for i, v := range values {
		all[i], _ = v.(int64)
	}
	return all
}

// known is a condition without a row.
func (s *statement) known(is bool) string {
	if is {
		return "true"
	}
	return "false"
}

// moment is the condition on a time. Readers see milliseconds, the column holds more: a condition is one on
// what they see, and still a range that an index has.
func (s *statement) moment(column string, f query.Filter) string {
	if f.Op == query.Exists {
		return s.known(f.Values[0] == true)
	}
	one := func(sign query.Op, value any) string {
		at, _ := value.(time.Time)
		from := at.Truncate(time.Millisecond)
		whole := from.Equal(at)
		next := from.Add(time.Millisecond)
		if whole {
			at = from
		} else {
			at = next // the first that is not before
		}
		switch {
		case sign == query.Lt:
			return column + " < " + s.arg(at)
		case sign == query.Lte:
			return column + " < " + s.arg(next)
		case sign == query.Gt:
			return column + " >= " + s.arg(next)
		case sign == query.Gte:
			return column + " >= " + s.arg(at)
		case !whole:
			return "false"
		default:
			return "(" + column + " >= " + s.arg(from) + " AND " + column + " < " + s.arg(next) + ")"
		}
	}
	switch f.Op {
	case query.Ne, query.Nin:
		return "NOT (" + s.each(f.Values, " OR ", func(v any) string { return one(query.Eq, v) }) + ")"
	case query.In:
		return "(" + s.each(f.Values, " OR ", func(v any) string { return one(query.Eq, v) }) + ")"
	default:
		return one(f.Op, f.Values[0])
	}
}

// each joins a condition on each of the values.
func (s *statement) each(values []any, between string, one func(any) string) string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = one(v)
	}
	return strings.Join(all, between)
}

// labels is the condition on tags and concepts.
func (s *statement) labels(row string, f query.Filter) string {
	column := row + ".concepts"
	if f.Target.Column == query.ColumnTags {
		column = row + ".tags"
	}
	if f.Op == query.Exists {
		return "(" + column + " <> '{}') = " + s.arg(f.Values[0])
	}
	given := s.arg(texts(f.Values)) + "::text[]"
	if f.Target.Column == query.ColumnDescendants {
		given = "(WITH RECURSIVE below AS (SELECT unnest(" + given + ") AS id UNION SELECT b.concept FROM concept_broader b JOIN below ON b.broader = below.id)" +
			" SELECT array_agg(id) FROM below)"
	}
	switch f.Op {
	case query.All:
		return column + " @> " + given
	case query.Nin:
		return "NOT (" + column + " && " + given + ")"
	default:
		return column + " && " + given
	}
}
