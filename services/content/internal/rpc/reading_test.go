package rpc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

func TestArticlesAreListedInPagesFilteredAndFound(t *testing.T) {
	t.Parallel()
	c := filled(t)
	all, err := c.ListArticles(t.Context(), &contentv1.ListArticlesRequest{PageSize: 100})
	require.NoError(t, err)
	require.Len(t, all.GetArticles(), 18)
	require.EqualValues(t, 18, all.GetTotal())
	var paged []*contentv1.ArticleCard
	for token := ""; ; {
		page, err := c.ListArticles(t.Context(), &contentv1.ListArticlesRequest{PageSize: 7, PageToken: token})
		require.NoError(t, err)
		require.EqualValues(t, 18, page.GetTotal())
		paged = append(paged, page.GetArticles()...)
		if token = page.GetNextPageToken(); token == "" {
			break
		}
	}
	require.Equal(t, ids(all.GetArticles()), ids(paged))
	for i, a := range paged {
		require.NotEmpty(t, a.GetCategories())
		require.EqualValues(t, 100, a.GetCategories()[0].GetConfidence())
		require.Greater(t, a.GetWords(), int32(200))
		require.Regexp(t, `^(\S+ ){24}\S+…$`, a.GetPreview())
		if i > 0 {
			require.False(t, a.GetPublishedAt().AsTime().After(paged[i-1].GetPublishedAt().AsTime()))
		}
	}
	filed := 0
	for i, category := range all.GetCategories() {
		of, err := c.ListArticles(t.Context(), &contentv1.ListArticlesRequest{Category: category.GetId(), PageSize: 100})
		require.NoError(t, err)
		require.Equal(t, category.GetCount(), of.GetTotal())
		require.Len(t, of.GetArticles(), int(category.GetCount()))
		require.Len(t, of.GetCategories(), len(all.GetCategories()), "whatever was asked for")
		filed += len(of.GetArticles())
		if i > 0 {
			require.Greater(t, category.GetName(), all.GetCategories()[i-1].GetName())
		}
	}
	require.Greater(t, filed, 18)
	found, err := c.ListArticles(t.Context(), &contentv1.ListArticlesRequest{Search: "AWAKE thr", PageSize: 1})
	require.NoError(t, err)
	require.Equal(t, "awake-at-three", found.GetArticles()[0].GetSlug())
	require.EqualValues(t, 1, found.GetTotal())

	_, err = c.ListArticles(t.Context(), &contentv1.ListArticlesRequest{Category: "nothing"})
	require.Equal(t, errorsv1.Reason_REASON_CATEGORY_NOT_FOUND, reasonOf(err))
	_, err = c.ListArticles(t.Context(), &contentv1.ListArticlesRequest{PageToken: "nothing"})
	require.Equal(t, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, reasonOf(err))
}

func ids(cards []*contentv1.ArticleCard) (all []string) {
	for _, c := range cards {
		all = append(all, c.GetId())
	}
	return all
}

func TestAnArticleBeginsForEverybodyAndGoesOnForThoseWhoMayReadIt(t *testing.T) {
	t.Parallel()
	c := filled(t)
	for _, of := range []struct {
		slug  string
		who   auth.Subject
		whole bool
	}{
		{"awake-at-three", nobody, false},
		{"awake-at-three", member, false},
		{"awake-at-three", listener, false},
		{"awake-at-three", subscriber, true},
		{"awake-at-three", admin, true},
		{"plain-answers-for-a-first-sitting", nobody, true},
	} {
		res, err := c.GetArticle(auth.WithSubject(t.Context(), of.who), &contentv1.GetArticleRequest{Slug: of.slug})
		require.NoError(t, err)
		require.Equal(t, of.whole, res.GetWhole(), "%+v", of)
		require.Equal(t, of.whole, res.GetRestHtml() != "", "%+v", of)
		require.Regexp(t, `(?s)^<p>.*</p>\s*<p>.*</p>\s*$`, res.GetOpeningHtml())
		require.Equal(t, of.slug, res.GetCard().GetSlug())
	}
	_, err := c.GetArticle(t.Context(), &contentv1.GetArticleRequest{Slug: "nothing"})
	require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reasonOf(err))
	res, err := c.GetArticle(t.Context(), &contentv1.GetArticleRequest{Slug: "Awake at Three"})
	require.NoError(t, err)
	require.Equal(t, "awake-at-three", res.GetCard().GetSlug())
}

// account is a service account with these scopes, as the interceptor names it.
func account(ctx context.Context, scopes ...string) context.Context {
	return auth.WithCaller(ctx, auth.Caller{Service: "client:press", Scopes: scopes})
}

func TestTheSoundOfAnArticleIsNamedToThoseAloneWhoMayHearIt(t *testing.T) {
	t.Parallel()
	c := filled(t)
	_, err := c.Pool.Exec(t.Context(), `UPDATE cards SET card = jsonb_set(card, '{Audio}', '"0a.mp3"') WHERE kind = 'article'`)
	require.NoError(t, err)
	for _, of := range []struct {
		who   auth.Subject
		hears bool
	}{{nobody, false}, {member, false}, {listener, false}, {subscriber, true}, {admin, true}} {
		ctx := auth.WithSubject(t.Context(), of.who)
		res, err := c.GetArticle(ctx, &contentv1.GetArticleRequest{Slug: "awake-at-three"})
		require.NoError(t, err)
		require.Equal(t, of.hears, res.GetAudioPath() != "", "%+v", of)
		res, err = c.GetArticle(ctx, &contentv1.GetArticleRequest{Slug: "plain-answers-for-a-first-sitting"})
		require.NoError(t, err)
		require.Equal(t, "narrations/0a.mp3", res.GetAudioPath(), "an open one is everybody's: %+v", of)
	}
}

