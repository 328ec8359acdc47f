package conventions

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
	"serein.app/services/testkit/mutants"
)

// A planted fault that the list does not know is never switched on, and one that the code has lost lets its test go red no more.
func TestEveryPlantedFaultIsListedAndEveryListedOneIsPlanted(t *testing.T) {
	t.Parallel()
	var planted, prefixes []string
	for path, source := range sources(t, ".go") {
		if isTest(path) || !strings.Contains(source, "mutant.On(") {
			continue
		}
		ast.Inspect(parse(t, path, source), func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !asksFor(call, "mutant", "On") {
				return true
			}
			name, whole := faultName(t, path, call.Args[0])
			if whole {
				planted = append(planted, name)
			} else {
				prefixes = append(prefixes, name)
			}
			return true
		})
	}
	var listed []string
	for _, m := range mutants.All {
		require.NotContains(t, listed, m.Name, "listed twice")
		require.NotEmpty(t, m.Does, m.Name)
		listed = append(listed, m.Name)
		require.True(t, slices.Contains(planted, m.Name) || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(m.Name, p) }),
			"no code asks for %s", m.Name)
	}
	require.Subset(t, listed, planted)
	for _, prefix := range prefixes {
		require.True(t, slices.ContainsFunc(listed, func(name string) bool { return strings.HasPrefix(name, prefix) }), "%s…", prefix)
	}
}

func TestEveryPlantedFaultNamesATestThatIsThere(t *testing.T) {
	t.Parallel()
	for _, m := range mutants.All {
		files, err := filepath.Glob(filepath.Join(testkit.Repository(t), filepath.FromSlash(m.Package), "*_test.go"))
		require.NoError(t, err)
		declared := regexp.MustCompile(`(?m)^func ` + m.Test + `\(t \*testing\.T\)`)
		require.True(t, slices.ContainsFunc(files, func(file string) bool {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			return declared.Match(source)
		}), "%s has no %s for %s", m.Package, m.Test, m.Name)
	}
}

// asksFor says whether it is a call of a package's function.
func asksFor(call *ast.CallExpr, pkg, function string) bool {
	called, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || called.Sel.Name != function {
		return false
	}
	of, ok := called.X.(*ast.Ident)
	return ok && of.Name == pkg
}

// faultName is what a fault is called, or what the names of several begin with.
func faultName(t *testing.T, path string, arg ast.Expr) (name string, whole bool) {
	t.Helper()
	if sum, ok := arg.(*ast.BinaryExpr); ok {
		arg = sum.X
		defer func() { whole = false }()
	}
	text, ok := arg.(*ast.BasicLit)
	require.True(t, ok && text.Kind == token.STRING, "%s: a planted fault is called by a name that can be read", path)
	name, err := strconv.Unquote(text.Value)
	require.NoError(t, err)
	return name, true
}
