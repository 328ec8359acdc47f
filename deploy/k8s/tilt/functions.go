package tilt

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

//go:embed functions.txt
var table string

// function is one that a Tiltfile may call.
type function struct {
	name       string
	parameters []parameter
	// gives is what it gives: nothing, "value" for a value that another function takes, or what results.go makes.
	gives string
}

type parameter struct {
	name, kind string
	optional   bool
}

// functions are those of the table.
func functions() (found []function) {
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		head, gives, _ := strings.Cut(strings.TrimSpace(line), " = ")
		fields := strings.Fields(head)
		f := function{name: fields[0], gives: gives}
		for _, field := range fields[1:] {
			name, kind, _ := strings.Cut(field, ":")
			f.parameters = append(f.parameters, parameter{strings.TrimSuffix(name, "?"), kind, strings.HasSuffix(name, "?")})
		}
		found = append(found, f)
	}
	return found
}

// bind gives the arguments of a call by their names.
func (f function) bind(args starlark.Tuple, kwargs []starlark.Tuple) (map[string]starlark.Value, error) {
	if len(args) > len(f.parameters) {
		return nil, fmt.Errorf("%s takes %d arguments at most, not %d", f.name, len(f.parameters), len(args))
	}
	got := map[string]starlark.Value{}
	for i, value := range args {
		got[f.parameters[i].name] = value
	}
	for _, pair := range kwargs {
		name, _ := starlark.AsString(pair[0])
		if !slices.ContainsFunc(f.parameters, func(p parameter) bool { return p.name == name }) {
			return nil, fmt.Errorf("%s has no argument %q", f.name, name)
		}
		if got[name] != nil {
			return nil, fmt.Errorf("%s gets its argument %q twice", f.name, name)
		}
		got[name] = pair[1]
	}
	for _, p := range f.parameters {
		if got[p.name] == nil && !p.optional {
			return nil, fmt.Errorf("%s needs its argument %q", f.name, p.name)
		}
	}
	return got, nil
}
