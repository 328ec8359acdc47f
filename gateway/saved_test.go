package gateway

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

const (
	getJourney = webv1connect.JourneyServiceGetJourneyProcedure
	listSaved  = webv1connect.JourneyServiceListSavedProcedure
)

func (s *stack) saves(tb testing.TB, b *browser, id string, saved string) {
	tb.Helper()
	got := b.call(tb, webv1connect.ItemServiceSetSavedProcedure, `{"item":{"kind":"ITEM_KIND_ARTICLE","id":"`+id+`"},"saved":`+saved+`}`)
	require.Equal(tb, http.StatusOK, got.StatusCode, got.body)
}

func TestWhatIsSavedIsAnsweredAsTheCardsOfItsTab(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.saves(t, b, "id-"+openSlug, "true")
	articles := tree(t, b.call(t, listSaved, `{"kind":"SAVED_KIND_ARTICLE"}`).body)
	require.Equal(t, openSlug, at(t, articles, "articles", 0, "slug"))
	require.Equal(t, true, at(t, articles, "articles", 0, "standing", "saved"))
	require.EqualValues(t, 1, articles["total"])
	require.Equal(t, "next", articles["nextPageToken"])

	library := tree(t, b.call(t, listSaved, `{"kind":"SAVED_KIND_LIBRARY","search":"rain","pageToken":"p"}`).body)
	require.Equal(t, "/media/narrations/3f2a.mp3", at(t, library, "meditations", 0, "audioUrl"))
	require.NotEmpty(t, at(t, library, "tracks", 0, "url"))
	require.NotContains(t, articles, "tracks")
	asked, ok := s.services.lastRequest("ListSavedRequest").(*contentv1.ListSavedRequest)
	require.True(t, ok)
	require.Equal(t, []any{contentv1.ItemKind_ITEM_KIND_MEDITATION, false, "rain", "p"}, []any{asked.GetKind(), asked.GetIntro(), asked.GetSearch(), asked.GetPageToken()})
	require.Contains(t, s.services.subjectOf(contentv1connect.ItemServiceListSavedProcedure).Entitlements, "library", "what may be heard depends on it")

	require.NotContains(t, tree(t, b.call(t, listSaved, `{"kind":"SAVED_KIND_INTRODUCTION"}`).body), "meditations")
	for _, odd := range []string{`{}`, `{"kind":7}`} {
		require.Equal(t, http.StatusBadRequest, b.call(t, listSaved, odd).StatusCode, odd)
	}
}

func TestMyJourneyIsCountedTabByTab(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.give(s.uid(), meditation("0192f0c1-0000-7000-8000-0000000000a2", generationv1.Stage_STAGE_FAILED))
	gone := meditation("0192f0c1-0000-7000-8000-0000000000a3", generationv1.Stage_STAGE_DELETED)
	gone.DeletesAt = goesAt
	s.services.give(s.uid(), gone)
	s.services.keeps(s.uid(), 2)
	s.saves(t, b, "id-"+openSlug, "true")
	require.Equal(t, map[string]any{"introductions": 0., "bespoke": 1., "library": 2., "articles": 1., "deleted": 1.}, tree(t, b.call(t, getJourney, "{}").body))
	found := tree(t, b.call(t, getJourney, `{"search":"breath"}`).body)
	require.EqualValues(t, 1, found["articles"])
	require.EqualValues(t, 0, tree(t, b.call(t, getJourney, `{"search":"Lanterns"}`).body)["articles"])
	search, ok := s.services.lastRequest("SearchRequest").(*contentv1.SearchRequest)
	require.True(t, ok)
	require.Equal(t, []any{"Lanterns", contentv1.ItemKind_ITEM_KIND_BESPOKE}, []any{search.GetText(), search.GetKind()})
	both := tree(t, b.call(t, getJourney, `{"search":"`+gone.GetTitle()+`"}`).body)
	require.EqualValues(t, 3, both["bespoke"], "the two, and one that content does not know yet")
	require.EqualValues(t, 2, both["deleted"])
}

func TestTheNumbersOfAServiceThatIsAwayAreLeftOut(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.failing(contentv1connect.ItemServiceCountSavedProcedure, errAway)
	require.Equal(t, map[string]any{"bespoke": 0., "deleted": 0.}, tree(t, b.call(t, getJourney, "{}").body))
	s.services.failing(generationv1connect.MeditationServiceCountMeditationsProcedure, errAway)
	require.Equal(t, "UNAVAILABLE", b.call(t, getJourney, "{}").reason(t))
	s.services.failing(contentv1connect.ItemServiceCountSavedProcedure, nil)
	require.Equal(t, map[string]any{"introductions": 0., "library": 0., "articles": 0.}, tree(t, b.call(t, getJourney, "{}").body))
}

func TestTheNumberBesideMyJourneyHasWhatIsKeptOfTheLibrary(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.keeps(s.uid(), 2)
	require.EqualValues(t, 3, at(t, b.shown(t), "journeyCount"))
	s.services.keeps(s.uid(), 3)
	s.saves(t, b, "id-"+openSlug, "true")
	require.EqualValues(t, 4, at(t, b.shown(t), "journeyCount"), "an article is no meditation, and an act is read back at once")
}

func TestAmongWhatIsDeletedIsSearchedToo(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	kept, marked := meditation(mine, generationv1.Stage_STAGE_READY), meditation("0192f0c1-0000-7000-8000-0000000000a2", generationv1.Stage_STAGE_READY)
	marked.DeletesAt = goesAt
	for _, m := range []*generationv1.Meditation{kept, marked} {
		s.services.give(s.uid(), m)
	}
	require.Equal(t, []string{marked.GetId()}, b.listed(t, `{"deleted":true,"search":"`+kept.GetTitle()+`"}`))
	require.Equal(t, []string{mine}, b.listed(t, `{"search":"`+kept.GetTitle()+`"}`))
}

func TestTheirOwnAreSearchedByContentAndShownAsGenerationHasThem(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	first, second := meditation(mine, generationv1.Stage_STAGE_READY), meditation("0192f0c1-0000-7000-8000-0000000000a2", generationv1.Stage_STAGE_READY)
	for _, m := range []*generationv1.Meditation{first, second} {
		s.services.give(s.uid(), m)
	}
	got := tree(t, b.call(t, listBespoke, `{"search":"`+first.GetTitle()+`","pageToken":"p"}`).body)
	meditations, _ := got["meditations"].([]any)
	require.Len(t, meditations, 2, "in content's order, and nobody else's")
	require.Equal(t, second.GetId(), at(t, meditations, 0, "id"))
	require.Equal(t, mine, at(t, meditations, 1, "id"))
	require.Equal(t, "further", got["nextPageToken"])
	asked, ok := s.services.lastRequest("SearchRequest").(*contentv1.SearchRequest)
	require.True(t, ok)
	require.Equal(t, "p", asked.GetPageToken())
}