func TestAListHasAsMuchOfTheTextsAsTheReaderMayRead(t *testing.T) {
	t.Parallel()
	c := filled(t)
	ctx := t.Context()
	for name, of := range map[string]struct {
		ctx   context.Context
		whole bool
	}{
		"nobody": {ctx, false}, "a member": {auth.WithSubject(ctx, member), false}, "a subscriber": {auth.WithSubject(ctx, subscriber), true},
		"an admin": {auth.WithSubject(ctx, admin), true}, "an account for articles": {account(ctx, handlers.ArticlesScope), true},
		"an account for the library": {account(ctx, handlers.LibraryScope, handlers.MakeArticlesScope), false},
	} {
		res, err := c.ListArticles(of.ctx, &contentv1.ListArticlesRequest{PageSize: 100, WithTexts: true})
		require.NoError(t, err)
		require.Len(t, res.GetTexts(), 18)
		for i, text := range res.GetTexts() {
			card := res.GetArticles()[i]
			one, err := c.GetArticle(of.ctx, &contentv1.GetArticleRequest{Slug: card.GetId()})
			require.NoError(t, err)
			require.Equal(t, one.GetOpeningHtml()+one.GetRestHtml(), text.GetHtml(), "%s %s", name, card.GetId())
			require.Equal(t, of.whole || card.GetOpen(), int(card.GetWords()) == len(strings.Fields(text.GetPlain())), "%s %s", name, card.GetId())
		}
	}
	plain, err := c.ListArticles(ctx, &contentv1.ListArticlesRequest{})
	require.NoError(t, err)
	require.Empty(t, plain.GetTexts(), "who did not ask for them gets none")
}

func TestHomeShowsTheDaysQuoteAndWhatToBeginWith(t *testing.T) {
	t.Parallel()
	c := filled(t)
	home, err := c.GetHome(t.Context(), &contentv1.GetHomeRequest{LocalDate: "2027-01-01"})
	require.NoError(t, err)
	require.Contains(t, home.GetMissionTitle(), "Ten quiet minutes")
	require.Equal(t, []string{"The Rock Pool Clears", "A Word and Warm Water"}, []string{home.GetImmersive()[0].GetTitle(), home.GetImmersive()[1].GetTitle()})
	require.Equal(t, "the-rock-pool-clears", home.GetImmersive()[0].GetMeditation().GetSlug())
	require.Equal(t, "Your First Sitting With the Breath", home.GetVoice().GetTitle())
	require.Empty(t, home.GetVoice().GetMeditation().GetAudioPath())
	require.NotEmpty(t, home.GetVoice().GetMeditation().GetNarratorName())
	require.Len(t, home.GetArticles(), 2)
	require.Equal(t, "Snow begins quietly, on whatever is there. So may a year, or an hour.", home.GetQuote())
	for date, same := range map[string]string{"2027-12-23": "2027-01-01", "2028-12-31": "2028-01-10"} {
		a, err := c.GetHome(t.Context(), &contentv1.GetHomeRequest{LocalDate: date})
		require.NoError(t, err)
		b, err := c.GetHome(t.Context(), &contentv1.GetHomeRequest{LocalDate: same})
		require.NoError(t, err)
		require.NotEmpty(t, a.GetQuote())
		require.Equal(t, a.GetQuote(), b.GetQuote(), "%s is day of the year modulo 356", date)
	}
	today, err := c.GetHome(t.Context(), &contentv1.GetHomeRequest{})
	require.NoError(t, err)
	require.NotEmpty(t, today.GetQuote())
	_, err = c.GetHome(t.Context(), &contentv1.GetHomeRequest{LocalDate: "2027-13-41"})
	require.Equal(t, errs.Invalid, errs.KindOf(err))
}

func TestPagesOfWordsAndTheSitemapAreRead(t *testing.T) {
	t.Parallel()
	c := filled(t)
	for name, version := range map[string]string{"about": `^$`, "terms": `^\d{4}-\d\d-\d\d$`, "privacy": `^\d{4}-\d\d-\d\d$`} {
		text, err := c.GetText(t.Context(), &contentv1.GetTextRequest{Name: name})
		require.NoError(t, err, name)
		require.Regexp(t, version, text.GetVersion())
		require.Contains(t, text.GetHtml(), "<h2>")
		require.NotEmpty(t, text.GetTitle())
		require.NotEmpty(t, text.GetDescription())
	}
	sitemap, err := c.GetSitemap(t.Context(), &contentv1.GetSitemapRequest{})
	require.NoError(t, err)
	require.Len(t, sitemap.GetGroups(), 6)
	require.Equal(t, "Explore", sitemap.GetGroups()[0].GetTitle())
	require.Equal(t, "/", sitemap.GetGroups()[0].GetPages()[0].GetPath())
	require.InDelta(t, 1, sitemap.GetGroups()[0].GetPages()[0].GetPriority(), 0)
	require.True(t, sitemap.GetGroups()[1].GetPages()[0].GetProtected())
	require.Len(t, sitemap.GetArticles(), 18)
	require.Regexp(t, `^\d{4}-\d\d-\d\d$`, sitemap.GetArticles()[0].GetChanged())
}
