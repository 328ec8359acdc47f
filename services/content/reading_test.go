package content

import (
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/platform/contentage"
	"serein.app/services/testkit"
)

func TestOnlyTheGatewayReads(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	for as, code := range map[string]connect.Code{"gateway": 0, "generation": connect.CodePermissionDenied, "billing": connect.CodePermissionDenied} {
		c, base, options := testkit.Dialer(t, as).To(Name, h.address)
		articles, pages := contentv1connect.NewArticleServiceClient(c, base, options), contentv1connect.NewPageServiceClient(c, base, options)
		_, err := articles.ListArticles(t.Context(), &contentv1.ListArticlesRequest{})
		requireCode(t, code, err)
		_, err = pages.GetHome(t.Context(), &contentv1.GetHomeRequest{})
		requireCode(t, code, err)
	}
	const home = "/serein.content.v1.PageService/GetHome?encoding=json&message=%7B%7D"
	require.Equal(t, http.StatusUnauthorized, h.get(home, "", nil).StatusCode)
}

func TestAMirrorTellsReadersHowOldItIs(t *testing.T) {
	t.Parallel()
	upstream, public := startDelivery(t, readToken)
	mirror := startWith(t, t.TempDir(), fakeSynthesiser{}, func(c *Config) {
		c.Upstream.URL, c.Upstream.Space, c.Upstream.Environment, c.Upstream.Token = public, "serein", "master", readToken
		c.Upstream.Every, c.Upstream.Timeout = time.Second, 30*time.Second
	})
	ask := func(h *harness) (age string, err error) {
		c, base, options := testkit.Dialer(t, "gateway").To(Name, h.address)
		ctx, call := connect.NewClientContext(t.Context())
		_, err = contentv1connect.NewPageServiceClient(c, base, options).GetHome(ctx, &contentv1.GetHomeRequest{})
		return call.ResponseHeader().Get(contentage.Header), err
	}
	require.Eventually(t, func() bool {
		age, err := ask(mirror)
		return err == nil && age != ""
	}, testkit.Patience, 10*time.Millisecond)
	age, err := ask(upstream)
	require.NoError(t, err)
	require.Empty(t, age, "who mirrors nothing is as old as its answer")
}

// requireCode wants that refusal, or none where it is 0.
func requireCode(t *testing.T, code connect.Code, err error) {
	t.Helper()
	if code == 0 {
		require.NoError(t, err)
		return
	}
	require.Equal(t, code, connect.CodeOf(err))
}
