package e2e

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

const welcome = "Welcome to Serein"

func TestWhatHappensWithoutTheBrokerTakesEffectOnceItIsBack(t *testing.T) { // not parallel: it takes the broker away
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
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

func TestALostEventStoreRepairsItself(t *testing.T) { // not parallel: it takes the broker away
	losesTheStore(t, func(context.Context) {})
}

func TestAReplayRepairsALostEventStore(t *testing.T) { // not parallel: it takes the broker away
	losesTheStore(t, func(ctx context.Context) {
		published := map[string]int{}
		for _, service := range stack.Databases() {
			n, err := harness.SQL[int](ctx, product, service, "SELECT count(*) FROM outbox WHERE published_at IS NOT NULL")
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

// losesTheStore deletes every stream after billing missed a confirmation that was in them, and
// repairs while the broker is away, so that nobody else has yet. Whatever is sent again, nobody
// gets anything twice.
func losesTheStore(t *testing.T, repair func(context.Context)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	early := awaitRest(ctx, t)
	made, err := early.Generate(ctx, harness.SmallRequest("Not after all"))
	require.NoError(t, err)
	cancelled(ctx, t, early, made.GetId())
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
	trial := int(trialCredits(ctx, t))
	expected[joined.UID], expected[last.UID] = trial, trial
	require.Equal(t, expected, after.sums)
	require.Equal(t, before.mails+4, after.mails, "a code and a welcome for each of the two")
}

// awaitRest waits until everything that happened before has taken effect. Consumers handle
// events in their order: one who joins now has the trial and the welcome after everybody else.
func awaitRest(ctx context.Context, t *testing.T) *harness.Member {
	t.Helper()
	awaitPublished(ctx, t)
	last, err := product.NewMember(ctx)
	require.NoError(t, err)
	require.NoError(t, harness.Eventually(ctx, "the last one's welcome", func() (bool, error) {
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
		require.NoError(t, harness.Eventually(ctx, service+" tells its events", func() (bool, error) {
			open, err := harness.SQL[int](ctx, product, service, "SELECT count(*) FROM outbox WHERE published_at IS NULL")
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
	require.Equal(t, []any{"grant", trialCredits(ctx, t)}, []any{entries[0].GetKind(), entries[0].GetChange()})
	n, err := welcomes(ctx, m)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	mails, err := product.Mails(ctx, m.Email)
	require.NoError(t, err)
	require.Len(t, mails, 2, "the code and the welcome")
}

// stock is what members have.
type stock struct {
	sums  map[string]int
	mails int
}

func take(ctx context.Context, t *testing.T) stock {
	t.Helper()
	sums, err := harness.SQL[map[string]int](ctx, product, "billing", `
		SELECT coalesce(jsonb_object_agg(uid, sum), '{}') FROM (SELECT uid,
			sum(CASE WHEN from_account = 'issued' THEN amount ELSE -amount END) FROM entries GROUP BY uid) AS s`)
	require.NoError(t, err)
	mails, err := harness.SQL[int](ctx, product, "mail", "SELECT count(*) FROM mails WHERE uid <> ''") // those to ourselves are about nobody
	require.NoError(t, err)
	return stock{sums, mails}
}
