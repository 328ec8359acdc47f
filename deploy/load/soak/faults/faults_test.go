package faults

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// everyFault reads the faults, each with a name that no other has.
func everyFault(t *testing.T) []Fault {
	t.Helper()
	all, err := All()
	require.NoError(t, err)
	require.NotEmpty(t, all)
	known := map[string]bool{}
	for _, f := range all {
		require.False(t, known[f.Name], "two faults are called %s", f.Name)
		known[f.Name] = true
	}
	return all
}

func TestEveryFaultChangesSourcesOfTheProductAsTheyAre(t *testing.T) {
	t.Parallel()
	root := testkit.Repository(t)
	for _, f := range everyFault(t) {
		changed, err := f.Apply(root)
		require.NoError(t, err)
		require.NotEmpty(t, changed, f.Name)
		for path, now := range changed {
			before, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
			require.NoError(t, err)
			require.NotEqual(t, string(before), string(now), "%s changes nothing of %s", f.Name, path)
			require.False(t, strings.HasSuffix(path, "_test.go"), "%s changes a test", f.Name)
		}
	}
}

func TestEveryFaultNamesATestThatExists(t *testing.T) {
	t.Parallel()
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	tests := map[string]map[string]bool{} // by package
	for _, f := range everyFault(t) {
		if tests[f.Package] == nil {
			tests[f.Package] = map[string]bool{}
			files, err := filepath.Glob(filepath.Join(testkit.Repository(t), filepath.FromSlash(f.Package), "*_test.go"))
			require.NoError(t, err)
			for _, file := range files {
				source, err := os.ReadFile(file)
				require.NoError(t, err)
				for _, name := range declared.FindAllSubmatch(source, -1) {
					tests[f.Package][string(name[1])] = true
				}
			}
		}
		require.True(t, tests[f.Package][f.Test], "%s: %s has no %s", f.Name, f.Package, f.Test)
	}
}

const shortPatch = `Fault: opens the door
Caught by: TestTheDoorIsShut in services/doors

diff --git a/door.go b/door.go
--- a/door.go
+++ b/door.go
@@ -1,2 +1,2 @@
 door:
-shut
+open
`

// doors writes a source that shortPatch is for.
func doors(t *testing.T, source string) (root string) {
	t.Helper()
	root = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "door.go"), []byte(source), 0o600))
	return root
}

func TestAPatchFollowsTheLinesThatItChanges(t *testing.T) {
	t.Parallel()
	f, err := parse("door", []byte(shortPatch))
	require.NoError(t, err)
	require.Equal(t, Fault{Name: "door", Does: "opens the door", Package: "services/doors", Test: "TestTheDoorIsShut", files: f.files}, f)
	for _, above := range []string{"", "wall\n", "wall\nwindow\n"} {
		changed, err := f.Apply(doors(t, above+"door:\nshut\nfloor\n"))
		require.NoError(t, err)
		require.Equal(t, map[string][]byte{"door.go": []byte(above + "door:\nopen\nfloor\n")}, changed)
	}
}

func TestAPatchThatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	f, err := parse("door", []byte(shortPatch))
	require.NoError(t, err)
	for source, want := range map[string]error{
		"door:\najar\n":                errGone,
		"door: \nshut\n":               errGone,
		"a door:\nshut\n":              errGone, // a line is compared whole
		"door:\nshut\ndoor:\nshut\n":   errAmbiguous,
		"door:\nshut\n\ndoor:\nshut\n": errAmbiguous,
	} {
		_, err := f.Apply(doors(t, source))
		require.ErrorIs(t, err, want, source)
		require.ErrorContains(t, err, "door")
	}
	_, err = f.Apply(t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestAPatchWithoutItsHeadingIsRefused(t *testing.T) {
	t.Parallel()
	_, body, _ := strings.Cut(shortPatch, "\n\n")
	_, err := parse("door", []byte(body))
	require.ErrorIs(t, err, errHeading)
}
