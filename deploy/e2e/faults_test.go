package e2e

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// crashes take parts away in the middle of a narration, all of a row at once.
var crashes = []struct {
	name  string
	parts []string
	// reaches is how far the work comes meanwhile. Where it stands for nothing, the work, or the
	// way to see it, waits for the part.
	reaches webv1.Stage
}{
	{"what the work does not need", append(unneeded(), "nats"), webv1.Stage_STAGE_READY},
	{"billing", []string{"billing"}, webv1.Stage_STAGE_FINISHING},
	{"generation", []string{"generation"}, webv1.Stage_STAGE_UNSPECIFIED},
	{"gateway and redis", []string{"gateway", "redis"}, webv1.Stage_STAGE_UNSPECIFIED},
	{"postgres", []string{"postgres"}, webv1.Stage_STAGE_UNSPECIFIED},
}

// unneeded are the services without which a meditation that was begun is finished.
func unneeded() []string {
	return slices.DeleteFunc(stack.Services(), func(name string) bool { return name == "billing" || name == "generation" })
}

// Not parallel: it takes parts away from everybody.
func TestAMeditationOutlivesTheCrashOfAnyPart(t *testing.T) { // not parallel: see above
	for _, crash := range crashes {
		t.Run(crash.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			member, id := narrating(ctx, t)
			heard := body(ctx, t, member, segmentURL(ctx, t, member, id, 0))
			others, err := product.Pids(crash.parts...)
			require.NoError(t, err)

			kill(t, crash.parts...)
			if crash.reaches != webv1.Stage_STAGE_UNSPECIFIED {
				require.NoError(t, member.AwaitStage(ctx, id, crash.reaches))
			}
			revive(ctx, t, crash.parts...)

			ended, err := member.AwaitEnd(ctx, id)
			require.NoError(t, err)
			require.Equal(t, webv1.Stage_STAGE_READY, ended.GetStage(), ended.GetFailureMessage())
			requireChargedOnce(ctx, t, member, id)
			requireWhole(ctx, t, member, id)
			again := body(ctx, t, member, segmentURL(ctx, t, member, id, 0))
			require.Equal(t, digest(heard), digest(again), "what was heard stays")

			require.NoError(t, product.AwaitReady(ctx))
			survivors, err := product.Pids(crash.parts...)
			require.NoError(t, err, "no service dies of another's death")
			require.Equal(t, others, survivors)
			requireUsable(ctx, t, member)
		})
	}
}

// A crash of Redis with everything in it costs a sign-in and nothing else.
func TestSessionsThatAreLostAreSignedInAgain(t *testing.T) { // not parallel: it ends everybody's session
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	kill(t, "redis")
	require.NoError(t, product.Forget("redis.json"))
	revive(ctx, t, "redis")

	require.NoError(t, harness.Eventually(ctx, "the end of the session", func() (bool, error) {
		session, err := member.Session.GetSession(ctx, &webv1.GetSessionRequest{})
		return err == nil && session.GetMember() == nil, err
	}))
	require.NoError(t, member.SignIn(ctx))
	requireUsable(ctx, t, member)
}

// kill crashes parts, which run again at the test's end whatever happens.
func kill(t *testing.T, parts ...string) {
	t.Helper()
	t.Cleanup(func() { revive(context.WithoutCancel(t.Context()), t, parts...) })
	for _, part := range parts {
		require.NoError(t, product.KillPart(part))
	}
}

// revive starts those of the parts that do not run.
func revive(ctx context.Context, t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range slices.Backward(parts) {
		if !product.Up(part) {
			require.NoError(t, product.StartPart(ctx, part), part)
		}
	}
}

// narrating is a member with a meditation of which a passage can be heard and more is to come.
func narrating(ctx context.Context, t *testing.T) (*harness.Member, string) {
	t.Helper()
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	made, err := member.Generate(ctx, harness.SmallRequest("The long way home"))
	require.NoError(t, err)
	var now *webv1.Meditation
	require.NoError(t, harness.Eventually(ctx, "the first passage", func() (bool, error) {
		found, err := member.Meditation(ctx, made.GetId())
		now = found.GetMeditation()
		return now.GetPassagesDone() > 0, err
	}))
	require.Equal(t, webv1.Stage_STAGE_NARRATING, now.GetStage())
	return member, made.GetId()
}
