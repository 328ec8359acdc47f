//go:build full

package replicas

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEachProgramRunsAsAnotherUserInARootThatNobodyWritesTo: as an image and a manifest say. That each ends well is seen where all are
// restarted.
func TestEachProgramRunsAsAnotherUserInARootThatNobodyWritesTo(t *testing.T) {
	if product.Images == nil {
		t.Skip(product.NoImages) //nolint:forbidigo // a machine without mount namespaces can start no program so
	}
	for _, process := range product.Processes() {
		pid, err := product.Pid(process)
		require.NoError(t, err)
		status := read(t, pid, "status")
		for _, line := range []string{
			"Uid:\t65532\t65532\t65532\t65532\n", "Gid:\t65532\t65532\t65532\t65532\n", "CapEff:\t0000000000000000\n", "CapPrm:\t0000000000000000\n",
		} {
			require.Contains(t, status, line, process)
		}
		writable := map[string]bool{}
		for line := range strings.Lines(read(t, pid, "mountinfo")) {
			fields := strings.Fields(line)
			writable[fields[4]] = slices.Contains(strings.Split(fields[5], ","), "rw")
		}
		require.Contains(t, writable, "/", process)
		for folder, is := range writable {
			if !slices.Contains([]string{"/tmp", "/cache", "/blobs", "/proc"}, folder) {
				require.False(t, is, "%s may write to %s", process, folder)
			}
		}
	}
}

func read(t *testing.T, pid int, file string) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	require.NoError(t, err)
	return string(text)
}
