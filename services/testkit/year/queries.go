package year

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

// Values are what queries are run with, by the name of the parameter ("uid") or, where one query needs
// another value, of query and parameter ("Claim.lease").
type Values map[string]any

// CheckQueries checks every query that sqlc has made in a folder: one that is added and has a parameter
// without a value fails.
func (y *Year) CheckQueries(folder string, values Values) {
	y.tb.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.sql.go"))
	require.NoError(y.tb, err)
	require.NotEmpty(y.tb, files, folder)
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(y.tb, err)
		texts := constants(parsed)
		for _, q := range calls(parsed) {
			args := make([]any, len(q.params))
			for i, param := range q.params {
				value, known := values[q.name+"."+param]
				if !known {
					value, known = values[param]
				}
				require.True(y.tb, known, "%s has a parameter %s, and the test no value for it", q.name, param)
				args[i] = value
			}
			y.Check(q.name, texts[q.text], args...)
		}
	}
}

// constants are a file's texts, by their names.
func constants(file *ast.File) map[string]string {
	found := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
			if text, ok := spec.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
				found[spec.Names[0].Name], _ = strconv.Unquote(text.Value)
			}
		}
		return true
	})
	return found
}

type query struct {
	name, text string
	params     []string
}

// calls are the queries of a file, each with its parameters in their order.
func calls(file *ast.File) (found []query) {
	for _, decl := range file.Decls {
		method, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(method, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isQuery(call) {
				return true
			}
			text, _ := call.Args[1].(*ast.Ident)
			q := query{name: method.Name.Name, text: text.Name}
			for _, arg := range call.Args[2:] {
				q.params = append(q.params, paramName(arg))
			}
			found = append(found, q)
			return false
		})
	}
	return found
}

// isQuery says whether the call is db.Exec, db.Query or db.QueryRow.
func isQuery(call *ast.CallExpr) bool {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) < 2 {
		return false
	}
	on, ok := method.X.(*ast.Ident)
	return ok && on.Name == "db" && (method.Sel.Name == "Exec" || strings.HasPrefix(method.Sel.Name, "Query"))
}

// paramName is "uid" for uid and for arg.Uid.
func paramName(arg ast.Expr) string {
	switch a := arg.(type) {
	case *ast.SelectorExpr:
		return strings.ToLower(a.Sel.Name)
	case *ast.Ident:
		return strings.ToLower(a.Name)
	}
	return ""
}
