package faults

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

const welcome = "Welcome to Serein"

func TestWhatHappensWithoutTheBrokerTakesEffectOnceItIsBack(t *testing.T) { // not parallel: it takes the broker away
	ctx := t.Context()
	busy, err := product.NewMember(ctx)
	require.NoError(t, err)
	kill(t, "nats")

	joined, err := product.Join(ctx)
	require.NoError(t, err, "one can sign up, confirm and sign in")
	credits, err := joined.Credits(ctx)
	require.NoError(t, err)
	require.Zero(t, credits.GetPlan(), "nobody has told billing yet")
	made, err := busy.Generate(ctx, harness.SmallRequest("Without the post"))
	require.NoError(t, err)
	ended, err := busy.AwaitEnd(ctx, made.GetId())
	require.NoError(t, err)
	require.Equal(t, webv1.Stage_STAGE_READY, ended.GetStage())

	revive(ctx, t, "nats")
	require.NoError(t, joined.AwaitTrial(ctx))
	awaitRest(ctx, t)
	requireTrialOnce(ctx, t, joined)
	requireChargedOnce(ctx, t, busy, made.GetId())
}

// awaitRest waits until everything that happened before has taken effect. Consumers handle
// events in their order: one who joins now has the trial and the welcome after everybody else.
func awaitRest(ctx context.Context, t *testing.T) *harness.Member {
	t.Helper()
	awaitPublished(ctx, t)
	last, err := product.NewMember(ctx)
	require.NoError(t, err)
	require.NoError(t, harness.Eventually(ctx, "the last one's welcome", func(ctx context.Context) (bool, error) {
		n, err := welcomes(ctx, last)
		return n == 1, err
	}))
	awaitPublished(ctx, t)
	return last
}

// awaitPublished waits until no service has an event left to tell.
func awaitPublished(ctx context.Context, t *testing.T) {
	t.Helper()
	for _, service := range stack.Databases() {
		require.NoError(t, harness.Eventually(ctx, service+" tells its events", func(ctx context.Context) (bool, error) {
			open, err := harness.SQL[int](ctx, product.Harness, service, "SELECT count(*) FROM outbox WHERE published_at IS NULL")
			return open == 0, err
		}))
	}
}

func welcomes(ctx context.Context, m *harness.Member) (int, error) {
	mails, err := product.Mails(ctx, m.Email)
	n := 0
	for _, mail := range mails {
		if mail.Subject == welcome {
			n++
		}
	}
	return n, err
}

// requireTrialOnce: the trial's credits, one grant, one letter of each kind.
func requireTrialOnce(ctx context.Context, t *testing.T, m *harness.Member) {
	t.Helper()
	entries, err := product.Ledger(ctx, m.UID)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, []any{"grant", product.TrialCredits(ctx, t)}, []any{entries[0].GetKind(), entries[0].GetChange()})
	n, err := welcomes(ctx, m)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	mails, err := product.Mails(ctx, m.Email)
	require.NoError(t, err)
	require.Len(t, mails, 2, "the code and the welcome")
}
