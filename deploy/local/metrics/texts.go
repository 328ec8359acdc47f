package metrics

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"strconv"
)

// texts are those that constants and variables hold, by their names.
type texts map[string]string

// constantsOf are the texts of a package's constants. folder has its files, among others.
func constantsOf(repository fs.FS, folder string) (texts, error) {
	found := texts{}
	paths, err := fs.Glob(repository, path.Join(filepath.ToSlash(folder), "*.go"))
	for _, name := range paths {
		text, rerr := fs.ReadFile(repository, name)
		file, perr := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err = errors.Join(err, rerr, perr); err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if declared, ok := d.(*ast.GenDecl); ok && declared.Tok == token.CONST {
				found.noteAll(declared)
			}
		}
	}
	return found, err
}

// and adds the texts of a file's constants and variables.
func (t texts) and(file *ast.File) texts {
	found := maps.Clone(t)
	found.noteAll(file)
	return found
}

// noteAll keeps the texts that are given names below a node.
func (t texts) noteAll(below ast.Node) {
	ast.Inspect(below, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, value := range n.Values {
				t.note(n.Names[i], value)
			}
		case *ast.AssignStmt:
			for i, value := range n.Rhs {
				if name, ok := n.Lhs[i].(*ast.Ident); ok {
					t.note(name, value)
				}
			}
		}
		return true
	})
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

// of is the text that an expression comes to; a name whose value is not known stands as <name>. Empty: it is no text.
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
