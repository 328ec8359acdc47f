package query

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"serein.app/services/content/internal/entry"
)

// maxValues of a list.
const maxValues = 1000

// newFilter checks an operator and its values against what the target is.
func newFilter(t Target, op Op, param param) (Filter, error) {
	if !slices.Contains(t.ops(), op) {
		return Filter{}, wrongOp(t, op, param.path)
	}
	f := Filter{Target: t, Op: op}
	var err error
	switch op {
	case Exists:
		f.Values, err = boolean(param.path, param.values[0])
	case Match:
		if f.Values, err = words(param.values[0]); err == nil && len(f.Values) == 0 {
			err = wrongValue(param.path, "Text", param.values[0])
		}
	case Near:
		f.Values, err = place(param, 2)
	case Within:
		f.Values, err = place(param, 4, 3)
	default:
		given := list(param, op)
		if len(given) > maxValues {
			return f, bad("A list has %d values at most.", maxValues)
		}
		for _, text := range given {
			value, ok := convert(t.Type, text)
			if !ok {
				return f, wrongValue(param.path, t.kind(), text)
			}
			f.Values = append(f.Values, value)
		}
	}
	return f, err
}

func wrongOp(t Target, op Op, path []string) *Error {
	kind := t.kind()
	if t.Whole && t.Column == ColumnField {
		kind = string(entry.LinkType)
	}
	return refuse(Detail{Name: op.word(), Path: path, Type: kind, Details: fmt.Sprintf("%s fields do not support %s.", kind, op.word())})
}

// list splits a,b; elements of a list in brackets stay whole.
func list(param param, op Op) []string {
	if param.listed || !op.takesList() {
		return param.values
	}
	return strings.Split(param.values[0], ",")
}

// convert reads a value of a type.
func convert(t entry.Type, text string) (value any, ok bool) {
	switch t {
	case entry.Integer:
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	case entry.Number:
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
	case entry.Boolean:
		return text == "true", text == "true" || text == "false"
	case entry.Date:
		at, ok := entry.ParseDate(text)
		return at.UTC(), ok && at.Year() > 0 && at.Year() < 10_000
	default:
		return text, true
	}
}

func boolean(path []string, text string) ([]any, error) {
	value, ok := convert(entry.Boolean, text)
	if !ok {
		return nil, wrongValue(path, "Boolean", text)
	}
	return []any{value}, nil
}

// place reads coordinates, as many as one of counts says: latitude and longitude by turns.
func place(param param, counts ...int) ([]any, error) {
	parts := strings.Split(param.values[0], ",")
	wrong := wrongValue(param.path, "Location", param.values[0])
	if !slices.Contains(counts, len(parts)) {
		return nil, wrong
	}
	values := make([]any, len(parts))
	for i, part := range parts {
		n, ok := convert(entry.Number, strings.TrimSpace(part))
		value, _ := n.(float64)
		if !ok || !inBounds(i, value) {
			return nil, wrong
		}
		values[i] = value
	}
	return values, nil
}

// inBounds says whether the i-th coordinate may have that value; the third of a circle is its radius in kilometres.
func inBounds(i int, value float64) bool {
	if i%2 == 1 {
		return math.Abs(value) <= 180
	}
	return math.Abs(value) <= 90 || (i == 2 && value >= 0 && value <= halfRound)
}

// halfRound is how far the furthest place on Earth lies, in kilometres.
const halfRound = 20_040
