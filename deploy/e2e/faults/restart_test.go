package faults

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// What a member made, who she is and what she may spend outlive a stop and a start of everything.
func TestEverythingSurvivesARestart(t *testing.T) { // not parallel: it stops everything
	ctx := t.Context()
	m, err := product.NewMember(ctx)
	require.NoError(t, err)
	made, err := m.Generate(ctx, harness.SmallRequest("Still here afterwards"))
	require.NoError(t, err)
	ended, err := m.AwaitEnd(ctx, made.GetId())
	require.NoError(t, err)
	require.Equal(t, webv1.Stage_STAGE_READY, ended.GetStage())
	before, err := m.Credits(ctx)
	require.NoError(t, err)

	require.NoError(t, product.Restart(ctx))

	session, err := m.Session.GetSession(ctx, &webv1.GetSessionRequest{})
	require.NoError(t, err)
	who := session.GetMember()
	require.Equal(t, []string{m.UID, "Amara"}, []string{who.GetUid(), who.GetGivenName()}, "still signed in")
	page, err := m.Get(ctx, "/journey")
	require.NoError(t, err)
	require.Equal(t, "/journey", page.Request.URL.Path)
	journey, err := m.Journey.ListBespoke(ctx, &webv1.ListBespokeRequest{})
	require.NoError(t, err)
	require.Len(t, journey.GetMeditations(), 1)
	require.Equal(t, []string{made.GetId(), made.GetTitle()}, []string{journey.GetMeditations()[0].GetId(), journey.GetMeditations()[0].GetTitle()})
	requireWhole(ctx, t, m, made.GetId())
	after, err := m.Credits(ctx)
	require.NoError(t, err)
	require.Equal(t, []int64{before.GetPlan(), before.GetTopUp()}, []int64{after.GetPlan(), after.GetTopUp()}, "the credits are as they were")
	requireChargedOnce(ctx, t, m, made.GetId())
}
