package conventions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// notOurs are folders of what was installed, built or generated.
var notOurs = []string{".git", ".cache", ".data", "node_modules", "dist", "gen", "sqlcgen", "out"}

// sources are the hand-written files whose name ends in one of endings, by their path from the
// repository's folder.
func sources(t *testing.T, endings ...string) map[string]string {
	t.Helper()
	root := testkit.Repository(t)
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains(notOurs, entry.Name()) {
			return fs.SkipDir
		}
		if !entry.Type().IsRegular() || !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(path, e) }) {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		found[filepath.ToSlash(name)] = string(content)
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}

// isTest says whether a file is run by tests alone.
func isTest(path string) bool {
	for _, sign := range []string{"_test.go", ".test.ts", ".test.tsx", "services/testkit/", "/testing/", "deploy/e2e/", "deploy/load/"} {
		if strings.Contains(path, sign) {
			return true
		}
	}
	return false
}

// parse reads a Go file without its comments.
func parse(t *testing.T, path, source string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	return file
}
