package gateway

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/view"
	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/errs"
)

func TestAnArticleIsAWholePageForVisitors(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	got := s.gateways[0].browser(t).get(t, "/articles/"+openSlug)
	require.Equal(t, http.StatusOK, got.StatusCode)
	for _, part := range []string{
		"<title>What the breath knows first · Serein</title>", "<h1>What the breath knows first</h1>", "<p>Three.</p>",
		`href="` + s.gateways[0].URL + "/articles/" + openSlug + `"`, `"isAccessibleForFree":true`, `"datePublished":"2026-11-03"`, `"serverTime"`,
	} {
		require.Contains(t, got.body, part)
	}
	closed := s.gateways[0].browser(t).get(t, "/articles/"+membersSlug).body
	require.NotContains(t, closed, "For members")
	require.Contains(t, closed, `"hasPart":{"@type":"WebPageElement","cssSelector":"#rest","isAccessibleForFree":false}`)
}

func TestAMembersPageHasWhatTheirPlanOpensAndNobodyElsesDoes(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.subscribed(s.uid(), entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "articles"))
	require.Contains(t, b.get(t, "/articles/"+membersSlug).body, "For members")
	require.NotContains(t, s.gateways[0].browser(t).get(t, "/articles/"+membersSlug).body, "For members")
	other := s.other(t)
	s.services.subscribed(someone, entitled(billingv1.PlanKind_PLAN_KIND_GENERATE, "generator"))
	require.NotContains(t, other.get(t, "/articles/"+membersSlug).body, "For members")
}

// One page for all of them is asked for with the rights that all of them have, and says nothing of who asked.
func TestTheLibraryIsAWholePageForItsSubscribersAndOneForAll(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	require.False(t, s.gateways[0].browser(t).opens(t, "/library"))
	b, other := s.member(t), s.other(t)
	s.services.subscribed(s.uid(), entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "articles", "library"))
	s.services.subscribed(someone, entitled(billingv1.PlanKind_PLAN_KIND_GENERATE, "generator"))
	require.False(t, other.opens(t, "/library"))
	const list = contentv1connect.LibraryServiceListMeditationsProcedure
	require.Zero(t, s.services.asks(list))
	for range 3 {
		got := b.get(t, "/library")
		require.Contains(t, got.body, "<h2>The lake after rain</h2>")
		require.Contains(t, got.body, "16 immersive")
		require.Contains(t, got.body, `"own":false`, "the app asks for what is the member's own")
		require.Contains(t, got.body, `"likes":4`)
		require.NotContains(t, got.body, `"saved":true`)
	}
	require.Equal(t, 1, s.services.asks(list))
	require.Equal(t, auth.Subject{UID: s.uid(), Entitlements: []string{"library"}}, s.services.subjectOf(list))
	asked, ok := s.services.lastRequest("ListMeditationsRequest").(*contentv1.ListMeditationsRequest)
	require.True(t, ok)
	require.Equal(t, contentv1.Sound_SOUND_IMMERSIVE, asked.GetSound())
	require.EqualValues(t, 11, asked.GetPageSize())
	require.NotContains(t, b.get(t, "/library?kind=voice").body, `id="page"`, "the app's to show")
}

// What is not verified exists for admins alone: their page is made for each of them, and no copy of it is kept.
func TestAnAdminsLibraryIsTheirOwn(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	admin, other := s.member(t), s.other(t)
	s.services.is(s.uid(), true)
	s.services.subscribed(s.uid(), nil)
	s.services.subscribed(someone, entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "library"))
	got := admin.get(t, "/library")
	require.Contains(t, got.body, `"own":true`)
	require.Contains(t, got.body, `"saved":true`)
	const list = contentv1connect.LibraryServiceListMeditationsProcedure
	require.True(t, s.services.subjectOf(list).Admin)
	require.Contains(t, other.get(t, "/library").body, `"own":false`)
	require.Equal(t, auth.Subject{UID: someone, Entitlements: []string{"library"}}, s.services.subjectOf(list))
}

func TestWhereBillingIsAwayTheLibraryIsTheAppsToShow(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.subscribed(s.uid(), entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "library"))
	require.Contains(t, b.get(t, "/library").body, `id="page"`)
	s.services.failing("/serein.billing.v1.AccountService/GetAccount", errs.ErrUnavailable)
	s.clock.Move(view.Wrong)
	got := b.get(t, "/library")
	require.Equal(t, http.StatusOK, got.StatusCode)
	require.NotContains(t, got.body, `id="page"`, "nobody can say whether it may be shown")
}

