package gateway

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/crowd"
	"serein.app/services/platform/errs"
)

const crisisBody = `{"title":"` + crisis + `"}`

// careBody is a press of Generate with that title.
var careBody = strings.Replace(generateBody, "A kind evening", crisis, 1)

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
	requireCare := func() {
		t.Helper()
		require.Equal(t, "TITLE_NEEDS_CARE", m.call(t, generator+"Generate", careBody).reason(t))
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
	require.Len(t, s.services.created, 15)
}

// A press asks generation once. A title that is refused within the limit is judged by the same call; only over the limit, where nothing
// may be made, is CheckTitle asked.
func TestAPressJudgesItsTitleOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1), waiting(time.Millisecond))
	m := s.member(t)
	create, check := generationv1connect.MeditationServiceCreateMeditationProcedure, generationv1connect.MeditationServiceCheckTitleProcedure
	press := func(body string) answer { return m.call(t, generator+"Generate", body) }
	rest := func(body string) answer { return m.own(t, http.MethodPost, "/api/generateMeditation", body) }
	requireAsked := func(created, checked int, ask func()) {
		t.Helper()
		creates, checks := s.services.asks(create), s.services.asks(check)
		ask()
		require.Equal(t, created, s.services.asks(create)-creates, "CreateMeditation")
		require.Equal(t, checked, s.services.asks(check)-checks, "CheckTitle")
	}
	requireAsked(1, 0, func() { require.Equal(t, http.StatusOK, press(generateBody).StatusCode) })
	requireAsked(1, 0, func() { require.Equal(t, http.StatusAccepted, rest(wanted).StatusCode) })
	requireAsked(1, 0, func() { require.Equal(t, "TITLE_NEEDS_CARE", press(careBody).reason(t)) })
	requireAsked(1, 0, func() { rest(crisisBody).failed(t, http.StatusConflict, "TITLE_NEEDS_CARE") })
	for range 13 {
		require.Equal(t, http.StatusOK, press(generateBody).StatusCode)
	}
	requireAsked(0, 1, func() { require.Equal(t, http.StatusTooManyRequests, press(generateBody).StatusCode) })
	requireAsked(0, 1, func() { rest(wanted).failed(t, http.StatusTooManyRequests, "TOO_MANY_REQUESTS") })
	requireAsked(0, 1, func() { require.Equal(t, "TITLE_NEEDS_CARE", press(careBody).reason(t)) })
	requireAsked(0, 1, func() { rest(crisisBody).failed(t, http.StatusConflict, "TITLE_NEEDS_CARE") })
}

// What refuses a request before generation sees its title does not keep words of care back.
func TestCareComesBeforeEveryOtherRefusal(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	m := s.member(t)
	s.services.failing(contentv1connect.CatalogueServiceGetCatalogueProcedure, errs.ErrUnavailable)
	m.own(t, http.MethodPost, "/api/generateMeditation", wanted).failed(t, http.StatusServiceUnavailable, "UNAVAILABLE")
	m.own(t, http.MethodPost, "/api/generateMeditation", crisisBody).failed(t, http.StatusConflict, "TITLE_NEEDS_CARE")
	require.Empty(t, s.services.created)
}
