package postgres

import (
	"strings"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// sortKey is one expression of an order.
type sortKey struct {
	expr, kind string
	desc       bool
	// nullable keys come last where they are null, in both directions.
	nullable bool
}

// ordering is a total order of a query's rows.
type ordering struct {
	s    *statement
	keys []sortKey
}

func (s *statement) order(keys []query.Key) ordering {
	o := ordering{s: s}
	for _, k := range keys {
		o.keys = append(o.keys, s.sortKeys(k)...)
	}
	return o
}

// sortKeys are the expressions of a key: a Location that is ordered by itself has two.
func (s *statement) sortKeys(k query.Key) []sortKey {
	t := k.Target
	switch {
	case k.Near != nil:
		return []sortKey{{s.distance("p", t, k.Near), "float8", k.Desc, true}}
	case t.Column == query.ColumnField && t.Type == entry.Location:
		return []sortKey{{s.coordinate("p", t, "lat"), "float8", k.Desc, true}, {s.coordinate("p", t, "lon"), "float8", k.Desc, true}}
	case t.Column == query.ColumnField:
		switch t.Type {
		case entry.Integer, entry.Number:
			return []sortKey{{typed(s.value("p", t), "numeric"), "numeric", k.Desc, true}}
		case entry.Date:
			return []sortKey{{typed(s.value("p", t), "timestamptz"), "timestamptz", k.Desc, true}}
		default:
			return []sortKey{{"(" + s.value("p", t) + ` COLLATE "C")`, "text", k.Desc, true}}
		}
	}
	kind := "text"
	switch t.Type {
	case entry.Date:
		kind = "timestamptz"
	case entry.Integer:
		kind = "int"
	default:
	}
	return []sortKey{{s.column("p", t.Column), kind, k.Desc, false}}
}

// by is what follows ORDER BY; back is the opposite order.
func (o ordering) by(back bool) string {
	all := make([]string, len(o.keys))
	for i, k := range o.keys {
		all[i] = k.expr
		if k.desc != back {
			all[i] += " DESC"
		}
		switch {
		case k.nullable && back:
			all[i] += " NULLS FIRST"
		case k.nullable:
			all[i] += " NULLS LAST"
		}
	}
	return strings.Join(all, ", ")
}

// texts are the keys of a row as a position keeps them.
func (o ordering) texts() string {
	all := make([]string, len(o.keys))
	for i, k := range o.keys {
		all[i] = k.expr + "::text"
	}
	return "ARRAY[" + strings.Join(all, ", ") + "]"
}

// beyond is the condition of coming behind a position, or before it.
func (o ordering) beyond(at query.Position) string {
	var ways []string
	equal, bound := "", ""
	for i, k := range o.keys {
		value := at.Keys[i]
		if value == nil {
			if at.Back {
				ways = append(ways, equal+k.expr+" IS NOT NULL")
			}
			equal += k.expr + " IS NULL AND "
			continue
		}
		given := o.s.arg(*value) + "::text::" + k.kind
		sign := ">"
		if k.desc != at.Back {
			sign = "<"
		}
		way := k.expr + " " + sign + " " + given
		if i == 0 && !k.nullable {
			bound = k.expr + " " + sign + "= " + given + " AND "
		}
		if k.nullable && !at.Back {
			way = "(" + way + " OR " + k.expr + " IS NULL)"
		}
		ways = append(ways, equal+way)
		equal += k.expr + " = " + given + " AND "
	}
	if len(ways) == 0 {
		return "false"
	}
	return bound + "(" + strings.Join(ways, " OR ") + ")"
}
