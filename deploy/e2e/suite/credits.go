package suite

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// OutOfCredits is the specification's sentence.
const OutOfCredits = "You have run out of meditation credits for this subscription period. " +
	"You can always topup using the link above and continue generating bespoke meditations."

// CoreCredits and PremiumCredits come with a month.
const CoreCredits, PremiumCredits = 20, 60

// TrialCredits are the credits that a member starts with.
func (p *Product) TrialCredits(ctx context.Context, t *testing.T) int64 {
	t.Helper()
	trial, err := p.Trial(ctx)
	require.NoError(t, err)
	return trial.GetTrialCredits()
}

// Holds counts a member's holds that were captured and those that are still open.
func (p *Product) Holds(ctx context.Context, t *testing.T, m *harness.Member) []int64 {
	t.Helper()
	counted, err := harness.SQL[[]int64](ctx, p.Harness, "billing", `SELECT ARRAY[
		count(*) FILTER (WHERE state = 'captured'), count(*) FILTER (WHERE state = 'held')] FROM holds WHERE uid = $1`, m.UID)
	require.NoError(t, err)
	return counted
}

// RequireUntouched fails unless the trial's credits are all there, with nothing in the ledger since but those notes, and My Journey is empty.
func (p *Product) RequireUntouched(ctx context.Context, t *testing.T, m *harness.Member, notes ...string) {
	t.Helper()
	entries, err := p.Ledger(ctx, m.UID)
	require.NoError(t, err)
	var kinds []string
	for _, e := range entries {
		kinds = append(kinds, e.GetKind())
	}
	require.Equal(t, append(notes, "grant"), kinds)
	credits, err := m.Credits(ctx)
	require.NoError(t, err)
	require.Equal(t, []int64{p.TrialCredits(ctx, t), 0}, []int64{credits.GetPlan(), credits.GetHeld()})
	list, err := m.Journey.ListBespoke(ctx, &webv1.ListBespokeRequest{})
	require.NoError(t, err)
	require.Empty(t, list.GetMeditations())
}
