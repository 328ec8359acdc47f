package conventions

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	instrument = regexp.MustCompile(`^(Int64|Float64)(Observable)?(Counter|UpDownCounter|Gauge|Histogram)$`)
	quoted     = regexp.MustCompile("`([^`]+)`")
	program    = regexp.MustCompile(`^(gateway|services/[a-z]+)/`)
)

// metrics are the names in the tables of a README that are headed "metric". `.queue.sound` is short for
// `serein.generation.queue.sound` behind another name of the service.
func metrics(readme string) (names []string) {
	for _, table := range strings.Split(readme, "\n| metric |")[1:] {
		rows, _, _ := strings.Cut(table, "\n\n")
		for row := range strings.Lines(rows) {
			cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
			first := ""
			for _, name := range quoted.FindAllStringSubmatch(cell, -1) {
				switch {
				case strings.HasPrefix(name[1], "serein."):
					first = name[1]
					names = append(names, first)
				case strings.HasPrefix(name[1], "."):
					names = append(names, strings.Join(strings.Split(first, ".")[:2], ".")+name[1])
				}
			}
		}
	}
	return names
}

// instruments are the names that a file gives to what it counts: whole, or what stands behind a prefix.
func instruments(file *ast.File) (names []string) {
	helped := false
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		if method, ok := call.Fun.(*ast.SelectorExpr); ok && instrument.MatchString(method.Sel.Name) {
			name, known := lastWord(call.Args[0])
			helped = helped || !known
			if known {
				names = append(names, name)
			}
		}
		return true
	})
	if !helped {
		return names
	}
	ast.Inspect(file, func(n ast.Node) bool { // gauge("queue.age", …), a function that makes them
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 2 {
			if _, plain := call.Fun.(*ast.Ident); plain {
				if name, known := lastWord(call.Args[0]); known {
					names = append(names, name)
				}
			}
		}
		return true
	})
	return names
}

// lastWord is the text that an expression ends with.
func lastWord(e ast.Expr) (string, bool) {
	if sum, ok := e.(*ast.BinaryExpr); ok {
		e = sum.Y
	}
	literal, ok := e.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

// An operator finds the meaning of every metric, under its name, in the README of the program that counts it.
func TestEveryMetricIsInTheREADMEOfTheProgramThatCountsIt(t *testing.T) {
	t.Parallel()
	documented, counted := map[string][]string{}, map[string][]string{}
	for path, source := range sources(t, ".go", "README.md") {
		part := program.FindStringSubmatch(path)
		if part == nil {
			continue
		}
		switch of := part[1]; {
		case strings.HasSuffix(path, "README.md"):
			documented[of] = append(documented[of], metrics(source)...)
		case !isTest(path):
			counted[of] = append(counted[of], instruments(parse(t, path, source))...)
		}
	}
	require.Greater(t, len(documented["services/generation"]), 10)
	var faults []string
	for of, names := range documented {
		for _, name := range names {
			if !slices.ContainsFunc(counted[of], func(c string) bool { return name == c || strings.HasSuffix(name, "."+c) }) {
				faults = append(faults, of+": the README has "+name+", which nothing counts")
			}
		}
	}
	for of, names := range counted {
		for _, c := range names {
			if !slices.ContainsFunc(documented[of], func(name string) bool { return name == c || strings.HasSuffix(name, "."+c) }) {
				faults = append(faults, of+" counts "+c+", and the README does not say what it means")
			}
		}
	}
	require.Empty(t, faults)
}
