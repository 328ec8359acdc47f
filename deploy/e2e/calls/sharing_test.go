package calls

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// A link plays without an account until its member ends it, marks the meditation deleted, or wishes to leave; a recovery brings none back.
func TestALinkPlaysForAVisitorAsLongAsItsMemberLikes(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m, err := product.NewMember(ctx)
	require.NoError(t, err)
	made, err := m.Generate(ctx, harness.SmallRequest("A walk by the canal"))
	require.NoError(t, err)
	_, err = m.AwaitEnd(ctx, made.GetId())
	require.NoError(t, err)
	visitor := product.NewBrowser()
	share := func(named bool) string {
		res, err := m.Sharing.ShareMeditation(ctx, &webv1.ShareMeditationRequest{Id: made.GetId(), ShowName: named})
		require.NoError(t, err)
		address, err := url.Parse(res.GetShare().GetUrl())
		require.NoError(t, err)
		return strings.TrimPrefix(address.Path, "/shared/")
	}
	open := func(token string) (*webv1.GetSharedResponse, error) {
		return visitor.Sharing.GetShared(ctx, &webv1.GetSharedRequest{Token: token})
	}
	sound := func(token string) int {
		page, err := visitor.Get(ctx, "/media/shared/"+token, "Range", "bytes=0-99")
		require.NoError(t, err)
		return page.StatusCode
	}
	gone := func(token string) {
		_, err := open(token)
		require.Equal(t, "SHARE_NOT_FOUND", harness.RefusalOf(err).Reason)
		require.Equal(t, http.StatusNotFound, sound(token))
	}

	token := share(false)
	shown, err := open(token)
	require.NoError(t, err)
	require.Equal(t, "A walk by the canal", shown.GetTitle())
	require.Empty(t, shown.GetSharedBy())
	require.NotEmpty(t, shown.GetSegments())
	require.Equal(t, http.StatusPartialContent, sound(token))
	require.Equal(t, token, share(true))
	shown, err = open(token)
	require.NoError(t, err)
	require.NotEmpty(t, shown.GetSharedBy())

	_, err = m.Sharing.EndShare(ctx, &webv1.EndShareRequest{Id: made.GetId()})
	require.NoError(t, err)
	gone(token)
	second := share(false)
	require.NotEqual(t, token, second)
	_, err = m.Journey.MarkBespokeDeleted(ctx, &webv1.MarkBespokeDeletedRequest{Id: made.GetId()})
	require.NoError(t, err)
	gone(second)
	_, err = m.Journey.RecoverBespoke(ctx, &webv1.RecoverBespokeRequest{Id: made.GetId()})
	require.NoError(t, err)
	gone(second)

	third := share(false)
	_, err = m.Deletions.DeleteAccount(ctx, &webv1.DeleteAccountRequest{Password: harness.Password})
	require.NoError(t, err)
	require.NoError(t, harness.Eventually(ctx, "the link ends", func(context.Context) (bool, error) {
		_, err := open(third)
		return harness.RefusalOf(err).Reason == "SHARE_NOT_FOUND", nil
	}))
	require.Equal(t, http.StatusNotFound, sound(third))
}
