package gateway

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/errs"
)

func TestACallersGRPCHeadersChangeNothing(t *testing.T) {
	t.Parallel()
	s := start(t, 1, waiting(time.Millisecond))
	b := s.member(t)
	got := b.own(t, http.MethodPost, "/api/generateMeditation", wanted,
		"Grpc-Timeout", "1n", "Grpc-Metadata-Idempotency-Key", "x", "Grpc-Metadata-Authorization", "x", "grpc-encoding", "gzip")
	require.Equal(t, http.StatusAccepted, got.StatusCode, got.body)
	for _, timeout := range []string{"1n", "nonsense", "99999999H"} {
		require.Equal(t, http.StatusOK, b.own(t, http.MethodGet, "/api/GetUser", "", "Grpc-Timeout", timeout).StatusCode)
	}
}

func TestALostAnswerIsAskedForAgainAndNeverAFailure(t *testing.T) {
	t.Parallel()
	s := start(t, 1, waiting(time.Millisecond))
	b := s.member(t)
	s.services.lose(1)
	once := b.own(t, http.MethodPost, "/api/generateMeditation", wanted, "Idempotency-Key", "first")
	require.Equal(t, http.StatusAccepted, once.StatusCode, once.body)
	require.Equal(t, s.services.meditations[0].m.GetId(), tree(t, once.body)["id"])
	require.Len(t, s.services.meditations, 1)

	s.services.lose(100)
	for _, headers := range [][]string{{"Idempotency-Key", "second"}, nil} {
		unknown := b.own(t, http.MethodPost, "/api/generateMeditation", wanted, headers...)
		require.Equal(t, http.StatusAccepted, unknown.StatusCode, unknown.body)
		require.Empty(t, tree(t, unknown.body)["id"])
		require.Equal(t, "/api/bespokeMeditations", unknown.Header.Get("Location"))
		s.services.lose(0)
		before := len(s.services.meditations)
		again := b.own(t, http.MethodPost, "/api/generateMeditation", wanted, "Idempotency-Key", unknown.Header.Get("Idempotency-Key"))
		require.NotEmpty(t, tree(t, again.body)["id"], again.body)
		require.Len(t, s.services.meditations, before, "the key of the answer is the same request")
		s.services.lose(100)
	}

	create := generationv1connect.MeditationServiceCreateMeditationProcedure
	s.services.failing(create, errs.New(errs.DeadlineExceeded, errorsv1.Reason_REASON_DEADLINE_EXCEEDED, "Too late."))
	require.Equal(t, http.StatusAccepted, b.own(t, http.MethodPost, "/api/generateMeditation", wanted).StatusCode)
	s.services.failing(create, errs.ErrUnavailable)
	b.own(t, http.MethodPost, "/api/generateMeditation", wanted).failed(t, http.StatusServiceUnavailable, "UNAVAILABLE")
}

func TestTheSameRequestWithoutAKeyIsOneMeditationADay(t *testing.T) {
	t.Parallel()
	s := start(t, 1, waiting(time.Millisecond))
	b := s.member(t)
	ask := func(b *browser, body string) string {
		got := b.own(t, http.MethodPost, "/api/generateMeditation", body)
		require.Contains(t, []int{http.StatusOK, http.StatusAccepted}, got.StatusCode, got.body)
		id, _ := tree(t, got.body)["id"].(string)
		require.NotEmpty(t, id)
		return id
	}
	first := ask(b, wanted)
	require.Equal(t, first, ask(b, wanted))
	s.finish(first, generationv1.Stage_STAGE_READY)
	require.Equal(t, first, ask(b, wanted), "ready, and its answer may have been lost")
	require.NotEqual(t, first, ask(b, `{"title":"Another"}`))
	require.NotEqual(t, first, ask(s.other(t), wanted), "another member's is another")
	for _, ended := range []generationv1.Stage{
		generationv1.Stage_STAGE_FAILED, generationv1.Stage_STAGE_CANCELLED, generationv1.Stage_STAGE_REFUNDED,
	} {
		s.finish(first, ended)
		next := ask(b, wanted)
		require.NotEqual(t, first, next, "nothing is left of it")
		require.Equal(t, next, ask(b, wanted))
		first = next
	}
	require.NotEqual(t, first, s.rest(t, s.token(nil, everyScope), http.MethodPost, "/api/generateMeditation", wanted, "Idempotency-Key", "another").body)
	s.clock.Move(24 * time.Hour)
	tomorrow := s.member(t)
	require.NotEqual(t, first, ask(tomorrow, wanted))
}
