package metrics

import (
	"go/ast"
	"go/token"
	"strconv"
)

// texts are those that the constants and variables of a file hold.
type texts map[string]string

func textsOf(file *ast.File) texts {
	found := texts{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, value := range n.Values {
				found.note(n.Names[i], value)
			}
		case *ast.AssignStmt:
			for i, value := range n.Rhs {
				if name, ok := n.Lhs[i].(*ast.Ident); ok {
					found.note(name, value)
				}
			}
		}
		return true
	})
	return found
}

// note keeps the text of a name, if its value is one.
func (t texts) note(name *ast.Ident, value ast.Expr) {
	if _, copied := value.(*ast.Ident); copied {
		return
	}
	if text := t.of(value); text != "" {
		t[name.Name] = text
	}
}

// of is the text that an expression comes to; a name whose value the file does not tell stands as <name>. Empty: it is no text.
func (t texts) of(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value) // the compiler has read it
			return text
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return t.of(e.X) + t.of(e.Y)
		}
	case *ast.Ident:
		if text, known := t[e.Name]; known {
			return text
		}
		return "<" + e.Name + ">"
	}
	return ""
}
