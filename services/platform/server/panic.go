package server

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"
)

// recovered answers for a handler that panics: the log gets the stack, the client 500. Where the
// answer has begun its connection is cut, so that nobody takes the half for the whole.
// net/http alone would log it as one of its notes about clients, and always cut.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &answerWriter{ResponseWriter: w, draining: &s.draining, stream: streams(r)}
		defer func() {
			if p := recover(); p != nil {
				answer.fail(s.tel.Log, r, p)
			}
		}()
		next.ServeHTTP(answer, r)
		answer.begin() // of a handler that wrote nothing
	})
}

// fail ends the answer. http.ErrAbortHandler is how a handler cuts its connection on purpose.
func (w *answerWriter) fail(log *slog.Logger, r *http.Request, p any) {
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(http.ErrAbortHandler)
	}
	// The route and not the path, which may hold the secret of a link.
	log.ErrorContext(r.Context(), "handler panicked", "method", r.Method, "route", r.Pattern,
		"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	if w.begun {
		panic(http.ErrAbortHandler)
	}
	for _, name := range []string{"Content-Encoding", "Etag", "Last-Modified", "Set-Cookie"} {
		w.Header().Del(name)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
}

// answerWriter knows whether the answer has begun. It passes on what streams and files look for.
type answerWriter struct {
	http.ResponseWriter
	begun bool
	// draining and stream are why its connection may end with it.
	draining *atomic.Bool
	stream   bool
}

func (w *answerWriter) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		w.begin()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *answerWriter) Write(p []byte) (int, error) {
	w.begin()
	return w.ResponseWriter.Write(p)
}

// ReadFrom lets the kernel copy a file.
func (w *answerWriter) ReadFrom(r io.Reader) (int64, error) {
	w.begin()
	return io.Copy(w.ResponseWriter, r)
}

// Flush sends what has been written.
func (w *answerWriter) Flush() {
	w.begin()
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
