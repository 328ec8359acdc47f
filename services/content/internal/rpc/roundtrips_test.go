package rpc_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/catalogue"
	store "serein.app/services/content/internal/postgres"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// What members open most waits for the database this often. The ledger (deploy/load) has the figures from before.
func TestPagesOfContentTakeFewRoundTripsToTheDatabase(t *testing.T) {
	t.Parallel()
	h := filled(t)
	pool, trips := h.CountRoundTrips(t)
	offer, err := catalogue.Load()
	require.NoError(t, err)
	counted := handlers.NewReading(h.ports(store.Open(pool, outbox.New(pool, nil, "content", testkit.Logger(t), time.Now), time.Now), offer))
	ctx := auth.WithSubject(t.Context(), auth.Subject{UID: member.UID, Entitlements: []string{"articles", "library"}})
	article := &contentv1.ItemRef{Kind: contentv1.ItemKind_ITEM_KIND_ARTICLE, Id: "awake-at-three"}
	_, err = h.SetSaved(ctx, &contentv1.SetSavedRequest{Item: article, Saved: true})
	require.NoError(t, err)
	library, err := h.ListMeditations(ctx, &contentv1.ListMeditationsRequest{PageSize: 1})
	require.NoError(t, err)
	for _, page := range []struct {
		name  string
		trips int64
		ask   func() error
	}{
		{"an article", 2, func() error {
			got, err := counted.GetArticle(ctx, &contentv1.GetArticleRequest{Slug: "awake-at-three"})
			require.NotEmpty(t, got.GetRestHtml())
			require.NotEmpty(t, got.GetCard().GetCategories())
			require.True(t, got.GetCard().GetStanding().GetSaved())
			return err
		}},
		{"a meditation of the library", 2, func() error {
			got, err := counted.GetMeditation(ctx, &contentv1.GetMeditationRequest{Id: library.GetMeditations()[0].GetId()})
			require.NotEmpty(t, got.GetParagraphs())
			return err
		}},
		{"the library's list, with how many are being narrated", 3, func() error {
			got, err := counted.ListMeditations(ctx, &contentv1.ListMeditationsRequest{})
			require.NotEmpty(t, got.GetMeditations())
			return err
		}},
		{"the list of articles", 2, func() error {
			got, err := counted.ListArticles(ctx, &contentv1.ListArticlesRequest{})
			require.NotEmpty(t, got.GetArticles())
			return err
		}},
		{"what is saved", 2, func() error {
			got, err := counted.ListSaved(ctx, &contentv1.ListSavedRequest{Kind: contentv1.ItemKind_ITEM_KIND_ARTICLE})
			require.Len(t, got.GetArticles(), 1)
			return err
		}},
		{"Home", 3, func() error {
			got, err := counted.GetHome(ctx, &contentv1.GetHomeRequest{})
			require.NotEmpty(t, got.GetQuote())
			require.Len(t, got.GetArticles(), 2)
			require.Len(t, got.GetImmersive(), 2)
			return err
		}},
	} {
		require.Equal(t, page.trips, trips.Least(func() { require.NoError(t, page.ask()) }), page.name)
	}
}
