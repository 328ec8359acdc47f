package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/telemetry"
)

// answered is what a server says of the connection in the answer to a request, however its handler answers.
func answered(t *testing.T, s *Server, r *http.Request) []string {
	t.Helper()
	var said []string
	for _, handler := range []http.HandlerFunc{
		func(http.ResponseWriter, *http.Request) {},
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a page") },
		func(w http.ResponseWriter, _ *http.Request) { _ = http.NewResponseController(w).Flush() },
		func(http.ResponseWriter, *http.Request) { panic("out of tea") },
	} {
		recorder := httptest.NewRecorder()
		s.recovered(handler).ServeHTTP(recorder, r)
		said = append(said, recorder.Result().Header.Get("Connection"))
	}
	return said
}

func TestAServerThatDrainsSaysThatTheConnectionEndsWithEachAnswer(t *testing.T) {
	t.Parallel()
	tel, err := telemetry.SetupTo(t.Context(), "test", io.Discard)
	require.NoError(t, err)
	s := New("test", Config{}, tel)
	request := httptest.NewRequest(http.MethodGet, "/page", nil)
	require.Equal(t, make([]string, 5), answered(t, s, request))
	s.drain(t.Context())
	require.Equal(t, []string{"close", "close", "close", "close", "close"}, answered(t, s, request))
}

// Its header was sent long before the server drains.
func TestTheConnectionOfAStreamServesNothingElse(t *testing.T) {
	t.Parallel()
	tel, err := telemetry.SetupTo(t.Context(), "test", io.Discard)
	require.NoError(t, err)
	stream := httptest.NewRequest(http.MethodPost, "/watch", nil)
	stream.Header.Set("Content-Type", "application/connect+proto")
	require.Equal(t, "close", answered(t, New("test", Config{}, tel), stream)[2])
}
