package query

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a query string: those of the library that the contract's clients write it with.
const (
	maxParams  = 1000
	maxDepth   = 5  // of brackets in a name
	maxInLists = 20 // elements of a list in brackets
)

// param is one parameter: fields.title[in]=a,b has the path [fields title] and the operator in.
type param struct {
	path   []string
	op     string
	values []string
	// listed says that the values are elements of a list in brackets: [in][]=a&[in][]=b.
	listed bool
}

func (p param) name() string { return strings.Join(p.path, ".") }

// Values reads a query string, within the limits.
func Values(raw string) (url.Values, error) {
	if strings.Count(raw, "&") >= maxParams {
		return nil, bad("A query has %d parameters at most.", maxParams)
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, bad("The query string is not well formed.")
	}
	for name, given := range values {
		if !isText(name) || slices.ContainsFunc(given, func(v string) bool { return !isText(v) }) {
			return nil, bad("The query string is not UTF-8 without zero bytes.")
		}
	}
	return values, nil
}

func isText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// params takes names apart, in the order of the names. A parameter without a value is none.
func params(values url.Values) ([]param, error) {
	found := map[string]*param{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		given := slices.DeleteFunc(slices.Clone(values[name]), func(v string) bool { return v == "" })
		if len(given) == 0 {
			continue
		}
		path, groups, err := brackets(name)
		if err != nil {
			return nil, err
		}
		p, err := newParam(path, groups)
		if err != nil {
			return nil, err
		}
		if err := gather(found, p, given); err != nil {
			return nil, err
		}
	}
	all := make([]param, 0, len(found))
	for _, key := range slices.Sorted(maps.Keys(found)) {
		all = append(all, *found[key])
	}
	return all, nil
}

// gather joins what was given for one path and operator.
func gather(found map[string]*param, p param, given []string) error {
	key := p.name() + "[" + p.op
	if known, ok := found[key]; ok {
		if !known.listed || !p.listed {
			return bad("The parameter %q was given more than once.", p.name())
		}
	} else {
		found[key] = &p
	}
	all := found[key]
	all.values = append(all.values, given...)
	if !all.listed && len(all.values) > 1 {
		return bad("The parameter %q was given more than once.", p.name())
	}
	if len(all.values) > maxInLists {
		return bad("A list in brackets has %d elements at most.", maxInLists)
	}
	return nil
}

// brackets splits name[a][b] into its path and what is in the brackets.
func brackets(name string) (path, groups []string, err error) {
	base, rest, _ := strings.Cut(name, "[")
	path = strings.Split(base, ".")
	if base == name {
		return path, nil, nil
	}
	if strings.Count(name, "[") > maxDepth {
		return nil, nil, bad("Parameters are nested %d levels deep at most.", maxDepth)
	}
	inner, closed := strings.CutSuffix(rest, "]")
	groups = strings.Split(inner, "][")
	if !closed || strings.ContainsAny(strings.Join(groups, ""), "[]") {
		return nil, nil, unknown([]string{name})
	}
	return path, groups, nil
}

// newParam understands the brackets: an operator, and behind it the place in a list. A list without an operator is
// how clients write order[]=a&order[]=b.
func newParam(path, groups []string) (param, error) {
	p := param{path: path}
	if len(groups) > 0 && !isPlace(groups[0]) {
		p.op, groups = groups[0], groups[1:]
	}
	switch {
	case len(groups) == 0:
		return p, nil
	case len(groups) > 1 || !isPlace(groups[0]):
		return p, unknown(append(slices.Clone(path), groups...))
	}
	p.listed = true
	if at, err := strconv.Atoi(groups[0]); groups[0] != "" && (err != nil || at >= maxInLists) {
		return p, bad("A list in brackets has %d elements at most.", maxInLists)
	}
	return p, nil
}

// isPlace says whether a bracket holds the place of an element: nothing, or its number.
func isPlace(group string) bool {
	return strings.Trim(group, "0123456789") == ""
}
