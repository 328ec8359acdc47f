package settings

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// source holds the structs of one package.
type source struct{ structs map[string]structType }

// load parses a package once, without its tests.
func (r *reader) load(folder string) (*source, error) {
	if loaded := r.packages[folder]; loaded != nil {
		return loaded, nil
	}
	entries, err := os.ReadDir(filepath.Join(r.root, folder))
	if err != nil {
		return nil, err
	}
	loaded := &source{structs: map[string]structType{}}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(r.root, folder, entry.Name()), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		maps.Copy(loaded.structs, structsOf(file))
	}
	r.packages[folder] = loaded
	return loaded, nil
}
