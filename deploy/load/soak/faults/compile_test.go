package faults

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// listed is what `go list -export` says of a package.
type listed struct {
	ImportPath, Export string
	GoFiles            []string
}

// A patch that applies and does not compile would make every test red, and prove nothing.
func TestEveryFaultCompiles(t *testing.T) {
	t.Parallel()
	root := testkit.Repository(t)
	changed := map[string][]map[string][]byte{} // by folder, for each fault the files that it changes there
	for _, f := range everyFault(t) {
		files, err := f.Apply(root)
		require.NoError(t, err)
		folders := map[string]map[string][]byte{}
		for name, source := range files {
			folder := path.Dir(name)
			if folders[folder] == nil {
				folders[folder] = map[string][]byte{}
			}
			folders[folder][path.Base(name)] = source
		}
		for folder, files := range folders {
			changed[folder] = append(changed[folder], files)
		}
	}
	packages := list(t, root, slices.Collect(maps.Keys(changed)))
	all := token.NewFileSet()
	imports := importer.ForCompiler(all, "gc", func(name string) (io.ReadCloser, error) { return os.Open(packages[name].Export) })
	for folder, faults := range changed {
		p := packages["serein.app/"+folder]
		sources := map[string]*ast.File{}
		for _, name := range p.GoFiles {
			sources[name] = parsed(t, all, filepath.Join(root, folder, name), nil)
		}
		for _, files := range faults {
			patched := maps.Clone(sources)
			for name, source := range files {
				patched[name] = parsed(t, all, filepath.Join(root, folder, name), source)
			}
			_, err := (&types.Config{Importer: imports}).Check(p.ImportPath, all, slices.Collect(maps.Values(patched)), nil)
			require.NoError(t, err, "of %v", slices.Collect(maps.Keys(files)))
		}
	}
}

// list compiles the folders' packages and all that they import, and says where the compiler has put what each exports.
func list(t *testing.T, root string, folders []string) map[string]listed {
	t.Helper()
	args := []string{"list", "-deps", "-export", "-json=ImportPath,Export,GoFiles"}
	for _, folder := range folders {
		args = append(args, "./"+folder)
	}
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir, command.Stderr = root, os.Stderr
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	packages := map[string]listed{}
	for read := json.NewDecoder(out); ; {
		var p listed
		if err := read.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		packages[p.ImportPath] = p
	}
	require.NoError(t, command.Wait())
	return packages
}

// parsed reads a Go file, or the source that stands for it.
func parsed(t *testing.T, all *token.FileSet, name string, source []byte) *ast.File {
	t.Helper()
	var from any
	if source != nil {
		from = source
	}
	file, err := parser.ParseFile(all, name, from, parser.SkipObjectResolution)
	require.NoError(t, err)
	return file
}
