//go:build full

package calls

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit/repository"
)

// untilOneLine follows until a line is printed, where the README says that somebody presses Ctrl-C.
const untilOneLine = "exec 3< <(.cache/integrate follow spent.jsonl); read -r _ <&3; kill $!"

// Not parallel: it follows by the same consumer as the test of what is spent, and would have events of it.
func TestTheStepsOfTheReadmeForOtherServicesWorkAsTheyStand(t *testing.T) {
	ctx := t.Context()
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	require.NoError(t, product.Spend(ctx, member.UID, 1))
	other := newOtherService(t)
	checkout := filepath.Dir(filepath.Dir(other.dir)) // of which there is no more than this folder and what is built
	require.NoError(t, os.Mkdir(filepath.Join(checkout, ".cache"), 0o700))
	root, err := repository.Root()
	require.NoError(t, err)
	build := other.command("go", "build", "-o", filepath.Join(checkout, ".cache", "serein"), "./deploy/local/cmd/serein")
	build.Dir, build.Env = root, os.Environ()
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	steps := other.command("bash", "-euo", "pipefail", "-c", stepsOfTheReadme(t, root))
	steps.Dir, steps.Env = checkout, append(os.Environ(), "GOWORK=off", "DATA_DIR="+product.Dir)
	var fault strings.Builder
	steps.Stderr = &fault
	out, err = steps.Output()
	require.NoError(t, err, "%s", fault.String())
	require.Equal(t, 2, strings.Count(string(out), "\tgrant\t"), "the ledger in Go and in Node: %s", out)
	require.Contains(t, string(out), `"uid": "`, "the record")
}

// stepsOfTheReadme are the lines of "Try it". The packages are there already, and nobody is there to press Ctrl-C.
func stepsOfTheReadme(t *testing.T, root string) string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(root, "docs", "integrate", "README.md"))
	require.NoError(t, err)
	_, section, found := strings.Cut(string(readme), "## Try it\n")
	require.True(t, found)
	section, _, found = strings.Cut(section, "\n## ")
	require.True(t, found)
	var lines []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1) {
		lines = append(lines, block[1])
	}
	script := strings.Join(lines, "")
	for _, other := range []struct{ line, instead string }{
		{`(?m)^\.cache/integrate follow spent\.jsonl .*$`, untilOneLine}, {`(?m)^npm ci --prefix docs/integrate/node$`, ""},
	} {
		require.Regexp(t, other.line, script)
		script = regexp.MustCompile(other.line).ReplaceAllLiteralString(script, other.instead)
	}
	return script
}
