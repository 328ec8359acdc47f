//go:build full

package faults

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// flat is how much more memory than before the gateway may ever hold while it is flooded.
const flat = 48 << 20

// withFlatMemory runs a flood, in which the gateway's memory must stay flat, its process the same
// and a member served.
func withFlatMemory(t *testing.T, flood func(context.Context, *harness.Member)) {
	t.Helper()
	ctx := t.Context()
	m, err := product.NewMember(ctx)
	require.NoError(t, err)
	pid, err := product.Pid("gateway")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0o600), "reset the peak")
	before := memory(t, pid, "VmRSS")
	flood(ctx, m)
	requireServed(ctx, t, m)
	grown := memory(t, pid, "VmHWM") - before
	t.Logf("the gateway held %d KiB, and %d KiB more at its peak", before>>10, grown>>10)
	require.Less(t, grown, flat)
	still, err := product.Pid("gateway")
	require.NoError(t, err)
	require.Equal(t, pid, still)
}

// memory reads a figure of a process in bytes: VmRSS is what it holds, VmHWM the most it held.
func memory(t *testing.T, pid int, figure string) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, figure+":"); ok {
			kib, err := strconv.Atoi(strings.Fields(value)[0])
			require.NoError(t, err)
			return kib << 10
		}
	}
	require.Fail(t, "no such figure", figure)
	return 0
}

// requireServed: the member and a newcomer at the same address get their pages.
func requireServed(ctx context.Context, t *testing.T, m *harness.Member) {
	t.Helper()
	session, err := m.Session.GetSession(ctx, &webv1.GetSessionRequest{})
	require.NoError(t, err)
	require.Equal(t, m.UID, session.GetMember().GetUid())
	page, err := product.NewBrowser().Get(ctx, "/")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, page.StatusCode)
}
