package tilt

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Call is one call of a function of Tilt's.
type Call struct {
	Name     string
	Args     map[string]starlark.Value
	Position syntax.Position
}

// String says where the call stands.
func (c Call) String() string { return fmt.Sprintf("line %d: %s", c.Position.Line, c.Name) }

// text is an argument that is a string; empty where it was left out.
func (c Call) text(name string) string {
	found, _ := starlark.AsString(c.Args[name])
	return found
}

// list is an argument that is a list of strings, or one string alone.
func (c Call) list(name string) []string { return texts(c.Args[name]) }

// values are the calls that have made the values of an argument that is a list, or one value alone.
func (c Call) values(name string) (found []Call) {
	for _, element := range elements(c.Args[name]) {
		if made, ok := element.(value); ok {
			found = append(found, made.Call)
		}
	}
	return found
}

// off says whether an argument is False.
func (c Call) off(name string) bool { return c.Args[name] == starlark.False }

// value is what a function such as sync or port_forward gives: another function takes it.
type value struct{ Call }

func (v value) Type() string          { return v.Name }
func (v value) Freeze()               {}
func (v value) Truth() starlark.Bool  { return true }
func (v value) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: %s", v.Name) }

// blob is text that is no path: the output of a command, the content of a file.
type blob string

func (b blob) String() string        { return string(b) }
func (b blob) Type() string          { return "blob" }
func (b blob) Freeze()               {}
func (b blob) Truth() starlark.Bool  { return b != "" }
func (b blob) Hash() (uint32, error) { return starlark.String(b).Hash() }

// elements are those of a list or tuple; a value that is neither is the only one.
func elements(v starlark.Value) (found []starlark.Value) {
	sequence, ok := v.(starlark.Sequence)
	if _, isDict := v.(*starlark.Dict); !ok || isDict {
		if v == nil {
			return nil
		}
		return []starlark.Value{v}
	}
	for element := range starlark.Elements(sequence) {
		found = append(found, element)
	}
	return found
}

// texts are the strings among the elements of a value.
func texts(v starlark.Value) (found []string) {
	for _, element := range elements(v) {
		if text, ok := starlark.AsString(element); ok {
			found = append(found, text)
		}
	}
	return found
}
