package suite

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// Crisis is a title that is answered with care.
const Crisis = "I don’t want to live any more"

// Narrating is a member with a meditation of which a passage can be heard and more is to come.
func (p *Product) Narrating(ctx context.Context, t *testing.T) (*harness.Member, string) {
	t.Helper()
	member, err := p.NewMember(ctx)
	require.NoError(t, err)
	made, err := member.Generate(ctx, harness.SmallRequest("The long way home"))
	require.NoError(t, err)
	var now *webv1.Meditation
	require.NoError(t, harness.Eventually(ctx, "the first passage", func(ctx context.Context) (bool, error) {
		found, err := member.Meditation(ctx, made.GetId())
		now = found.GetMeditation()
		return now.GetPassagesDone() > 0, err
	}))
	require.Equal(t, webv1.Stage_STAGE_NARRATING, now.GetStage())
	return member, made.GetId()
}

// Cancel cancels a meditation and waits until its credits are held no more.
func Cancel(ctx context.Context, t *testing.T, m *harness.Member, id string) {
	t.Helper()
	require.NoError(t, m.Cancel(ctx, id))
	require.NoError(t, harness.Eventually(ctx, "the hold ends", func(ctx context.Context) (bool, error) {
		credits, err := m.Credits(ctx)
		return credits.GetHeld() == 0, err
	}))
}

// SegmentURL is the address of a meditation's passage.
func SegmentURL(ctx context.Context, t *testing.T, m *harness.Member, id string, n int) string {
	t.Helper()
	found, err := m.Meditation(ctx, id)
	require.NoError(t, err)
	require.Greater(t, len(found.GetSegments()), n)
	return found.GetSegments()[n].GetAudioUrl()
}

// Body is all that an address gives the member.
func Body(ctx context.Context, t *testing.T, m *harness.Member, address string) string {
	t.Helper()
	page, err := m.Get(ctx, address)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, page.StatusCode, address)
	arrived := int64(len(page.Body))
	require.Equal(t, page.ContentLength, arrived)
	return page.Body
}
