package faults

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
)

// requireChargedOnce: the ledger has one spend for the meditation, the holds agree with it, and
// nothing is held any more.
func requireChargedOnce(ctx context.Context, t *testing.T, m *harness.Member, id string) {
	t.Helper()
	entries, err := product.Ledger(ctx, m.UID)
	require.NoError(t, err)
	require.Len(t, entries, 2, "one grant, one spend")
	require.EqualValues(t, -1, entries[0].GetChange())
	require.Contains(t, entries[0].GetReference(), id)
	trial := product.TrialCredits(ctx, t)
	require.Equal(t, trial, entries[1].GetChange())
	require.Equal(t, []int64{1, 0}, product.Holds(ctx, t, m), "captured, open")
	credits, err := m.Credits(ctx)
	require.NoError(t, err)
	require.Equal(t, []int64{trial - 1, 0, 0}, []int64{credits.GetPlan(), credits.GetTopUp(), credits.GetHeld()})
}

// requireWhole: every byte of the recording arrives, any range of it too, and it is what its
// passages are, joined.
func requireWhole(ctx context.Context, t *testing.T, m *harness.Member, id string) {
	t.Helper()
	found, err := m.Meditation(ctx, id)
	require.NoError(t, err)
	address := found.GetMeditation().GetAudioUrl()
	whole := suite.Body(ctx, t, m, address)
	stored, err := harness.SQL[int](ctx, product.Harness, "generation", "SELECT audio_bytes FROM meditations WHERE id = $1", id)
	require.NoError(t, err)
	arrived := len(whole)
	require.Equal(t, stored, arrived)

	var joined string
	var length int64
	for _, segment := range found.GetSegments() {
		joined += suite.Body(ctx, t, m, segment.GetAudioUrl())
		length += segment.GetDurationMs()
	}
	require.Equal(t, digest(whole), digest(joined), "the passages, joined, are the recording")
	require.InDelta(t, found.GetMeditation().GetExpectedMs(), length, float64(len(found.GetSegments())))

	middle := ranged(ctx, t, m, address, "bytes=1000-1999")
	require.Equal(t, digest(whole[1000:2000]), digest(middle))
	require.Equal(t, digest(whole[len(whole)-500:]), digest(ranged(ctx, t, m, address, "bytes=-500")))
}

// digest stands for sound where two pieces are compared: nobody reads megabytes of difference.
func digest(sound string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(sound))) }

// requireUsable: the member's page answers, and a request is taken and can be taken back.
func requireUsable(ctx context.Context, t *testing.T, m *harness.Member) {
	t.Helper()
	before, err := m.Credits(ctx)
	require.NoError(t, err)
	made, err := m.Generate(ctx, harness.LongRequest("Once more"))
	require.NoError(t, err)
	require.NoError(t, m.Cancel(ctx, made.GetId()))
	require.NoError(t, harness.Eventually(ctx, "the credit comes back", func(ctx context.Context) (bool, error) {
		after, err := m.Credits(ctx)
		return after.GetPlan() == before.GetPlan() && after.GetHeld() == 0, err
	}))
}

func ranged(ctx context.Context, t *testing.T, m *harness.Member, address, bytes string) string {
	t.Helper()
	page, err := m.Get(ctx, address, "Range", bytes)
	require.NoError(t, err)
	require.Equal(t, http.StatusPartialContent, page.StatusCode)
	return page.Body
}
