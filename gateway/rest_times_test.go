package gateway

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/deadline"
)

func TestEveryCallIsBoundedAsCallersArePromised(t *testing.T) {
	t.Parallel()
	s := start(t, 1, waiting(time.Millisecond))
	b := s.member(t)
	require.Equal(t, http.StatusOK, b.own(t, http.MethodGet, "/api/GetUser", "").StatusCode)
	read := s.services.limitOf(billingv1connect.AccountServiceGetAccountProcedure)
	require.NotZero(t, read)
	require.LessOrEqual(t, read, deadline.Of(10*time.Second))

	require.Equal(t, http.StatusAccepted, b.own(t, http.MethodPost, "/api/generateMeditation", wanted).StatusCode)
	makes := s.services.limitOf(generationv1connect.MeditationServiceGetMeditationProcedure)
	require.Greater(t, makes, 10*time.Second, "it may wait")
	require.LessOrEqual(t, makes, 60*time.Second)
	try := s.services.limitOf(generationv1connect.MeditationServiceCreateMeditationProcedure)
	require.NotZero(t, try)
	require.LessOrEqual(t, try, deadline.Of(10*time.Second), "one try leaves time for another")
}

func TestTheWaitForAMeditationEndsWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	const wait = 30 * time.Second
	s := start(t, 1, waiting(wait))
	b := s.member(t)
	go func() { s.finish(s.services.made(t.Context()), generationv1.Stage_STAGE_READY) }()
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, "/api/generateMeditation", wanted).StatusCode)
	waits := s.services.limitOf(generationv1connect.MeditationServiceWatchMeditationProcedure)
	require.NotZero(t, waits)
	require.LessOrEqual(t, waits, wait)
}

func TestAServerThatStopsAnswersWhoeverWaitsWithTheAddress(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	type result struct {
		answer
		err error
	}
	answered := make(chan result, 1)
	go func() {
		got, err := b.try(t.Context(), http.MethodPost, "/api/generateMeditation", strings.NewReader(wanted), "Content-Type", "application/json", "X-Serein", "1")
		answered <- result{got, err}
	}()
	watch := generationv1connect.MeditationServiceWatchMeditationProcedure
	require.Eventually(t, func() bool { return s.services.asks(watch) > 0 }, patience, time.Millisecond)
	s.gateways[0].stop()
	got := <-answered
	require.NoError(t, got.err)
	require.Equal(t, http.StatusAccepted, got.StatusCode, got.body)
	require.Equal(t, "/api/bespokeMeditations?uid="+s.services.meditations[0].m.GetId(), got.Header.Get("Location"))
}
