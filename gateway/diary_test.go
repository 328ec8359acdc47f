package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

const (
	listEntries = webv1connect.DiaryServiceListEntriesProcedure
	addEntry    = webv1connect.DiaryServiceAddEntryProcedure
	changeLine  = webv1connect.DiaryServiceChangeEntryProcedure
)

func TestAMemberReadsTheirDiaryPageByPage(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	first := tree(t, b.call(t, listEntries, `{}`).body)
	require.Equal(t, true, at(t, first, "keeping"))
	require.Equal(t, map[string]any{
		"id": mine, "day": "2026-11-03", "at": "2026-11-03T09:00:00Z", "item": map[string]any{"kind": "ITEM_KIND_MEDITATION", "id": lake}, "title": "The lake after rain",
		"heardMs": "492000", "finished": true, "line": "Slept.", "available": true, "immersive": true,
	}, at(t, first, "entries", 0))
	rest := tree(t, b.call(t, listEntries, `{"pageToken":"older","pageSize":500}`).body)
	require.Equal(t, map[string]any{"id": sat, "day": "2026-11-02", "at": "2026-11-03T09:00:00Z", "line": "Sat by myself.", "byHand": true}, at(t, rest, "entries", 0))
	require.NotContains(t, rest, "nextPageToken")
	require.Equal(t, http.StatusBadRequest, b.call(t, listEntries, `{"pageSize":501}`).StatusCode)
	s.services.failing(contentv1connect.DiaryServiceListEntriesProcedure, errAway)
	require.Equal(t, "UNAVAILABLE", b.call(t, listEntries, `{}`).reason(t))
}

func TestAMemberWritesTheirDiary(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	require.Empty(t, tree(t, b.call(t, webv1connect.DiaryServiceSetKeepingProcedure, `{"keeping":true}`).body))
	kept, ok := s.services.lastRequest("SetKeepingRequest").(*contentv1.SetKeepingRequest)
	require.True(t, ok)
	require.True(t, kept.GetKeeping())
	added := tree(t, b.call(t, addEntry, `{"requestId":"`+mine+`","day":"2026-11-03","line":"Sat by myself."}`).body)
	require.Equal(t, map[string]any{"id": mine, "day": "2026-11-03", "at": "2026-11-03T09:00:00Z", "line": "Sat by myself.", "byHand": true}, at(t, added, "entry"))
	require.Equal(t, "Better.", at(t, tree(t, b.call(t, changeLine, `{"id":"`+mine+`","line":"Better."}`).body), "entry", "line"))
	require.Empty(t, tree(t, b.call(t, webv1connect.DiaryServiceRemoveEntryProcedure, `{"id":"`+mine+`"}`).body))
	require.Equal(t, mine, at(t, tree(t, b.call(t, webv1connect.DiaryServiceRestoreEntryProcedure, `{"id":"`+mine+`"}`).body), "entry", "id"))
	require.Empty(t, tree(t, b.call(t, webv1connect.DiaryServiceEmptyDiaryProcedure, `{}`).body))
	for _, odd := range []string{
		`{"requestId":"x","day":"2026-11-03","line":"A"}`, `{"requestId":"` + mine + `","day":"3 November","line":"A"}`,
		`{"requestId":"` + mine + `","day":"2026-11-03","line":"` + strings.Repeat("a", 281) + `"}`,
	} {
		require.Equal(t, http.StatusBadRequest, b.call(t, addEntry, odd).StatusCode, odd)
	}
}

func TestAnotherMembersEntryIsNotFound(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for _, procedure := range []string{changeLine, webv1connect.DiaryServiceRestoreEntryProcedure} {
		got := b.call(t, procedure, `{"id":"`+theirs+`"}`)
		require.Equal(t, http.StatusNotFound, got.StatusCode)
		require.Equal(t, "DIARY_ENTRY_NOT_FOUND", got.reason(t))
	}
}

func TestThePlayerLearnsOfTheEntryThatHasNoLine(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	got := tree(t, b.call(t, savePlace, heardLake+`,"turn":"7","step":"3","positionMs":"492000","durationMs":"492000","utcOffsetMinutes":-210}`).body)
	require.Equal(t, map[string]any{"diaryEntryId": mine}, got)
	asked, ok := s.services.lastRequest("SavePlaceRequest").(*contentv1.SavePlaceRequest)
	require.True(t, ok)
	require.EqualValues(t, -210, asked.GetUtcOffsetMinutes())
}

// What members write for themselves is in no line of the log.
func TestNothingOfADiaryIsLogged(t *testing.T) {
	t.Parallel()
	log := &lines{}
	s := start(t, 1, logged(log))
	b := s.member(t)
	const secret = "a-line-that-nobody-reads"
	s.services.failing(contentv1connect.DiaryServiceAddEntryProcedure, errAway)
	b.call(t, addEntry, `{"requestId":"`+mine+`","day":"2026-11-03","line":"`+secret+`"}`)
	b.call(t, changeLine, `{"id":"`+theirs+`","line":"`+secret+`"}`)
	require.NotEmpty(t, log.String())
	require.NotContains(t, log.String(), secret)
}
