// Package tilt evaluates the Tiltfile without Tilt: an interpreter of Starlark that knows the functions that Tilt documents, with their
// arguments, and rules for what the calls say together. It owns what a Tiltfile of Serein may be; the manifests' own rules are those of
// the package check, and what Tilt does with it all nobody tries here.
package tilt

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"

	"serein.app/deploy/k8s/check"
)

// World is what a Tiltfile sees of the machine.
type World struct {
	// Root is the folder of the Tiltfile, which is the repository's.
	Root string
	// Prints gives what a command prints that is run while the Tiltfile is evaluated.
	Prints func(command []string) (string, error)
	// Overlay gives what a folder of manifests renders to.
	Overlay func(folder string) (*check.Installation, error)
}

// Plan is what a Tiltfile asks Tilt for.
type Plan struct {
	world World
	// Calls of Tilt's functions, in order.
	Calls []Call
	// installation is what the overlay renders to.
	installation *check.Installation
	// objects are all that k8s_yaml was given.
	objects []object
	// made are folders that a command of the Tiltfile makes.
	made []string
}

// dialect is the Starlark that Tilt reads.
var dialect = &syntax.FileOptions{Set: true, GlobalReassign: true, Recursion: true, TopLevelControl: true, While: true}

// Evaluate runs a Tiltfile. Its error is what Tilt would refuse, or a path that does not exist.
func Evaluate(world World, text string) (*Plan, error) {
	plan := &Plan{world: world}
	thread := &starlark.Thread{
		Name:  "Tiltfile",
		Print: func(*starlark.Thread, string) {},
		Load: func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
			return nil, fmt.Errorf("it loads %q: there is one Tiltfile, and no extension", module)
		},
	}
	_, err := starlark.ExecFileOptions(dialect, thread, "Tiltfile", text, plan.globals())
	return plan, err
}

// globals are all names that a Tiltfile finds.
func (p *Plan) globals() starlark.StringDict {
	flat := starlark.StringDict{
		"TRIGGER_MODE_AUTO": triggerMode("auto"), "TRIGGER_MODE_MANUAL": triggerMode("manual"),
		"struct": starlark.NewBuiltin("struct", starlarkstruct.Make), "os.path.join": starlark.NewBuiltin("os.path.join", join),
		"config.main_dir": starlark.String(p.world.Root), "config.main_path": starlark.String(filepath.Join(p.world.Root, "Tiltfile")),
		"config.tilt_subcommand": starlark.String("up"), "os.name": starlark.String("posix"), "os.environ": starlark.NewDict(0),
	}
	for _, f := range functions() {
		flat[f.name] = starlark.NewBuiltin(f.name, p.builtin(f))
	}
	return nested(flat)
}

// nested puts names such as os.path.join into modules.
func nested(flat starlark.StringDict) starlark.StringDict {
	found, modules := starlark.StringDict{}, map[string]starlark.StringDict{}
	for name, value := range flat {
		module, rest, inside := strings.Cut(name, ".")
		if !inside {
			found[name] = value
			continue
		}
		if modules[module] == nil {
			modules[module] = starlark.StringDict{}
		}
		modules[module][rest] = value
	}
	for name, members := range modules {
		found[name] = &starlarkstruct.Module{Name: name, Members: nested(members)}
	}
	return found
}

// builtin is a function as Starlark calls it: it checks the arguments and notes the call.
func (p *Plan) builtin(f function) func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		got, err := f.bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		for _, parameter := range f.parameters {
			if got[parameter.name] == nil {
				continue
			}
			if err := parameter.fits(got[parameter.name]); err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			if err := p.exist(parameter, got[parameter.name]); err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
		}
		call := Call{f.name, got, thread.CallFrame(1).Pos}
		p.Calls = append(p.Calls, call)
		return p.result(f, call)
	}
}

// exist looks for the files and folders that an argument names.
func (p *Plan) exist(of parameter, v starlark.Value) error {
	if of.kind != "path" && of.kind != "paths" {
		return nil
	}
	for _, path := range texts(v) {
		below := func(folder string) bool { return within(folder, path) }
		if _, err := os.Stat(p.path(path)); err != nil && !slices.ContainsFunc(p.made, below) {
			return fmt.Errorf("%s: %s: %w", of.name, path, fs.ErrNotExist)
		}
	}
	return nil
}

// path is where a path of the Tiltfile leads.
func (p *Plan) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.world.Root, name)
}

// within says whether a path is a folder or lies below it.
func within(folder, path string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && below != ".." && !strings.HasPrefix(below, "../")
}

// named are the calls of a function.
func (p *Plan) named(names ...string) (found []Call) {
	for _, call := range p.Calls {
		if slices.Contains(names, call.Name) {
			found = append(found, call)
		}
	}
	return found
}
