package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/crowd"
)

const crisisBody = `{"title":"` + crisis + `"}`

func TestATitleIsJudgedForVisitorsAndIsNoGET(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	visitor := s.gateways[0].browser(t)
	require.Equal(t, http.StatusOK, visitor.call(t, generator+"CheckTitle", `{"title":"A quiet evening"}`).StatusCode)
	care := visitor.call(t, generator+"CheckTitle", crisisBody)
	require.Equal(t, http.StatusBadRequest, care.StatusCode)
	require.Equal(t, "TITLE_NEEDS_CARE", care.reason(t))
	require.NotContains(t, care.body, crisis)
	read := visitor.get(t, generator+"CheckTitle?connect=v1&encoding=json&message=%7B%7D", "X-Serein", "1")
	require.Equal(t, http.StatusMethodNotAllowed, read.StatusCode, "an address would carry the title into logs")
	require.Empty(t, s.services.subjectOf(generationv1connect.MeditationServiceCheckTitleProcedure).UID)
	require.Zero(t, s.services.asks(generationv1connect.MeditationServiceCreateMeditationProcedure))
}

func TestCheckingTitlesIsCountedByAddressApartFromAllElse(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	visitor := s.gateways[0].browser(t)
	for range 10 * crowd.Size {
		require.Equal(t, "TITLE_NEEDS_CARE", visitor.call(t, generator+"CheckTitle", crisisBody).reason(t))
	}
	over := s.gateways[0].browser(t).call(t, generator+"CheckTitle", crisisBody)
	require.Equal(t, http.StatusTooManyRequests, over.StatusCode)
	require.NotEmpty(t, over.Header.Get("Retry-After"))
	require.Equal(t, http.StatusOK, s.member(t).call(t, generator+"Generate", generateBody).StatusCode)
}

// A member at the limit may be the one who needs another person most.
func TestAMemberAtTheGenerateLimitStillGetsWordsOfCare(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	m := s.member(t)
	care := strings.Replace(generateBody, "A kind evening", crisis, 1)
	requireCare := func() {
		t.Helper()
		require.Equal(t, "TITLE_NEEDS_CARE", m.call(t, generator+"Generate", care).reason(t))
		m.own(t, http.MethodPost, "/api/generateMeditation", crisisBody).failed(t, http.StatusConflict, "TITLE_NEEDS_CARE")
	}
	for range 10 {
		requireCare()
	}
	for range 15 {
		require.Equal(t, http.StatusOK, m.call(t, generator+"Generate", generateBody).StatusCode, "what was refused is not counted")
	}
	require.Equal(t, http.StatusTooManyRequests, m.call(t, generator+"Generate", generateBody).StatusCode)
	requireCare()
	require.Equal(t, 15, s.services.asks(generationv1connect.MeditationServiceCreateMeditationProcedure))
}
