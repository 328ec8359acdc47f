//go:build full

package replicas

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// deaths of random processes, one after the other.
const deaths = 12

func TestAProcessThatIsKilledLosesNothing(t *testing.T) {
	ctx, w := t.Context(), &work{}
	going, stop := context.WithCancel(ctx)
	t.Cleanup(func() { stop(); w.all.Wait() })
	makers := make([]maker, each)
	for i := range makers {
		makers[i].Member = rich(ctx, t)
		w.keep(going, generating, func(ctx context.Context) error {
			id, err := insist(ctx, makers[i].Member)
			if err == nil {
				makers[i].made = append(makers[i].made, id) // nobody else does before the end
			}
			return err
		})
	}
	for range deaths {
		process := product.Processes()[rand.IntN(len(product.Processes()))]
		begun := w.count(generating)
		require.NoError(t, product.KillPart(process))
		require.NoError(t, product.StartPart(ctx, process))
		require.NoError(t, harness.Eventually(ctx, "a meditation after the death of "+process, func(context.Context) (bool, error) {
			return w.count(generating) > begun, nil
		}))
	}
	stop()
	w.all.Wait()
	t.Logf("%d deaths, %d meditations made", deaths, w.count(generating))
	require.Empty(t, w.faults)
	for _, m := range makers {
		requirePaidOnce(ctx, t, m.Member, m.made)
	}
}

// insist asks for a meditation until it is accepted, with one key, as the app does when an answer has not come, and waits for its end.
func insist(ctx context.Context, m *harness.Member) (id string, err error) {
	request := harness.SmallRequest("It stays whatever goes")
	err = harness.Eventually(ctx, "a request is accepted", func(ctx context.Context) (bool, error) {
		made, err := m.GenerateOnce(ctx, request)
		id = made.GetId()
		return err == nil, err
	})
	if err != nil {
		return "", err
	}
	return id, harness.Eventually(ctx, "the end of "+id, func(ctx context.Context) (bool, error) {
		found, err := m.Meditation(ctx, id)
		return found.GetMeditation().GetStage() >= webv1.Stage_STAGE_READY, err
	})
}
