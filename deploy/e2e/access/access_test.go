package access

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoregistry"
)

func TestEveryMethodOfEveryContractHasARowAndNoRowIsLeftOver(t *testing.T) {
	t.Parallel()
	matrix, err := Load()
	require.NoError(t, err)
	var procedures []string
	for _, m := range Methods() {
		procedures = append(procedures, m.Procedure)
	}
	require.Equal(t, procedures, slices.Sorted(maps.Keys(matrix)))
}

func TestNoContractIsLeftOutOfTheWalk(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..", "proto")
	found := 0
	require.NoError(t, fs.WalkDir(os.DirFS(root), "serein", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".proto") {
			return err
		}
		found++
		_, err = protoregistry.GlobalFiles.FindFileByPath(path)
		require.NoError(t, err, "%s is of no program", path)
		return nil
	}))
	require.Positive(t, found)
}

func TestATableThatCannotBeMeantIsRefused(t *testing.T) {
	t.Parallel()
	head, _, _ := strings.Cut(table, "\n")
	row := "/a.B/C" + strings.Repeat("\tallowed", len(Roles()))
	matrix, err := parse(head + "\n" + row + "\n")
	require.NoError(t, err)
	require.Len(t, matrix["/a.B/C"], len(Roles()))
	for what, broken := range map[string]string{
		"a role is missing":   strings.Replace(head, "\tvisitor", "", 1) + "\n" + row,
		"a row stands twice":  head + "\n" + row + "\n" + row,
		"a cell is missing":   head + "\n" + strings.TrimSuffix(row, "\tallowed"),
		"a word is unknown":   head + "\n" + strings.Replace(row, "allowed", "maybe", 1),
		"nothing in the cell": head + "\n" + strings.Replace(row, "allowed", "", 1),
	} {
		_, err := parse(broken)
		require.Error(t, err, what)
	}
}

// What nobody can prove is allowed nowhere inside: a service's contract is not for the public.
func TestNothingInsideIsForThoseWhoProveNothing(t *testing.T) {
	t.Parallel()
	matrix, err := Load()
	require.NoError(t, err)
	for _, m := range Methods() {
		if m.Contract != "web" && m.Contract != "rest" {
			require.Equal(t, Unauthenticated, matrix[m.Procedure][Nobody], m.Procedure)
		}
	}
}
