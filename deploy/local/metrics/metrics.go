// Package metrics reads from the source of a program which metrics it counts, and what the program says of each. The tables in the
// READMEs are written from it, and what deploy/k8s asks Prometheus for is compared with it.
package metrics

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"serein.app/deploy/local/readme"
)

// Metric is one metric of a program.
type Metric struct {
	// Name is that of the instrument; a part that is known only while the program runs stands in it as <service>.
	Name string
	// Text is the instrument's description.
	Text string
}

// library is what a file that makes instruments imports.
const library = `"go.opentelemetry.io/otel/metric"`

// Of reads the metrics that the packages below a folder of the repository at root count, in the order of their names. A metric
// without a description is an error.
func Of(root, folder string) (found []Metric, err error) {
	repository := os.DirFS(root)
	err = fs.WalkDir(repository, folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.Name() == "node_modules":
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(repository, path)
		if err != nil || !strings.Contains(string(text), library) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		constants, err := constantsOf(repository, filepath.Dir(path))
		found = append(found, read(file, constants)...)
		return err
	})
	var faults []error
	for _, m := range found {
		if !strings.HasPrefix(m.Name, "serein.") || m.Text == "" {
			faults = append(faults, fmt.Errorf("%s: the metric %q has no name that begins with serein., or no description", folder, m.Name))
		}
	}
	slices.SortFunc(found, func(a, b Metric) int { return cmp.Compare(a.Name, b.Name) })
	return found, errors.Join(append(faults, err)...)
}

// Table is the table of metrics in a README.
func Table(metrics []Metric) string {
	var table strings.Builder
	table.WriteString(readme.Head("metric", "meaning"))
	for _, m := range metrics {
		table.WriteString(readme.Row("`"+m.Name+"`", m.Text))
	}
	return table.String()
}

var instrument = regexp.MustCompile(`^(Int64|Float64)(Observable)?(Counter|UpDownCounter|Gauge|Histogram)$`)

// read gives the metrics of a file: of its instruments, and of the calls of a function in it that makes them. known are the texts that the
// file's package gives names to.
func read(file *ast.File, known texts) (found []Metric) {
	values, helper := known.and(file), ""
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		if method, ok := call.Fun.(*ast.SelectorExpr); ok && instrument.MatchString(method.Sel.Name) {
			name := values.of(call.Args[0])
			if before, made := strings.CutSuffix(name, "<name>"); made {
				helper = before
				return true
			}
			found = append(found, Metric{name, values.description(call.Args[1:])})
		}
		return true
	})
	if helper != "" {
		found = append(found, values.calls(file, helper)...)
	}
	return found
}

// calls are the metrics that a file makes by calls such as gauge("queue.age", "s", "How long …"), whose names have a prefix.
func (t texts) calls(file *ast.File, prefix string) (found []Metric) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 3 {
			return true
		}
		_, function := call.Fun.(*ast.Ident)
		if name, literal := call.Args[0].(*ast.BasicLit); function && literal && name.Kind == token.STRING {
			found = append(found, Metric{prefix + t.of(name), t.of(call.Args[2])})
		}
		return true
	})
	return found
}

// description is what the options of an instrument say of it.
func (t texts) description(options []ast.Expr) string {
	for _, option := range options {
		call, ok := option.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			continue
		}
		if function, ok := call.Fun.(*ast.SelectorExpr); ok && function.Sel.Name == "WithDescription" {
			return t.of(call.Args[0])
		}
	}
	return ""
}
