package docs

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"serein.app/deploy/local/settings"
)

// usage is how a command of a service is called.
type usage struct {
	// flags, each of which takes a value.
	flags     []string
	arguments int
}

// program has its commands by their names.
type program map[string]usage

// programNames are the gateway and the services that have a program.
func programNames(root string) ([]string, error) {
	folders, err := filepath.Glob(filepath.Join(root, "services/*/cmd/*"))
	found := []string{"gateway"}
	for _, folder := range folders {
		found = append(found, filepath.Base(folder))
	}
	return found, err
}

// readProgram reads from its source which commands a program has: the two that the platform gives to all with a database, and its own.
func readProgram(root, name string) (program, error) {
	functions, declared, migrates, err := declarations(filepath.Join(root, settings.Folder(name)))
	if err != nil {
		return nil, err
	}
	found := program{}
	if migrates {
		found["migrate"], found["replay"] = usage{}, usage{arguments: 1}
	}
	for command, maker := range declared {
		if functions[maker] == nil {
			return nil, fmt.Errorf("%s: nothing makes the command %s", name, command)
		}
		found[command] = usageIn(functions[maker])
	}
	return found, nil
}

// declarations are the functions of a folder, which of them makes which command, and whether its program migrates a database.
func declarations(folder string) (functions map[string]*ast.FuncDecl, commands map[string]string, migrates bool, err error) {
	functions, commands = map[string]*ast.FuncDecl{}, map[string]string{}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, nil, false, err
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, false, err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncDecl:
				functions[node.Name.Name] = node
			case *ast.KeyValueExpr:
				key, _ := node.Key.(*ast.Ident)
				migrates = migrates || key != nil && key.Name == "Migrate"
				if list, ok := node.Value.(*ast.CompositeLit); ok && key != nil && key.Name == "Commands" {
					readCommands(list, commands)
				}
			}
			return true
		})
	}
	return functions, commands, migrates, nil
}

// readCommands takes over what stands in a list of commands: its name, and the function that makes it.
func readCommands(list *ast.CompositeLit, into map[string]string) {
	for _, element := range list.Elts {
		pair, _ := element.(*ast.KeyValueExpr)
		if pair == nil {
			continue
		}
		name, _ := pair.Key.(*ast.BasicLit)
		call, _ := pair.Value.(*ast.CallExpr)
		if name == nil || call == nil {
			continue
		}
		if maker, ok := call.Fun.(*ast.Ident); ok {
			text, _ := strconv.Unquote(name.Value) // the compiler has read it
			into[text] = maker.Name
		}
	}
}

var flagInUsage = regexp.MustCompile(`--[a-z-]+`)

// usageIn reads Usage and Arguments of the command that a function makes.
func usageIn(function *ast.FuncDecl) (found usage) {
	ast.Inspect(function, func(node ast.Node) bool {
		pair, _ := node.(*ast.KeyValueExpr)
		if pair == nil {
			return true
		}
		key, _ := pair.Key.(*ast.Ident)
		value, _ := pair.Value.(*ast.BasicLit)
		if key == nil || value == nil {
			return true
		}
		switch key.Name {
		case "Usage":
			found.flags = flagInUsage.FindAllString(value.Value, -1)
		case "Arguments":
			found.arguments, _ = strconv.Atoi(value.Value)
		}
		return true
	})
	return found
}

// placeholder is what a reader puts a value of their own for.
var placeholder = regexp.MustCompile(`^[A-Z][A-Z0-9-]+$`)

// check refuses words that the program would not take.
func (p program) check(name string, words []string) error {
	if len(words) == 0 {
		return nil // it serves
	}
	command, ok := p[words[0]]
	if !ok {
		return fmt.Errorf("%s has no command %s", name, words[0])
	}
	args := words[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") { // flags come first
		flag, _, inline := strings.Cut(args[0], "=")
		if !slices.Contains(command.flags, flag) {
			return fmt.Errorf("%s %s has no flag %s", name, words[0], flag)
		}
		if args = args[1:]; !inline && len(args) > 0 {
			args = args[1:]
		}
	}
	if len(args) != command.arguments {
		return fmt.Errorf("%s %s wants %d arguments and gets %d", name, words[0], command.arguments, len(args))
	}
	if words[0] == "replay" && !placeholder.MatchString(args[0]) {
		if _, err := time.ParseDuration(args[0]); err != nil {
			return fmt.Errorf("%s replay: %w", name, err)
		}
	}
	return nil
}

// readSerein reads from the source of the stack's command which commands it has beside those of the services.
func readSerein(root string) (map[string]bool, error) {
	functions, _, _, err := declarations(filepath.Join(root, "deploy/local/cmd/serein"))
	if err != nil {
		return nil, err
	}
	if functions["command"] == nil {
		return nil, errors.New("deploy/local/cmd/serein has no function command")
	}
	found := map[string]bool{}
	ast.Inspect(functions["command"], func(node ast.Node) bool {
		if clause, ok := node.(*ast.CaseClause); ok {
			for _, value := range clause.List {
				if text, ok := value.(*ast.BasicLit); ok {
					found[strings.Trim(text.Value, `"`)] = true
				}
			}
		}
		return true
	})
	return found, nil
}
