package conventions

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/stack"
	"serein.app/services/testkit"
)

func TestTheListOfServicesIsThatOfTheTree(t *testing.T) {
	t.Parallel()
	require.ElementsMatch(t, testkit.Services(t), stack.Programs())
	require.ElementsMatch(t, slices.DeleteFunc(testkit.Services(t), func(name string) bool { return name == "gateway" }), stack.Services())
	for _, name := range stack.Databases() {
		require.NotEmpty(t, sources(t, "services/"+name+"/sqlc.yaml"), name)
	}
}

// A service that needs nothing of this machine but what all get is shown by basket: beside its
// own tree, its contracts and its callers (the gateway and the app), it is named by the list, by
// the modules, and where all contracts are listed.
func TestAFurtherServiceCostsOneLineInTheList(t *testing.T) {
	t.Parallel()
	own := []string{"services/basket/", "proto/", "gateway/", "frontend/"}
	lines := map[string]int{}
	for path, source := range sources(t, ".go", "go.mod", "go.work", "Makefile", ".sh", ".yaml", ".yml", ".json", ".ci/run") {
		if isTest(path) && !strings.HasSuffix(path, "go.mod") || slices.ContainsFunc(own, func(o string) bool { return strings.HasPrefix(path, o) }) {
			continue
		}
		if n := len(regexp.MustCompile(`(?m)^.*\bbasket\b.*$`).FindAllString(source, -1)); n > 0 {
			lines[path] = n
		}
	}
	require.Equal(t, map[string]int{
		"go.work":                        1,
		"deploy/local/go.mod":            2, // require and replace
		"deploy/e2e/go.mod":              2,
		"deploy/load/go.mod":             2,
		"deploy/local/stack/programs.go": 2, // the import and the line in the list
	}, lines)
}

// Nobody else keeps a list of services: outside their own trees no source writes three of their
// names into one literal.
func TestThereIsNoSecondListOfServices(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, name := range testkit.Services(t) {
		names[`"`+name+`"`] = true
	}
	for path, source := range sources(t, ".go") {
		if !strings.HasPrefix(path, "deploy/") && !strings.HasPrefix(path, "services/platform/") && !strings.HasPrefix(path, "services/testkit/") {
			continue
		}
		ast.Inspect(parse(t, path, source), func(n ast.Node) bool {
			list, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			found := 0
			for _, element := range list.Elts {
				if text, ok := element.(*ast.BasicLit); ok && names[text.Value] {
					found++
				}
			}
			require.Less(t, found, 3, "%s lists services", path)
			return true
		})
	}
}
