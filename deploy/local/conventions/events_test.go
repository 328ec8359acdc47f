package conventions

import (
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/testkit"
)

// toCome are events that have a contract and no publisher yet, with the capability that will
// publish them.
var toCome = map[string]string{}

// event is a message of the contract that names a subject.
type event struct{ name, subject, file string }

func events(t *testing.T) []event {
	t.Helper()
	var found []event
	protoregistry.GlobalFiles.RangeFilesByPackage("serein.events.v1", func(file protoreflect.FileDescriptor) bool {
		for i := range file.Messages().Len() {
			message := file.Messages().Get(i)
			if subject, _ := proto.GetExtension(message.Options(), eventsv1.E_Subject).(string); subject != "" {
				found = append(found, event{string(message.Name()), subject, strings.TrimSuffix(path.Base(file.Path()), ".proto")})
			}
		}
		return true
	})
	require.NotEmpty(t, found)
	return found
}

func TestSubjectsAreUniqueAndNameTheServiceWhoseFileTheyStandIn(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	services := testkit.Services()
	for _, e := range events(t) {
		parts := regexp.MustCompile(`^serein\.([a-z]+)\.[a-z_]+\.[a-z_]+\.v1$`).FindStringSubmatch(e.subject)
		require.NotNil(t, parts, "%s: %s is not serein.<service>.<aggregate>.<event>.v1", e.name, e.subject)
		require.Equal(t, e.file, parts[1], "%s stands in %s.proto", e.name, e.file)
		require.Contains(t, services, parts[1], e.name)
		require.Empty(t, seen[e.subject], "%s and %s", e.name, seen[e.subject])
		seen[e.subject] = e.name
	}
}

func TestEveryEventIsPublishedByItsServiceOrStandsInTheListOfThoseToCome(t *testing.T) {
	t.Parallel()
	published, left := publishers(t), maps.Clone(toCome)
	for _, e := range events(t) {
		_, awaited := left[e.name]
		require.NotEqual(t, awaited, len(published[e.name]) > 0,
			"%s: published by %v, in the list of those to come: %t", e.name, published[e.name], awaited)
		if !awaited {
			require.Equal(t, []string{e.file}, published[e.name], "%s is its own service's to tell", e.name)
		}
		delete(left, e.name)
	}
	require.Empty(t, left, "these are no events")
}

// publishers are the services whose programs make each message of the events' package, in code that
// the program reaches.
func publishers(t *testing.T) map[string][]string {
	t.Helper()
	programs := map[string][]*ast.File{}
	for file, source := range sources(t, ".go") {
		if parts := strings.Split(file, "/"); parts[0] == "services" && !isTest(file) {
			programs[parts[1]] = append(programs[parts[1]], parse(t, file, source))
		}
	}
	found := map[string][]string{}
	for service, files := range programs {
		for _, message := range made(files) {
			found[message] = append(found[message], service)
		}
	}
	return found
}

// made are the messages of the events' package that a program makes.
func made(files []*ast.File) []string {
	found := map[string]bool{}
	for _, declaration := range reached(files, "main") {
		ast.Inspect(declaration, func(n ast.Node) bool {
			if literal, ok := n.(*ast.CompositeLit); ok {
				if kind, ok := literal.Type.(*ast.SelectorExpr); ok {
					if pkg, ok := kind.X.(*ast.Ident); ok && pkg.Name == "eventsv1" {
						found[kind.Sel.Name] = true
					}
				}
			}
			return true
		})
	}
	return slices.Sorted(maps.Keys(found))
}

// reached are the declarations that a program gets to from a function, by their names alone: it may
// find too many where two have one name, never too few.
func reached(files []*ast.File, root string) []ast.Node {
	meant := declarations(files)
	var found []ast.Node
	seen := map[string]bool{root: true}
	for names := []string{root}; len(names) > 0; {
		name := names[0]
		names = names[1:]
		for _, declaration := range meant[name] {
			found = append(found, declaration)
			ast.Inspect(declaration, func(n ast.Node) bool {
				if used, ok := n.(*ast.Ident); ok && !seen[used.Name] {
					seen[used.Name] = true
					names = append(names, used.Name)
				}
				return true
			})
		}
	}
	return found
}

// declarations are what each name may mean at the top of a file. A type means its exported methods
// too, since an interface of somebody else's may call them.
func declarations(files []*ast.File) map[string][]ast.Node {
	meant := map[string][]ast.Node{}
	for _, file := range files {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				meant[d.Name.Name] = append(meant[d.Name.Name], d)
				if d.Recv != nil && d.Name.IsExported() {
					ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
						if owner, ok := n.(*ast.Ident); ok {
							meant[owner.Name] = append(meant[owner.Name], d)
						}
						return true
					})
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						meant[s.Name.Name] = append(meant[s.Name.Name], s)
					case *ast.ValueSpec:
						for _, name := range s.Names {
							meant[name.Name] = append(meant[name.Name], s)
						}
					}
				}
			}
		}
	}
	return meant
}
