// Package settings reads from the source of each program which variables of the environment configure it: the fields of
// its Config struct with their env and envDefault tags, as services/platform/config loads them, and their comments. The
// tables in the READMEs are written from it, and the manifests of deploy/k8s are held against it.
package settings

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// Variable is one variable of the environment.
type Variable struct {
	// Name is what the environment calls it.
	Name string
	// Default is what counts while it is not set; empty: nothing.
	Default string
	// Required: the program does not start without it.
	Required bool
	// Secret: its value is never printed, and belongs into a secret store.
	Secret bool
	// Text says what it means, in Markdown.
	Text string
}

// secretTypes are those that do not print themselves.
var secretTypes = map[string]bool{"config.Secret": true, "config.URL": true, "[]config.Secret": true}

// Of reads the variables of a program of the repository at root, in the order of the fields.
func Of(root, program string) ([]Variable, error) {
	return (&reader{root: root, packages: map[string]*source{}}).structOf(Folder(program), "Config")
}

// reader follows the fields of a struct through the packages of the repository.
type reader struct {
	root     string
	packages map[string]*source
}

// structOf gives the variables of a struct type.
func (r *reader) structOf(folder, name string) ([]Variable, error) {
	in, err := r.load(folder)
	if err != nil {
		return nil, err
	}
	found, ok := in.structs[name]
	if !ok {
		return nil, fmt.Errorf("%s: there is no struct %s", folder, name)
	}
	var variables []Variable
	for _, field := range found.fields.List {
		more, err := r.field(folder, found, field)
		if err != nil {
			return nil, err
		}
		variables = append(variables, more...)
	}
	return named(variables, found.fields), nil
}

// field gives the variable of a field, or those of the struct that it is.
func (r *reader) field(folder string, in structType, field *ast.Field) ([]Variable, error) {
	if tag := tagOf(field); tag.Get("env") != "" {
		return []Variable{variableOf(field, tag)}, nil
	}
	switch kind := field.Type.(type) {
	case *ast.Ident:
		if ast.IsExported(kind.Name) {
			return r.structOf(folder, kind.Name)
		}
	case *ast.SelectorExpr:
		if other, ok := in.imports[kind.X.(*ast.Ident).Name]; ok {
			return r.structOf(other, kind.Sel.Name)
		}
	}
	return nil, nil
}

func tagOf(field *ast.Field) reflect.StructTag {
	if field.Tag == nil {
		return ""
	}
	text, _ := strconv.Unquote(field.Tag.Value) // the compiler has read it
	return reflect.StructTag(text)
}

func variableOf(field *ast.Field, tag reflect.StructTag) Variable {
	name, options, _ := strings.Cut(tag.Get("env"), ",")
	return Variable{
		Name: name, Default: tag.Get("envDefault"), Required: strings.Contains(options, "required"),
		Secret: secretTypes[typeName(field.Type)], Text: strings.Join(strings.Fields(field.Doc.Text()), " "),
	}
}

func typeName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.Ident:
		return of.Name
	case *ast.SelectorExpr:
		return typeName(of.X) + "." + of.Sel.Name
	case *ast.ArrayType:
		return "[]" + typeName(of.Elt)
	}
	return ""
}

// named puts the variables' names where the comments of a struct name its fields.
func named(variables []Variable, fields *ast.FieldList) []Variable {
	for _, field := range fields.List {
		env, _, _ := strings.Cut(tagOf(field).Get("env"), ",")
		for _, name := range field.Names {
			if env == "" {
				continue
			}
			word := regexp.MustCompile(`(^|[^\w.])` + name.Name + `\b`)
			for i := range variables {
				variables[i].Text = word.ReplaceAllString(variables[i].Text, "${1}`"+env+"`")
			}
		}
	}
	return variables
}

// importPath is where the repository's packages are imported from.
const importPath = "serein.app/"

// localImports are the folders of the repository that a file imports, by the names that it uses.
func localImports(file *ast.File) map[string]string {
	folders := map[string]string{}
	for _, spec := range file.Imports {
		at, _ := strconv.Unquote(spec.Path.Value)
		folder, ok := strings.CutPrefix(at, importPath)
		if !ok {
			continue
		}
		name := path.Base(folder)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		folders[name] = folder
	}
	return folders
}

// structType is a struct with what its file imports.
type structType struct {
	fields  *ast.FieldList
	imports map[string]string
}

// structsOf are the struct types that a file declares.
func structsOf(file *ast.File) map[string]structType {
	found, imports := map[string]structType{}, localImports(file)
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE {
			continue
		}
		for _, spec := range general.Specs {
			named := spec.(*ast.TypeSpec)
			if of, ok := named.Type.(*ast.StructType); ok {
				found[named.Name.Name] = structType{of.Fields, imports}
			}
		}
	}
	return found
}
