package conventions

import (
	_ "embed"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// libraries has a line for each library that programs of services are built with: its Go module, and which folders of services import it.
// "every" leaves it to each of them.
//
//go:embed testdata/libraries.tsv
var libraries string

// All services share one go.mod, which does not show that the program that sends letters is built with the SDK of the payment provider.
func TestOnlyTheServicesOfItsLineImportALibrary(t *testing.T) {
	t.Parallel()
	imported := importers(t)
	for line := range strings.Lines(libraries) {
		library, folders, _ := strings.Cut(strings.TrimSpace(line), "\t")
		require.NotEmpty(t, imported[library], "no service imports %s", library)
		if folders != "every" {
			require.Equal(t, strings.Fields(folders), slices.Sorted(maps.Keys(imported[library])), library)
		}
		delete(imported, library)
	}
	require.Empty(t, imported, "testdata/libraries.tsv has no line for them")
}

// importers are the folders of services that import a library, by the library's module. Tests are left out.
func importers(t *testing.T) map[string]map[string]bool {
	t.Helper()
	found, moduleOf := map[string]map[string]bool{}, map[string]string{}
	for _, p := range packagesOfPrograms(t) {
		path, module, imports := p[0], p[1], strings.Fields(p[2])
		moduleOf[path] = module
		folder := owner(strings.TrimPrefix(path, "serein.app/"))
		if folder == "" {
			continue
		}
		for _, imported := range imports {
			library := moduleOf[imported]
			if library == "" || strings.HasPrefix(library, "serein.app/") {
				continue // the standard library, or ours
			}
			if found[library] == nil {
				found[library] = map[string]bool{}
			}
			found[library][folder] = true
		}
	}
	return found
}

// packagesOfPrograms are the packages that the programs of services are built from: path, module and imports. An imported package comes
// before those that import it.
func packagesOfPrograms(t *testing.T) (packages [][]string) {
	t.Helper()
	programs, err := filepath.Glob(filepath.Join(testkit.Repository(t), "services", "*", "cmd", "*"))
	require.NoError(t, err)
	list := append([]string{"list", "-deps", "-f", "{{.ImportPath}}\t{{with .Module}}{{.Path}}{{end}}\t{{join .Imports \" \"}}"}, programs...)
	printed, err := exec.CommandContext(t.Context(), "go", list...).Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(printed)) {
		packages = append(packages, strings.Split(line, "\t"))
	}
	return packages
}
