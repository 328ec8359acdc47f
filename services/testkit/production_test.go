package testkit_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// testOnly is what nothing that runs in production may be built with.
var testOnly = []string{
	"github.com/nats-io/nats-server",
	"github.com/johannesboyne/gofakes3",
	"github.com/alicebob/miniredis",
	"github.com/stretchr/testify",
	"serein.app/services/testkit/embeddedpg",
	"serein.app/services/testkit",
}

func TestNoProgramOfProductionIsBuiltWithPartsOfTests(t *testing.T) {
	t.Parallel()
	var programs []string
	for _, pattern := range []string{"services/*/cmd/*", "gateway/cmd/*"} {
		found, err := filepath.Glob(filepath.Join("..", "..", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		programs = append(programs, found...)
	}
	for _, program := range programs {
		require.Empty(t, testParts(t, "./"+program), program)
	}
}

// Were one of them renamed by its makers, the test above would see nothing any more.
func TestThePartsOfTestsAreCalledWhatTheyAre(t *testing.T) {
	t.Parallel()
	found := testParts(t, "./...")
	for _, part := range testOnly {
		require.Contains(t, strings.Join(found, "\n"), part)
	}
}

// testParts lists the packages of testOnly that a pattern is built with.
func testParts(t *testing.T, pattern string) (found []string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", pattern).Output()
	require.NoError(t, err)
	for _, dependency := range strings.Fields(string(out)) {
		for _, part := range testOnly {
			if dependency == part || strings.HasPrefix(dependency, part+"/") {
				found = append(found, dependency)
			}
		}
	}
	return found
}
