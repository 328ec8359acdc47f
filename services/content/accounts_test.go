package content

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/testkit"
	"serein.app/services/testkit/issuer"
)

// The gateway passes a service account's token on, so that its rules and its name are the account's.
func TestAServiceAccountPublishesAndReadsInItsOwnName(t *testing.T) {
	t.Parallel()
	op := issuer.Start(t, time.Now)
	h := startWith(t, t.TempDir(), fakeSynthesiser{}, func(c *Config) { c.Auth.Issuer = op.URL })
	payload, err := json.Marshal(map[string]any{
		"iss": op.URL, "aud": auth.ServiceAudience, "sub": "press", "client_id": "press", "exp": time.Now().Add(time.Hour).Unix(),
		"scope": handlers.MakeLibraryScope + " " + handlers.MakeArticlesScope + " " + handlers.LibraryScope + " " + handlers.ArticlesScope,
	})
	require.NoError(t, err)
	ctx, s := auth.WithAccessToken(t.Context(), op.SignRSA(payload)), h.studio()

	made, err := s.MakeMeditation(ctx, order(uuid.NewString()))
	require.NoError(t, err)
	require.Equal(t, "client:press", made.GetScript().GetCreatedBy())
	require.Equal(t, []string{"Lie down, and let the day be over.", "There is nothing left to do."}, made.GetScript().GetParagraphs())
	id := made.GetMade().GetItem().GetId()
	h.narrated(id)
	_, err = s.VerifyMeditation(ctx, &contentv1.VerifyMeditationRequest{Id: id})
	require.NoError(t, err)

	essay, err := s.MakeArticle(ctx, &contentv1.MakeArticleRequest{
		Id: uuid.NewString(), Title: "On Rest", Type: "anger", Practice: "zen", Text: "Not this.",
		Html: "<h2>Why</h2><p>Rest is <b>not</b> idleness.</p><script>x()</script><p>Three.</p><p>Four.</p>",
	})
	require.NoError(t, err)
	const body = "<h2>Why</h2>\n<p>Rest is <strong>not</strong> idleness.</p>\n<p>Three.</p>\n<p>Four.</p>\n"
	require.Equal(t, []string{body, "Why Rest is not idleness. Three. Four.", ""}, []string{
		essay.GetText().GetHtml(), essay.GetText().GetPlain(), essay.GetText().GetAudioPath(),
	})

	c, base, options := testkit.Dialer(t, "gateway").To(Name, h.address)
	articles, err := contentv1connect.NewArticleServiceClient(c, base, options).ListArticles(ctx, &contentv1.ListArticlesRequest{PageSize: 1, WithTexts: true})
	require.NoError(t, err)
	require.Equal(t, body, articles.GetTexts()[0].GetHtml(), "members alone read it to its end")
	library, err := contentv1connect.NewLibraryServiceClient(c, base, options).ListMeditations(ctx, &contentv1.ListMeditationsRequest{PageSize: 1, WithScripts: true})
	require.NoError(t, err)
	require.Equal(t, id, library.GetMeditations()[0].GetId())
	require.NotEmpty(t, library.GetMeditations()[0].GetAudioPath())
	require.Equal(t, made.GetScript().GetParagraphs(), library.GetScripts()[0].GetParagraphs())

	_, err = s.DeleteMeditation(ctx, &contentv1.DeleteMeditationRequest{Id: id})
	require.NoError(t, err)
	trail, err := h.management().ListRevisions(admin(t), &contentv1.ListRevisionsRequest{Key: &contentv1.ItemKey{Id: id}})
	require.NoError(t, err)
	acts := map[string]bool{}
	for _, r := range trail.GetRevisions() {
		if r.GetActor() != "narrator" {
			require.Equal(t, "client:press", r.GetActor(), r.GetAct())
			acts[r.GetAct()] = true
		}
	}
	require.Greater(t, len(acts), 2)
	_, err = s.RestoreMeditation(ctx, &contentv1.RestoreMeditationRequest{Id: id})
	require.Equal(t, errorsv1.Reason_REASON_FORBIDDEN, reason(err), "an admin's")
}
