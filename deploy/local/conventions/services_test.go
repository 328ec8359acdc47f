package conventions

import (
	"go/ast"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/stack"
	"serein.app/services/testkit"
)

func TestTheListOfServicesIsThatOfTheTree(t *testing.T) {
	t.Parallel()
	programs, err := filepath.Glob(filepath.Join(testkit.Repository(t), "services", "*", "cmd", "*"))
	require.NoError(t, err)
	names := []string{"gateway"}
	for _, program := range programs {
		names = append(names, filepath.Base(program))
	}
	require.ElementsMatch(t, names, stack.Programs())
	require.ElementsMatch(t, names, testkit.Services())
	require.ElementsMatch(t, slices.DeleteFunc(testkit.Services(), func(name string) bool { return name == "gateway" }), stack.Services())
	for _, name := range stack.Databases() {
		require.NotEmpty(t, sources(t, "services/"+name+"/sqlc.yaml"), name)
	}
}

// A service that needs nothing of this machine but what all get is shown by basket: beside its
// own tree, its contracts and its callers (the gateway and the app), it is named by the list and by that of testkit. Tests are left out, as are what storms and measures it, the table of who may call its contract
// and the words that members and editors read.
func TestAFurtherServiceCostsOneLineInEachOfTheTwoLists(t *testing.T) {
	t.Parallel()
	own := []string{
		"services/basket/", "proto/", "gateway/", "frontend/", "services/content/seed/",
		"deploy/k8s/", // a folder of manifests each, held to the tree by its own tests
		"deploy/e2e/purchases/", "deploy/e2e/promises/", "deploy/e2e/suite/", "deploy/load/baskets.go", "deploy/load/selling.go",
	}
	lines := map[string]int{}
	for path, source := range sources(t, ".go", "go.mod", "go.work", "Makefile", ".sh", ".yaml", ".yml", ".json", ".ci/run") {
		if strings.HasSuffix(path, "_test.go") || slices.ContainsFunc(own, func(o string) bool { return strings.HasPrefix(path, o) }) {
			continue
		}
		if n := len(regexp.MustCompile(`(?m)^.*\bbasket\b.*$`).FindAllString(source, -1)); n > 0 {
			lines[path] = n
		}
	}
	require.Equal(t, map[string]int{
		"deploy/local/stack/programs.go":            2, // the import and the line in the list
		"services/testkit/services.go":              1, // of tests, which cannot import the stack
		"services/content/internal/rpc/get_shop.go": 1, // it may ask what is sold
	}, lines)
}

// Nobody keeps a third list of services: outside their own trees no source but these two writes three of their names into one literal.
func TestThereIsNoThirdListOfServices(t *testing.T) {
	t.Parallel()
	names := testkit.Services()
	for path, source := range sources(t, ".go") {
		elsewhere := !strings.HasPrefix(path, "deploy/") && !strings.HasPrefix(path, "services/platform/") && !strings.HasPrefix(path, "services/testkit/")
		if elsewhere || path == "services/testkit/services.go" {
			continue
		}
		require.Less(t, longestList(parse(t, path, source), names), 3, "%s lists services", path)
	}
}

// longestList is how many of the names the literal has that has most of them, be they its elements,
// its keys or words of its text.
func longestList(file *ast.File, names []string) (longest int) {
	ast.Inspect(file, func(n ast.Node) bool {
		found := map[string]bool{}
		switch literal := n.(type) {
		case *ast.CompositeLit:
			for _, element := range literal.Elts {
				if pair, ok := element.(*ast.KeyValueExpr); ok {
					note(found, pair.Key, names)
					element = pair.Value
				}
				note(found, element, names)
			}
		case *ast.BasicLit:
			for _, word := range strings.FieldsFunc(literal.Value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				if slices.Contains(names, word) {
					found[word] = true
				}
			}
		}
		longest = max(longest, len(found))
		return true
	})
	return longest
}

// note adds what is written as one of the names.
func note(found map[string]bool, n ast.Expr, names []string) {
	if text, ok := n.(*ast.BasicLit); ok && slices.Contains(names, strings.Trim(text.Value, "\"`")) {
		found[text.Value] = true
	}
}
