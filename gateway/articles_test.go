package gateway

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

const articlesOf = "/serein.web.v1.ArticlesService/"

func TestVisitorsReadWhatIsOpenAndTheOpeningOfTheRest(t *testing.T) {
	t.Parallel()
	b := start(t, 1).gateways[0].browser(t)
	open := b.call(t, articlesOf+"GetArticle", `{"slug":"`+openSlug+`"}`)
	require.Equal(t, http.StatusOK, open.StatusCode, open.body)
	require.Equal(t, "/media/narrations/3f2a.mp3", at(t, tree(t, open.body), "audioUrl"))
	require.Equal(t, true, at(t, tree(t, open.body), "whole"))
	closed := b.call(t, articlesOf+"GetArticle", `{"slug":"`+membersSlug+`"}`)
	require.Equal(t, "<p>Lie down.</p>", at(t, tree(t, closed.body), "openingHtml"))
	require.NotContains(t, closed.body, "For members")
	require.Equal(t, http.StatusNotFound, b.call(t, articlesOf+"GetArticle", `{"slug":"nowhere"}`).StatusCode)
}

func TestAMemberReadsAsFarAsTheirPlanGoesAndIsNamedWithIt(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	words := []string{"generator", "articles"}
	s.services.subscribed(s.uid(), entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, words...))
	got := b.call(t, articlesOf+"GetArticle", `{"slug":"`+membersSlug+`"}`)
	require.Equal(t, "<p>For members.</p>", at(t, tree(t, got.body), "restHtml"))
	require.Equal(t, auth.Subject{UID: s.uid(), Entitlements: words}, s.services.subjectOf(contentv1connect.ArticleServiceGetArticleProcedure))
}

func TestWithoutBillingAMemberReadsWhatEverybodyReads(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.failing("/serein.billing.v1.AccountService/GetAccount", errs.ErrUnavailable)
	got := b.call(t, articlesOf+"GetArticle", `{"slug":"`+membersSlug+`"}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.NotContains(t, got.body, "For members")
}

func TestALikeAndASavedItemAreTheMembersOwnAndReadBackAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	item := `{"item":{"kind":"ITEM_KIND_ARTICLE","id":"id-` + openSlug + `"},`
	liked := b.call(t, webv1connect.ItemServiceSetLikeProcedure, item+`"liked":true}`)
	require.Equal(t, http.StatusOK, liked.StatusCode, liked.body)
	require.InDelta(t, 49, at(t, tree(t, liked.body), "standing", "likes"), 0)
	saved := b.call(t, webv1connect.ItemServiceSetSavedProcedure, item+`"saved":true}`)
	require.Equal(t, true, at(t, tree(t, saved.body), "changed"))
	again := b.call(t, articlesOf+"GetArticle", `{"slug":"`+openSlug+`"}`)
	require.Equal(t, true, at(t, tree(t, again.body), "card", "standing", "saved"))
	visitor := s.gateways[0].browser(t).call(t, articlesOf+"GetArticle", `{"slug":"`+openSlug+`"}`)
	require.NotContains(t, visitor.body, `"saved":true`)
}

func TestWhatAPlanDoesNotOpenCannotBeKept(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.subscribed(s.uid(), entitled(billingv1.PlanKind_PLAN_KIND_GENERATE, "generator"))
	got := b.call(t, webv1connect.ItemServiceSetSavedProcedure, `{"item":{"kind":"ITEM_KIND_ARTICLE","id":"id-`+membersSlug+`"},"saved":true}`)
	require.Equal(t, http.StatusForbidden, got.StatusCode)
	require.Equal(t, "SUBSCRIPTION_REQUIRED", got.reason(t))
}

func TestTextsAndHomeAreForEverybody(t *testing.T) {
	t.Parallel()
	b := start(t, 1).gateways[0].browser(t)
	home := b.call(t, "/serein.web.v1.PagesService/GetHome", `{"localDate":"2026-11-22"}`)
	require.Equal(t, "A quote of 2026-11-22", at(t, tree(t, home.body), "quote"))
	text := b.call(t, "/serein.web.v1.PagesService/GetText", `{"name":"terms"}`)
	require.Equal(t, termsDate, at(t, tree(t, text.body), "version"))
	require.Equal(t, http.StatusBadRequest, b.call(t, "/serein.web.v1.PagesService/GetText", `{"name":"other"}`).StatusCode)
	sitemap := b.call(t, "/serein.web.v1.PagesService/GetSitemap", "{}").body
	require.Contains(t, sitemap, "AI Chat")
	require.Contains(t, sitemap, `"path":"/journey"`)
	require.NotContains(t, sitemap, "/retreats", "the app has no such page yet")
}

func TestSearchEnginesFindTheOpenPagesAndEveryArticle(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	got := b.get(t, "/sitemap.xml")
	require.Equal(t, "application/xml; charset=utf-8", got.Header.Get("Content-Type"))
	require.Contains(t, got.body, "<loc>"+s.gateways[0].URL+"/</loc>")
	require.Contains(t, got.body, "<loc>"+s.gateways[0].URL+"/articles/"+openSlug+"</loc>")
	require.Contains(t, got.body, "<lastmod>2026-11-03</lastmod>")
	require.NotContains(t, got.body, "/journey")
	require.NotContains(t, got.body, "/apparel", "the app has no such page yet")
	robots := strings.Split(b.get(t, "/robots.txt").body, "\n")
	for _, line := range []string{"User-agent: *", "Disallow: /api/", "Disallow: /auth/", "Sitemap: " + s.gateways[0].URL + "/sitemap.xml"} {
		require.Contains(t, robots, line)
	}
}

func TestRFC9116SecurityTxtSaysWhereToWrite(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	got := s.gateways[0].browser(t).get(t, "/.well-known/security.txt")
	require.Equal(t, http.StatusOK, got.StatusCode)
	require.Equal(t, "text/plain; charset=utf-8", got.Header.Get("Content-Type"))
	lines := strings.Split(got.body, "\n")
	require.Contains(t, lines, "Contact: "+s.gateways[0].URL+"/contact")
	require.Contains(t, lines, "Canonical: "+s.gateways[0].URL+"/.well-known/security.txt")
	ends, err := time.Parse(time.RFC3339, strings.TrimPrefix(lines[1], "Expires: "))
	require.NoError(t, err)
	require.WithinRange(t, ends, s.clock.Now(), s.clock.Now().AddDate(1, 0, 0), "in less than a year")
}

// It is long, and costs content much: all who ask for it, as a page or a file, cost one question.
func TestTheSitemapIsAskedForOnceAndStaysWhileContentIsAway(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	all := func() {
		require.Equal(t, http.StatusOK, b.get(t, "/sitemap.xml").StatusCode)
		require.Contains(t, b.call(t, "/serein.web.v1.PagesService/GetSitemap", "{}").body, "AI Chat")
	}
	all()
	all()
	s.services.mu.Lock()
	require.Equal(t, 1, s.services.asked[contentv1connect.PageServiceGetSitemapProcedure])
	s.services.mu.Unlock()
	s.services.failing(contentv1connect.PageServiceGetSitemapProcedure, errs.ErrUnavailable)
	s.clock.Move(24 * time.Hour)
	all()
}
