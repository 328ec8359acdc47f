package calls

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

func TestTheGroundingIsForVisitorsToo(t *testing.T) {
	t.Parallel()
	visitor := product.NewBrowser()
	var grounding *webv1.GetGroundingResponse
	require.NoError(t, harness.Eventually(t.Context(), "the grounding is recorded", func(ctx context.Context) (_ bool, err error) { // a first start records it
		grounding, err = visitor.Generator.GetGrounding(ctx, &webv1.GetGroundingRequest{})
		return err == nil, err
	}))
	require.NotEmpty(t, grounding.GetLines())
	page, err := visitor.Get(t.Context(), grounding.GetAudioUrl())
	require.NoError(t, err)
	// 64 kbit/s are 8 bytes a millisecond.
	require.InDelta(t, grounding.GetDurationMs()*8, len(page.Body), 400)
}

func TestNoFormOfACrisisTitleIsHeldOrKept(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	for _, title := range []string{suite.Crisis, "i hate my self", "I was assaulted last year", "My brother killed himself", "sucidal", "k.m.s"} {
		_, err := m.Generate(t.Context(), harness.SmallRequest(title))
		refused := harness.RefusalOf(err)
		require.Equal(t, []string{"failed_precondition", "TITLE_NEEDS_CARE", "title"},
			[]string{refused.Code, refused.Reason, refused.Field}, title)
	}
	product.RequireUntouched(t.Context(), t, m)
	require.Equal(t, []int64{0, 0}, product.Holds(t.Context(), t, m))
}
