package tilt

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// steps are the functions that give a step of a live update.
var steps = []string{"initial_sync", "fall_back_on", "sync", "run", "restart_container"}

// kinds say what a value of a type of functions.txt is. A type that is not here is the name of the function that gives it.
var kinds = map[string]func(starlark.Value) bool{
	"any":          func(starlark.Value) bool { return true },
	"bool":         func(v starlark.Value) bool { return v.Type() == "bool" },
	"int":          func(v starlark.Value) bool { return v.Type() == "int" },
	"string":       isText,
	"path":         isText,
	"text":         func(v starlark.Value) bool { return isText(v) || v.Type() == "blob" },
	"strings":      textOrTexts,
	"paths":        textOrTexts,
	"command":      textOrTexts,
	"yaml":         func(v starlark.Value) bool { return textOrTexts(v) || v.Type() == "blob" },
	"dict":         isDict,
	"function":     func(v starlark.Value) bool { _, ok := v.(starlark.Callable); return ok },
	"trigger_mode": func(v starlark.Value) bool { _, ok := v.(triggerMode); return ok },
	"step":         func(v starlark.Value) bool { return slices.Contains(steps, v.Type()) },
	"ports":        func(v starlark.Value) bool { return all(v, "port_forward", "int", "string") },
	"links":        func(v starlark.Value) bool { return all(v, "link", "string") },
}

// triggerMode is TRIGGER_MODE_AUTO or TRIGGER_MODE_MANUAL.
type triggerMode string

func (t triggerMode) String() string        { return string(t) }
func (t triggerMode) Type() string          { return "trigger_mode" }
func (t triggerMode) Freeze()               {}
func (t triggerMode) Truth() starlark.Bool  { return true }
func (t triggerMode) Hash() (uint32, error) { return starlark.String(t).Hash() }

// fits says what is wrong with the type of an argument.
func (p parameter) fits(v starlark.Value) error {
	kind, list := strings.CutSuffix(p.kind, "[]")
	if list {
		if _, ok := v.(starlark.Sequence); !ok || isDict(v) {
			return fmt.Errorf("%s wants a list, not %s", p.name, v.Type())
		}
		for _, element := range elements(v) {
			if !is(kind, element) {
				return fmt.Errorf("%s wants a list of %s, not of %s", p.name, kind, element.Type())
			}
		}
		return nil
	}
	if !is(kind, v) {
		return fmt.Errorf("%s wants %s, not %s", p.name, kind, v.Type())
	}
	return nil
}

func is(kind string, v starlark.Value) bool {
	if known := kinds[kind]; known != nil {
		return known(v)
	}
	return v.Type() == kind
}

func isText(v starlark.Value) bool { return v.Type() == "string" }

func isDict(v starlark.Value) bool { return v.Type() == "dict" }

func textOrTexts(v starlark.Value) bool { return all(v, "string") }

// all says whether a value, or each element of a list, is of one of the types.
func all(v starlark.Value, types ...string) bool {
	return !slices.ContainsFunc(elements(v), func(element starlark.Value) bool { return !slices.Contains(types, element.Type()) })
}
