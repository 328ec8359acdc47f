package gateway

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

const (
	startListening = webv1connect.PlayerServiceStartListeningProcedure
	savePlace      = webv1connect.PlayerServiceSavePlaceProcedure
	getPlace       = webv1connect.PlayerServiceGetPlaceProcedure
	listPlaces     = webv1connect.PlayerServiceListPlacesProcedure
	heardLake      = `{"item":{"kind":"ITEM_KIND_MEDITATION","id":"` + lake + `"}`
)

// device is the id by which content knows the device that began last.
func (s *stack) device(t *testing.T) string {
	t.Helper()
	asked, ok := s.services.lastRequest("StartListeningRequest").(*contentv1.StartListeningRequest)
	require.True(t, ok)
	return asked.GetDevice()
}

func TestASecondDeviceIsAskedAndTakesOver(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	phone, desk := s.member(t), s.member(t)
	require.Equal(t, map[string]any{"otherDevice": true, "otherTitle": "The lake after rain"}, tree(t, phone.call(t, startListening, heardLake+`}`).body))
	of := s.device(t)
	phone.call(t, startListening, heardLake+`}`)
	require.Equal(t, of, s.device(t), "one session is one device")
	require.Equal(t, map[string]any{"turn": "7", "positionMs": "61000", "lastTurn": "6"}, tree(t, desk.call(t, startListening, heardLake+`,"takeOver":true}`).body))
	require.NotEqual(t, of, s.device(t))
	require.Contains(t, s.services.subjectOf(contentv1connect.PlaceServiceStartListeningProcedure).Entitlements, "library", "what may be heard depends on it")
	stranger := phone.call(t, startListening, `{"item":{"kind":"ITEM_KIND_BESPOKE","id":"`+theirs+`"},"takeOver":true}`)
	require.Equal(t, "ITEM_NOT_FOUND", stranger.reason(t))
}

func TestAPlaceIsWrittenAndReadBack(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	require.Equal(t, map[string]any{"positionMs": "61000", "turn": "6"}, tree(t, b.call(t, getPlace, heardLake+`}`).body))
	require.Equal(t, map[string]any{"moved": true}, tree(t, b.call(t, savePlace, heardLake+`,"turn":"6","step":"1","positionMs":"5000","durationMs":"492000","playing":true}`).body))
	require.Empty(t, tree(t, b.call(t, savePlace, heardLake+`,"turn":"7","step":"2","positionMs":"5000","durationMs":"492000"}`).body))
	asked, ok := s.services.lastRequest("SavePlaceRequest").(*contentv1.SavePlaceRequest)
	require.True(t, ok)
	require.Equal(t, []any{int64(7), int64(2), int64(5000), int64(492_000), false}, []any{asked.GetTurn(), asked.GetStep(), asked.GetPositionMs(), asked.GetDurationMs(), asked.GetPlaying()})
	for _, odd := range []string{
		`{}`, heardLake + `}`, heardLake + `,"turn":"0","step":"1","durationMs":"1"}`, heardLake + `,"turn":"1","step":"1","durationMs":"86400001"}`,
		heardLake + `,"turn":"1","step":"1","positionMs":"-1","durationMs":"1"}`,
	} {
		require.Equal(t, http.StatusBadRequest, b.call(t, savePlace, odd).StatusCode, odd)
	}
}

func TestWhatWasBegunIsListedWithItsCardsAsFarAsServicesAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	ids := func(body string) (ids []any) {
		places, _ := tree(t, b.call(t, listPlaces, body).body)["places"].([]any)
		for i := range places {
			ids = append(ids, at(t, places, i, "item", "id"))
		}
		return ids
	}
	require.Equal(t, []any{lake, mine, "id-" + openSlug}, ids(`{}`))
	require.Equal(t, []any{lake, mine}, ids(`{"pageSize":2}`))
	got := tree(t, b.call(t, listPlaces, `{}`).body)
	require.Equal(t, "/media/narrations/3f2a.mp3", at(t, got, "places", 0, "meditation", "audioUrl"))
	require.Equal(t, "61000", at(t, got, "places", 0, "positionMs"))
	require.Equal(t, "A kind evening", at(t, got, "places", 1, "bespoke", "title"))
	require.NotEmpty(t, at(t, got, "tracks", 0, "url"))
	s.services.failing(generationv1connect.MeditationServiceBatchGetMeditationsProcedure, errAway)
	require.Equal(t, []any{lake, "id-" + openSlug}, ids(`{}`))
	s.services.failing(contentv1connect.PlaceServiceListPlacesProcedure, errAway)
	require.Equal(t, "UNAVAILABLE", b.call(t, listPlaces, `{}`).reason(t))
	require.Equal(t, http.StatusBadRequest, b.call(t, listPlaces, `{"pageSize":11}`).StatusCode)
}

func TestPlacesAreWrittenSoOftenAtMost(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	b := s.member(t)
	const write = heardLake + `,"turn":"7","step":"1","durationMs":"492000","playing":true}`
	refused := 0
	for range 150 {
		if b.call(t, savePlace, write).StatusCode == http.StatusTooManyRequests {
			refused++
		}
		s.clock.Move(50 * time.Millisecond) // the limit of all calls is another one
	}
	require.Positive(t, refused)
	require.Less(t, refused, 60)
}
