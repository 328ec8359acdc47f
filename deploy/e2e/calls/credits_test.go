package calls

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// It is parallel only once the ten are answered: nothing else is made before, so that the studio has room for all of them.
func TestOfTenRequestsWithOneCreditOneSucceeds(t *testing.T) {
	ctx := t.Context()
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	require.NoError(t, product.Spend(ctx, member.UID, product.TrialCredits(ctx, t)-1))

	var mu sync.Mutex
	var made []*webv1.Meditation
	reasons := map[string]int{}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			m, err := member.Generate(ctx, harness.SmallRequest("The last credit"))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made = append(made, m)
				return
			}
			reasons[harness.RefusalOf(err).Reason]++
		})
	}
	all.Wait()
	require.Len(t, made, 1)
	require.Equal(t, map[string]int{"INSUFFICIENT_CREDITS": 9}, reasons)
	t.Parallel()
	ended, err := member.AwaitEnd(ctx, made[0].GetId())
	require.NoError(t, err)
	require.Equal(t, webv1.Stage_STAGE_READY, ended.GetStage())
	require.Equal(t, []int64{2, 0}, product.Holds(ctx, t, member), "all but one at once, and one")
	requireInsufficient(ctx, t, member, harness.SmallRequest("One more"), 0)
}

func TestWithoutCreditsNothingIsMade(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	require.NoError(t, product.Spend(ctx, member.UID, product.TrialCredits(ctx, t)-1))
	immersive := harness.SmallRequest("Two credits")
	immersive.Immersive = true
	requireInsufficient(ctx, t, member, immersive, 1)
	require.NoError(t, product.Spend(ctx, member.UID, 1))
	requireInsufficient(ctx, t, member, harness.SmallRequest("One credit"), 0)
	list, err := member.Journey.ListBespoke(ctx, &webv1.ListBespokeRequest{})
	require.NoError(t, err)
	require.Empty(t, list.GetMeditations())
}

// requireInsufficient: the request is refused in the specification's words, and the credits stay.
func requireInsufficient(ctx context.Context, t *testing.T, m *harness.Member, request *webv1.GenerateRequest, left int64) {
	t.Helper()
	_, err := m.Generate(ctx, request)
	require.Equal(t, harness.Refusal{
		Code: "failed_precondition", Reason: "INSUFFICIENT_CREDITS", Message: suite.OutOfCredits,
	}, harness.RefusalOf(err))
	credits, err := m.Credits(ctx)
	require.NoError(t, err)
	require.Equal(t, []int64{left, 0}, []int64{credits.GetPlan(), credits.GetHeld()})
}
