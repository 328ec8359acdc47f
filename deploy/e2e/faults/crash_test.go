package faults

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/suite"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// crash takes parts away in the middle of a narration, all at once.
type crash struct {
	name  string
	parts []string
	// reaches is how far the work comes while the parts are down. The zero value means that the work, or the
	// way to see it, waits for the parts.
	reaches webv1.Stage
}

// The part that narrates, and the one that keeps what was narrated: every change is tried with these two.
var (
	generationDies = crash{"generation", []string{"generation"}, webv1.Stage_STAGE_UNSPECIFIED}
	postgresDies   = crash{"postgres", []string{"postgres"}, webv1.Stage_STAGE_UNSPECIFIED}
)

// Not parallel: it takes parts away from everybody.
func TestAMeditationOutlivesTheCrashOfAnyPart(t *testing.T) { // not parallel: see above
	for _, crash := range crashes {
		t.Run(crash.name, func(t *testing.T) {
			ctx := t.Context()
			member, id := product.Narrating(ctx, t)
			heard := suite.Body(ctx, t, member, suite.SegmentURL(ctx, t, member, id, 0))
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
			again := suite.Body(ctx, t, member, suite.SegmentURL(ctx, t, member, id, 0))
			require.Equal(t, digest(heard), digest(again), "what was heard stays")

			require.NoError(t, product.AwaitReady(ctx))
			survivors, err := product.Pids(crash.parts...)
			require.NoError(t, err, "no service dies of another's death")
			require.Equal(t, others, survivors)
			requireUsable(ctx, t, member)
		})
	}
}
