package query

import (
	"slices"

	"serein.app/services/content/internal/entry"
)

// Op is a filter's operator, as in brackets.
type Op string

// The operators.
const (
	Eq     Op = ""
	Ne     Op = "ne"
	In     Op = "in"
	Nin    Op = "nin"
	All    Op = "all"
	Exists Op = "exists"
	Lt     Op = "lt"
	Lte    Op = "lte"
	Gt     Op = "gt"
	Gte    Op = "gte"
	Match  Op = "match"
	Near   Op = "near"
	Within Op = "within"
)

var (
	equality = []Op{Eq, Ne, In, Nin, Exists}
	ranges   = append(slices.Clone(equality), Lt, Lte, Gt, Gte)
	texts    = append(slices.Clone(equality), All, Match)
)

// ops are the operators of a target's type.
func (t Target) ops() []Op {
	switch {
	case t.Whole:
		return []Op{Exists}
	case t.Column == ColumnTags || t.Column == ColumnConcepts:
		return []Op{All, In, Nin}
	case t.Column == ColumnDescendants:
		return []Op{In}
	case t.Column != ColumnField && t.Column != ColumnName && t.Type == entry.Symbol:
		return equality
	case t.Type == entry.LinkType && t.List:
		return append(slices.Clone(equality), All)
	}
	switch t.Type {
	case entry.Symbol, entry.Text:
		return texts
	case entry.Integer, entry.Number, entry.Date:
		return ranges
	case entry.Boolean, entry.LinkType:
		return equality
	case entry.RichText:
		return []Op{Exists, Match}
	case entry.Location:
		return []Op{Exists, Near, Within}
	default:
		return []Op{Exists}
	}
}

// takesList says whether the operator has several values.
func (o Op) takesList() bool { return o == In || o == Nin || o == All }

// known says whether there is such an operator at all.
func (o Op) known() bool {
	return slices.Contains(texts, o) || slices.Contains(ranges, o) || o == Near || o == Within
}

// word names the operator in refusals.
func (o Op) word() string {
	if o == Eq {
		return "equals"
	}
	return string(o)
}
