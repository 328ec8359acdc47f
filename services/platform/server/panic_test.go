package server_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/server"
)

func TestAPanicIsAnswered500LoggedWithItsStackAndSurvived(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Handle("GET /broken/{link}", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			w.Header().Set("Cache-Control", "public, max-age=60")
			panic("out of tea")
		}))
	})
	code, body := get(t, r.url+"/broken/secret?token=secret")
	require.Equal(t, http.StatusInternalServerError, code)
	require.NotContains(t, body, "tea", "the cause stays in the log")

	logged := r.log.about("/broken")
	require.Len(t, logged, 1)
	require.Equal(t, "ERROR", logged[0]["level"])
	require.Equal(t, "out of tea", logged[0]["panic"])
	require.Contains(t, logged[0]["stack"], "panic_test.go")
	require.Equal(t, "GET /broken/{link}", logged[0]["route"])
	require.NotContains(t, fmt.Sprint(logged[0]), "secret", "a path may be a link that lets somebody in")

	code, _ = get(t, r.url+"/healthz")
	require.Equal(t, http.StatusOK, code)
}

func TestAPanicAfterTheHeadersCutsTheConnection(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Handle("GET /broken", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			panic("out of tea")
		}))
	})
	got := <-ask(t.Context(), r.url+"/broken")
	require.ErrorIs(t, got.err, io.ErrUnexpectedEOF, "nobody takes the half for the whole")
	require.Equal(t, "half", got.body)
	require.Len(t, r.log.about("/broken"), 1)
}

func TestAHandlerThatAbortsOnPurposeIsNotReported(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Handle("GET /aborted", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	})
	require.Error(t, (<-ask(t.Context(), r.url+"/aborted")).err)
	require.Empty(t, r.log.about("/aborted"))
}

func TestWritersKeepWhatHandlersLookFor(t *testing.T) {
	t.Parallel()
	found := make(chan [2]bool, 1)
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Handle("GET /writers", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, flushes := w.(http.Flusher)
			_, copies := w.(io.ReaderFrom)
			found <- [2]bool{flushes, copies}
		}))
	})
	get(t, r.url+"/writers")
	require.Equal(t, [2]bool{true, true}, <-found, "streams flush, files are copied by the kernel")
}
