package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	webv1 "serein.app/proto/gen/serein/web/v1"

	"serein.app/deploy/e2e/house"
)

func TestAMeditationCostsWhatWasSaidAndIsReady(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	member, err := home.NewMember(ctx)
	require.NoError(t, err)
	wish := house.Wish("A quiet morning by the lake")
	made, err := member.Generate(ctx, wish)
	require.NoError(t, err)
	ended, err := member.AwaitEnd(ctx, made.GetId())
	require.NoError(t, err)
	require.Equal(t, webv1.Stage_STAGE_READY, ended.GetStage())
	credits, err := member.Credits(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 7, credits.GetPlan())
}
