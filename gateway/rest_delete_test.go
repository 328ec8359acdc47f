package gateway

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/errs"
)

const deleteStatus = "/api/updateMeditationDeleteStatus"

// willDelete is what the member's one meditation says of its end.
func (b *browser) willDelete(t *testing.T) any {
	t.Helper()
	got := b.own(t, http.MethodGet, "/api/bespokeMeditations", "")
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	return at(t, tree(t, got.body), "items", 0, "willDelete")
}

func TestAMeditationIsMarkedAndRecoveredByItsUid(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	b := s.member(t)
	require.Equal(t, false, b.willDelete(t))
	got := b.own(t, http.MethodPost, deleteStatus, `{"user_id":"`+s.uid()+`","uid":"`+mine+`","action":"mark"}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.JSONEq(t, `{}`, got.body)
	require.InDelta(t, 1_800_000_000, b.willDelete(t), 0, "seconds, and it is still listed")
	require.NotContains(t, b.shown(t), "journeyCount")
	token := s.token(nil, "serein.meditation.write")
	require.Equal(t, http.StatusOK, s.rest(t, token, http.MethodPost, deleteStatus, `{"uid":"`+mine+`","action":"recover"}`).StatusCode)
	require.Equal(t, false, b.willDelete(t))
}

func TestWhatIsGoneIsListedWithoutWordsAndSound(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	gone := meditation(mine, generationv1.Stage_STAGE_DELETED)
	gone.DeletesAt = goesAt
	s.services.give(s.uid(), gone, &generationv1.Segment{Lines: []*generationv1.Line{{Text: "Welcome."}}})
	b := s.member(t)
	for _, path := range []string{"/api/bespokeMeditations", "/api/bespokeMeditations?uid=" + mine} {
		item := at(t, tree(t, b.own(t, http.MethodGet, path, "").body), "items", 0)
		require.Equal(t, []any{"", "", 1.8e9}, []any{at(t, item, "content"), at(t, item, "audioUrl"), at(t, item, "willDelete")})
	}
}

// The specification: an error field signals failure, and it has words for that.
func TestAMarkThatFailsSaysSo(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.give(someone, meditation(theirs, generationv1.Stage_STAGE_READY))
	b := s.member(t)
	failed := func(body string, status int, reason, field, why string) {
		t.Helper()
		got := b.own(t, http.MethodPost, deleteStatus, body).failed(t, status, reason)
		require.Equal(t, field, got.Field, body)
		require.True(t, strings.HasPrefix(got.Error, "Failed to update meditation delete status. "+why), got.Error)
	}
	const mark, recovery = `{"uid":"` + mine + `","action":"mark"}`, `{"uid":"` + mine + `","action":"recover"}`
	failed(recovery, http.StatusConflict, "MEDITATION_NOT_MARKED", "", "It is not deleted.")
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, deleteStatus, mark).StatusCode)
	failed(mark, http.StatusConflict, "MEDITATION_MARKED", "", "It is among the recently deleted ones already.")
	for _, action := range []string{"", "delete", "MARK", "mark "} {
		failed(`{"uid":"`+mine+`","action":"`+action+`"}`, http.StatusBadRequest, "INVALID_ARGUMENT", "action", "")
	}
	for _, uid := range []string{theirs, "", "nonsense", "' OR 1=1 --"} {
		failed(`{"uid":"`+uid+`","action":"mark"}`, http.StatusNotFound, "MEDITATION_NOT_FOUND", "", "")
	}
	for _, uid := range []string{someone, "nonsense"} {
		failed(`{"user_id":"`+uid+`","uid":"`+mine+`","action":"recover"}`, http.StatusNotFound, "USER_NOT_FOUND", "", "There is no such member.")
	}
	s.services.is(s.uid(), true)
	failed(`{"user_id":"`+someone+`","uid":"`+theirs+`","action":"mark"}`, http.StatusNotFound, "USER_NOT_FOUND", "", "There is no such member.")
	s.services.failing(generationv1connect.MeditationServiceRecoverMeditationProcedure,
		errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEDITATION_DELETED, "It is gone."))
	failed(recovery, http.StatusConflict, "MEDITATION_DELETED", "", "It is gone.")
	s.services.failing(generationv1connect.MeditationServiceRecoverMeditationProcedure, errs.ErrUnavailable)
	failed(recovery, http.StatusServiceUnavailable, "UNAVAILABLE", "", "We did not hear whether it was changed")
	s.rest(t, s.account(everyScope), http.MethodPost, deleteStatus, mark).failed(t, http.StatusForbidden, "FORBIDDEN")
	s.rest(t, s.token(nil, "serein.meditation.read"), http.MethodPost, deleteStatus, mark).failed(t, http.StatusForbidden, "SCOPE_REQUIRED")
	s.rest(t, "", http.MethodPost, deleteStatus, mark).failed(t, http.StatusUnauthorized, "UNAUTHENTICATED")
}

func TestTheSameRequestAfterADeletionMakesAnother(t *testing.T) {
	t.Parallel()
	b := start(t, 1, waiting(time.Millisecond)).member(t)
	ask := func() string {
		got := b.own(t, http.MethodPost, "/api/generateMeditation", wanted)
		made, _ := tree(t, got.body)["id"].(string)
		require.NotEmpty(t, made, got.body)
		return made
	}
	first := ask()
	require.Equal(t, first, ask())
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, deleteStatus, `{"uid":"`+first+`","action":"mark"}`).StatusCode)
	require.NotEqual(t, first, ask(), "its member wants that gone")
}