func TestAFormerTitleLeadsToTheArticleAndAnUnknownOneNowhere(t *testing.T) {
	t.Parallel()
	b := start(t, 1).gateways[0].browser(t)
	for _, former := range []string{"the-breath", "What%20the%20breath%20knows%20first"} {
		got := b.get(t, "/articles/"+former)
		require.Equal(t, http.StatusMovedPermanently, got.StatusCode, former)
		require.Equal(t, "/articles/"+openSlug, got.Header.Get("Location"))
	}
	for _, unknown := range []string{"nowhere", "%00", "%ff", "x'\"><script>", "..%2f..", strings.Repeat("a", 300)} {
		require.Equal(t, http.StatusNotFound, b.get(t, "/articles/"+unknown).StatusCode, unknown)
	}
}

func TestKnownPagesStayWhileContentIsAwayAndUnknownOnesAreTheApps(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	fresh := b.get(t, "/articles/"+openSlug)
	require.Empty(t, fresh.Header.Get(contentage.Header))
	s.services.failing(contentv1connect.ArticleServiceGetArticleProcedure, errs.ErrUnavailable)
	s.clock.Move(24 * time.Hour)
	known := b.get(t, "/articles/"+openSlug)
	require.Contains(t, known.body, "<h1>What the breath knows first</h1>", fresh.body)
	require.Equal(t, "86400", known.Header.Get(contentage.Header), "seconds since it was answered")
	got := b.get(t, "/articles/"+membersSlug)
	require.Equal(t, http.StatusOK, got.StatusCode)
	require.NotContains(t, got.body, `id="page"`)
	require.Empty(t, got.Header.Get(contentage.Header), "it shows nothing yet")
	require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
}

func TestWhatContentMirrorsSaysHowOldItIsOnEveryPage(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b, visitor := s.member(t), s.gateways[0].browser(t)
	s.services.subscribed(s.uid(), entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "articles", "library"))
	s.services.mirrors("90")
	for _, got := range []answer{
		visitor.get(t, "/articles/"+openSlug), b.get(t, "/articles/"+openSlug), visitor.get(t, "/sitemap.xml"),
		visitor.call(t, articlesOf+"GetArticle", `{"slug":"`+openSlug+`"}`), visitor.call(t, webv1connect.PagesServiceGetHomeProcedure, `{}`),
		b.call(t, webv1connect.LibraryServiceListMeditationsProcedure, `{}`), b.own(t, http.MethodGet, "/api/getArticles", ""), visitor.call(t, webv1connect.PagesServiceGetSitemapProcedure, `{}`),
	} {
		require.Equal(t, http.StatusOK, got.StatusCode, got.body)
		require.Equal(t, "90", got.Header.Get(contentage.Header), got.Request.URL.Path)
	}
	s.clock.Move(30 * time.Second)
	require.Equal(t, "120", visitor.get(t, "/articles/"+openSlug).Header.Get(contentage.Header), "the copy's own age is added")
	require.Equal(t, "120", visitor.get(t, "/sitemap.xml").Header.Get(contentage.Header))
	s.services.mirrors("")
	require.Empty(t, visitor.call(t, articlesOf+"GetArticle", `{"slug":"`+openSlug+`"}`).Header.Get(contentage.Header))
}

func TestMembershipsAndApparelAreWholePagesForVisitors(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	got := b.get(t, "/memberships")
	require.Equal(t, http.StatusOK, got.StatusCode)
	for _, part := range []string{
		"<title>Memberships · Serein</title>", `content="Choose."`, "<h1>A place to come back to</h1>", "<h2>Core</h2>", "<b>799 CARD_ACTION_ADD</b>", `"action":"CARD_ACTION_TRIAL"`,
	} {
		require.Contains(t, got.body, part)
	}
	require.Contains(t, b.get(t, "/apparel").body, "<h2>Pine tee</h2>")
	require.Zero(t, s.services.asks(basketv1connect.BasketServiceGetBasketProcedure))
}

func TestThePageOfMembershipsIsAsItIsForWhoLooksAndNeverAnothers(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	visitor, guest, b := s.gateways[0].browser(t), s.guest(t, "serein-core", "month"), s.member(t)
	s.services.subscribed(s.uid(), membership("serein-core", "month"))
	for range 2 {
		require.Contains(t, b.get(t, "/memberships").body, "<b>799 CARD_ACTION_CURRENT</b>")
		require.Contains(t, guest.get(t, "/memberships").body, "<b>799 CARD_ACTION_IN_BASKET</b>")
		require.Contains(t, visitor.get(t, "/memberships").body, "<b>799 CARD_ACTION_ADD</b>")
	}
	require.Contains(t, guest.get(t, "/articles/"+openSlug).body, "<h1>What the breath knows first</h1>", "other pages do not depend on it")
}
