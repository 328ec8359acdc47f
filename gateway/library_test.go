package gateway

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
)

const (
	listMeditations      = "/serein.web.v1.LibraryService/ListMeditations"
	getLibraryMeditation = "/serein.web.v1.LibraryService/GetLibraryMeditation"
	searchAll            = "/serein.web.v1.SearchService/Search"
)

func TestTheLibraryIsAnsweredWithItsCountsAndSounds(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	got := tree(t, b.call(t, listMeditations, `{"sound":"SOUND_IMMERSIVE","category":"better-sleep","search":"rain","onlyUnverified":true,"pageSize":12,"pageToken":"p"}`).body)
	require.EqualValues(t, 29, at(t, got, "all"))
	require.EqualValues(t, 16, at(t, got, "immersive"))
	require.EqualValues(t, 12, at(t, got, "narrating"))
	cards, _ := at(t, got, "meditations").([]any)
	require.Len(t, cards, 1)
	require.Equal(t, "/media/narrations/3f2a.mp3", at(t, cards[0], "audioUrl"))
	require.Equal(t, true, at(t, cards[0], "standing", "saved"))
	tracks, _ := at(t, got, "tracks").([]any)
	require.Equal(t, "/media/tracks/rain-3f2a.mp3", at(t, tracks[0], "url"))

	asked, ok := s.services.lastRequest("ListMeditationsRequest").(*contentv1.ListMeditationsRequest)
	require.True(t, ok)
	require.Equal(t, []any{contentv1.Sound_SOUND_IMMERSIVE, "better-sleep", "rain", true, int32(12), "p"},
		[]any{asked.GetSound(), asked.GetCategory(), asked.GetSearch(), asked.GetOnlyUnverified(), asked.GetPageSize(), asked.GetPageToken()})
	subject := s.services.subjectOf(contentv1connect.LibraryServiceListMeditationsProcedure)
	require.Contains(t, subject.Entitlements, "library")
	require.False(t, subject.Admin)
}

func TestTheLibraryOutlivesItsSounds(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.failing(contentv1connect.CatalogueServiceGetCatalogueProcedure, errAway)
	got := s.member(t).call(t, listMeditations, "{}")
	require.Equal(t, http.StatusOK, got.StatusCode)
	require.NotContains(t, tree(t, got.body), "tracks")
}

func TestAMeditationOfTheLibraryIsAnsweredWithItsScript(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	require.Equal(t, []any{"Rest here."}, at(t, tree(t, b.call(t, getLibraryMeditation, `{"id":"`+lake+`"}`).body), "paragraphs"))
	require.Equal(t, "ITEM_NOT_FOUND", b.call(t, getLibraryMeditation, `{"id":"nowhere"}`).reason(t))
}

// Admins look after the library, whatever their plan.
func TestAdminsReachTheLibraryWithoutAPlan(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.subscribed(s.uid(), nil)
	b := s.member(t)
	require.Equal(t, http.StatusForbidden, b.call(t, listMeditations, "{}").StatusCode)
	require.False(t, b.opens(t, "/library"))
	s.services.is(s.uid(), true)
	require.Equal(t, http.StatusOK, b.call(t, listMeditations, "{}").StatusCode)
	require.True(t, b.opens(t, "/library"))
}

func TestASearchAnswersInPiecesAndKnowsWhoAsks(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	got := tree(t, b.call(t, searchAll, `{"text":"rain","kind":"ITEM_KIND_MEDITATION","pageSize":5}`).body)
	groups, _ := at(t, got, "groups").([]any)
	require.Len(t, groups, 1)
	require.Equal(t, "ITEM_KIND_MEDITATION", at(t, groups[0], "kind"))
	require.EqualValues(t, 4, at(t, groups[0], "total"))
	matches, _ := at(t, groups[0], "matches").([]any)
	title, _ := at(t, matches[0], "title").([]any)
	require.Equal(t, []any{map[string]any{"text": "The lake after "}, map[string]any{"text": "rain", "matched": true}}, title)
	asked, ok := s.services.lastRequest("SearchRequest").(*contentv1.SearchRequest)
	require.True(t, ok)
	require.Equal(t, contentv1.ItemKind_ITEM_KIND_MEDITATION, asked.GetKind())
	require.Contains(t, s.services.subjectOf(contentv1connect.SearchServiceSearchProcedure).Entitlements, "library")
	require.Equal(t, http.StatusUnauthorized, s.gateways[0].browser(t).call(t, searchAll, `{"text":"rain"}`).StatusCode)
}
