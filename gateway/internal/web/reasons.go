package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"

	"connectrpc.com/connect"

	"serein.app/services/platform/guard"
	"serein.app/services/platform/rpc"
)

// withReasons gives a reason and a public sentence to refusals that connect-go makes by itself
// before any interceptor runs: a body that is not the message, or that unpacks to too much. Its
// own text quotes the body and our fields' types.
func withReasons(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		buffered := &refusalWriter{ResponseWriter: w}
		next.ServeHTTP(buffered, r)
		if buffered.status == 0 {
			return
		}
		if err := buffered.withoutReason(); err != nil {
			guard.Refuse(w, r, rpc.FromConnect(err))
			return
		}
		w.WriteHeader(buffered.status)
		_, _ = w.Write(buffered.body.Bytes()) // fails only where the browser has gone
	})
}

// refusalWriter holds a refusal back and lets everything else pass.
type refusalWriter struct {
	http.ResponseWriter
	status int // of a refusal
	body   bytes.Buffer
}

func (w *refusalWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest && w.Header().Get("Content-Type") == "application/json" {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *refusalWriter) Write(p []byte) (int, error) {
	if w.status != 0 {
		return w.body.Write(p)
	}
	return w.ResponseWriter.Write(p)
}

// Flush sends what is buffered; streams need it.
func (w *refusalWriter) Flush() {
	if f, ok := w.ResponseWriter.(http.Flusher); ok && w.status == 0 {
		f.Flush()
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (w *refusalWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// withoutReason is the refusal without a reason; nil where it has one, or is none.
func (w *refusalWriter) withoutReason() error {
	var refusal struct {
		Code    connect.Code      `json:"code"`
		Message string            `json:"message"`
		Details []json.RawMessage `json:"details"`
	}
	if json.Unmarshal(w.body.Bytes(), &refusal) == nil && refusal.Code != 0 && len(refusal.Details) == 0 {
		return connect.NewError(refusal.Code, errors.New(refusal.Message))
	}
	return nil
}
