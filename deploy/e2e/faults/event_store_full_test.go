//go:build full

package faults

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	"serein.app/deploy/local/stack"
)

func TestALostEventStoreRepairsItself(t *testing.T) { // not parallel: it takes the broker away
	losesTheStore(t, func(context.Context) {})
}

func TestAReplayRepairsALostEventStore(t *testing.T) { // not parallel: it takes the broker away
	losesTheStore(t, func(ctx context.Context) {
		published := map[string]int{}
		for _, service := range stack.Databases() {
			n, err := harness.SQL[int](ctx, product.Harness, service, "SELECT count(*) FROM outbox WHERE published_at IS NOT NULL")
			require.NoError(t, err)
			published[service] = n
		}
		require.Positive(t, published["billing"])
		for _, service := range stack.Databases() {
			command, err := product.Command(ctx, service, "replay", "72h")
			require.NoError(t, err)
			out, err := command.CombinedOutput()
			require.NoError(t, err, "%s: %s", service, out)
			require.Equal(t, fmt.Sprintf("%d events will be published again\n", published[service]), string(out), service)
		}
	})
}

// losesTheStore deletes every stream after billing missed a confirmation that was in them. It repairs
// while the broker is down, so that no service has repaired the stream before. No member gets anything
// twice from the events that are sent again.
func losesTheStore(t *testing.T, repair func(context.Context)) {
	t.Helper()
	ctx := t.Context()
	early := awaitRest(ctx, t)
	made, err := early.Generate(ctx, harness.SmallRequest("Not after all"))
	require.NoError(t, err)
	suite.Cancel(ctx, t, early, made.GetId())
	before := take(ctx, t)

	kill(t, "billing")
	joined, err := product.Join(ctx)
	require.NoError(t, err)
	awaitPublished(ctx, t)
	kill(t, "nats")
	require.NoError(t, product.Forget("nats"))
	repair(ctx)
	revive(ctx, t, "nats", "billing")

	require.NoError(t, joined.AwaitTrial(ctx))
	last := awaitRest(ctx, t)
	requireTrialOnce(ctx, t, joined)
	after := take(ctx, t)
	expected := maps.Clone(before.sums)
	trial := int(product.TrialCredits(ctx, t))
	expected[joined.UID], expected[last.UID] = trial, trial
	require.Equal(t, expected, after.sums)
	require.Equal(t, before.mails+4, after.mails, "a code and a welcome for each of the two")
}

// stock is what members have.
type stock struct {
	sums  map[string]int
	mails int
}

func take(ctx context.Context, t *testing.T) stock {
	t.Helper()
	sums, err := harness.SQL[map[string]int](ctx, product.Harness, "billing", `
		SELECT coalesce(jsonb_object_agg(uid, sum), '{}') FROM (SELECT uid,
			sum(CASE WHEN from_account = 'issued' THEN amount ELSE -amount END) FROM entries GROUP BY uid) AS s`)
	require.NoError(t, err)
	mails, err := harness.SQL[int](ctx, product.Harness, "mail", "SELECT count(*) FROM mails WHERE uid <> ''") // those to ourselves are about nobody
	require.NoError(t, err)
	return stock{sums, mails}
}
