package postgres

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// fieldCondition is the condition on a field's value in the first of its locales that has one.
func (s *statement) fieldCondition(row string, f query.Filter) string {
	switch f.Op {
	case query.Exists:
		if f.Values[0] == true {
			return s.value(row, f.Target) + " IS NOT NULL"
		}
		return s.value(row, f.Target) + " IS NULL"
	case query.Match:
		return s.match(row, f)
	case query.Near:
		return s.distance(row, f.Target, f.Values) + " IS NOT NULL"
	case query.Within:
		return s.within(row, f)
	case query.Lt, query.Lte, query.Gt, query.Gte:
		return s.compared(row, f.Target, signs[f.Op], f.Values[0])
	default:
		return s.equality(row, f)
	}
}

// equality says that the value is one of those given, none of them or, for All, every one.
func (s *statement) equality(row string, f query.Filter) string {
	has := s.contains
	if f.Target.Type == entry.Date {
		has = s.isMoment
	}
	switch f.Op {
	case query.All:
		return "(" + s.each(f.Values, " AND ", func(v any) string { return has(row, f.Target, []any{v}) }) + ")"
	case query.Ne, query.Nin:
		return "NOT " + has(row, f.Target, f.Values)
	default:
		return has(row, f.Target, f.Values)
	}
}

// isMoment says that the field is one of the moments, however it is written.
func (s *statement) isMoment(row string, t query.Target, values []any) string {
	moments := make([]time.Time, len(values))
	for i, v := range values {
		moments[i], _ = v.(time.Time)
	}
	return "COALESCE(" + typed(s.value(row, t), "timestamptz") + " = ANY(" + s.arg(moments) + "::timestamptz[]), false)"
}

// contains says that the field has one of the values, in a form that the index of fields answers.
func (s *statement) contains(row string, t query.Target, values []any) string {
	var ways []string
	guard := ""
	for i, locale := range t.Locales {
		if i > 0 {
			guard += s.at(row, t.Field, t.Locales[i-1]) + " IS NULL AND "
		}
		documents := make([]string, len(values))
		for i, v := range values {
			documents[i] = document(t, locale, v)
		}
		ways = append(ways, guard+row+".fields @> ANY("+s.arg(documents)+"::text[]::jsonb[])")
	}
	return "(" + strings.Join(ways, " OR ") + ")"
}

// document is the smallest that holds the value at its place.
func document(t query.Target, locale string, value any) string {
	for i := len(t.Path) - 1; i >= 0; i-- {
		value = map[string]any{t.Path[i]: value}
	}
	if t.List {
		value = []any{value}
	}
	text, err := json.Marshal(map[string]any{t.Field: map[string]any{locale: value}})
	if err != nil {
		return "{}" // texts, whole and finite numbers are JSON
	}
	return string(text)
}

// at is the text at a path into the fields.
func (s *statement) at(row string, path ...string) string {
	return "(" + row + ".fields #>> " + s.arg(path) + "::text[])"
}

// value is the text of the target's value in the first locale that has one. What is below the elements of a list it takes from
// the first of them.
func (s *statement) value(row string, t query.Target, below ...string) string {
	return s.first(t, func(locale string) string {
		path := []string{t.Field, locale}
		if t.List && len(t.Path) > 0 {
			path = append(path, "0")
		}
		path = append(path, t.Path...)
		return s.at(row, append(path, below...)...)
	})
}

func (s *statement) first(t query.Target, of func(locale string) string) string {
	all := make([]string, len(t.Locales))
	for i, locale := range t.Locales {
		all[i] = of(locale)
	}
	if len(all) == 1 {
		return all[0]
	}
	return "COALESCE(" + strings.Join(all, ", ") + ")"
}

// typed is a text as a value of that type of the database's; what is none is null.
func typed(text, kind string) string {
	return "(CASE WHEN pg_input_is_valid(" + text + ", '" + kind + "') THEN (" + text + ")::" + kind + " END)"
}

// compared is the comparison of a number or a date.
func (s *statement) compared(row string, t query.Target, sign string, value any) string {
	if t.Type == entry.Date {
		return typed(s.value(row, t), "timestamptz") + " " + sign + " " + s.arg(value) + "::timestamptz"
	}
	return typed(s.value(row, t), "numeric") + " " + sign + " " + s.arg(decimal(value)) + "::text::numeric"
}

// decimal writes a number without losing a digit.
func decimal(value any) string {
	if n, ok := value.(int64); ok {
		return strconv.FormatInt(n, 10)
	}
	n, _ := value.(float64)
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// media is the condition on the type of an asset's file.
func (s *statement) media(q *query.Query) string {
	t := query.Target{Field: "file", Path: []string{"contentType"}, Locales: q.Locales}
	patterns := make([]string, len(q.Media.Types))
	for i, kind := range q.Media.Types {
		patterns[i] = strings.NewReplacer(`\`, `\\`, `_`, `\_`, `%`, `\%`).Replace(kind)
		if strings.HasSuffix(kind, "/") {
			patterns[i] += "%"
		}
	}
	like := s.value("p", t) + " LIKE ANY(" + s.arg(patterns) + "::text[])"
	if q.Media.Not {
		return "NOT (" + like + ")"
	}
	return like
}
