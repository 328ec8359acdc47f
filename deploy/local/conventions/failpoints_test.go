package conventions

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const failpointList = "services/platform/failpoint/points.go"

// points.go says what each failpoint leaves half done. A failpoint that it does not list is not found there, and one that no code passes
// kills nothing.
func TestTheListOfFailpointsIsWhatTheCodePasses(t *testing.T) {
	t.Parallel()
	all := sources(t, ".go")
	listed, passed := map[string]bool{}, map[string]bool{}
	ast.Inspect(parse(t, failpointList, all[failpointList]), func(n ast.Node) bool {
		if constant, ok := n.(*ast.ValueSpec); ok {
			listed[constant.Names[0].Name] = true
		}
		return true
	})
	for path, source := range all {
		if isTest(path) || !strings.Contains(source, "failpoint.Pass(") {
			continue
		}
		ast.Inspect(parse(t, path, source), func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && ofFailpoints(call.Fun) == "Pass" {
				point := ofFailpoints(call.Args[0])
				require.NotEmpty(t, point, "%s passes a failpoint that is not one of %s", path, failpointList)
				passed[point] = true
			}
			return true
		})
	}
	require.NotEmpty(t, passed)
	require.Equal(t, listed, passed)
}

// ofFailpoints is X of the expression failpoint.X, and empty for any other.
func ofFailpoints(e ast.Expr) string {
	selected, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if of, ok := selected.X.(*ast.Ident); !ok || of.Name != "failpoint" {
		return ""
	}
	return selected.Sel.Name
}
