package e2e

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/house"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// outOfCredits is the specification's sentence.
const outOfCredits = "You have run out of meditation credits for this subscription period. " +
	"You can always topup using the link above and continue generating bespoke meditations."

func TestOfTenPressesWithOneCreditOneSucceeds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	dreamer, err := home.NewMember(ctx)
	require.NoError(t, err)
	require.NoError(t, home.Spend(ctx, dreamer.UID, 7))

	var mu sync.Mutex
	var made []*webv1.Meditation
	reasons := map[string]int{}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			m, err := dreamer.Generate(ctx, house.Wish("The last credit"))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made = append(made, m)
				return
			}
			reasons[house.RefusalOf(err).Reason]++
		})
	}
	all.Wait()
	require.Len(t, made, 1)
	require.Equal(t, map[string]int{"INSUFFICIENT_CREDITS": 9}, reasons)
	ended, err := dreamer.AwaitEnd(ctx, made[0].GetId())
	require.NoError(t, err)
	require.Equal(t, webv1.Stage_STAGE_READY, ended.GetStage())
	require.Equal(t, []int64{2, 0}, holds(ctx, t, dreamer), "seven at once, and one")
	requirePoor(ctx, t, dreamer, house.Wish("One more"), 0)
}

func TestWithoutCreditsNothingIsMade(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dreamer, err := home.NewMember(ctx)
	require.NoError(t, err)
	require.NoError(t, home.Spend(ctx, dreamer.UID, 7))
	immersive := house.Wish("Two credits")
	immersive.Immersive = true
	requirePoor(ctx, t, dreamer, immersive, 1)
	require.NoError(t, home.Spend(ctx, dreamer.UID, 1))
	requirePoor(ctx, t, dreamer, house.Wish("One credit"), 0)
	list, err := dreamer.Journey.ListBespoke(ctx, &webv1.ListBespokeRequest{})
	require.NoError(t, err)
	require.Empty(t, list.GetMeditations())
}

// requirePoor: the wish is refused in the specification's words, and the credits stay.
func requirePoor(ctx context.Context, t *testing.T, m *house.Member, wish *webv1.GenerateRequest, left int64) {
	t.Helper()
	_, err := m.Generate(ctx, wish)
	require.Equal(t, house.Refusal{
		Code: "failed_precondition", Reason: "INSUFFICIENT_CREDITS", Message: outOfCredits,
	}, house.RefusalOf(err))
	credits, err := m.Credits(ctx)
	require.NoError(t, err)
	require.Equal(t, []int64{left, 0}, []int64{credits.GetPlan(), credits.GetHeld()})
}
