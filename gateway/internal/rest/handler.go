package rest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"serein.app/gateway/internal/guard"
	"serein.app/services/platform/errs"
)

// RequestIDHeader names the request in its answer; the log and every error name it too.
const RequestIDHeader = "X-Request-Id"

type requestIDKey struct{}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// identified gives the request its id.
func identified(w http.ResponseWriter, r *http.Request) *http.Request {
	id := rand.Text()
	w.Header().Set(RequestIDHeader, id)
	return r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id))
}

// ServeHTTP answers everything under /api/.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r = identified(w, r)
	began := a.Now()
	noted := &statusWriter{ResponseWriter: w}
	who := &caller{}
	defer func() {
		if p := recover(); p != nil {
			a.panicked(noted, r, p)
		}
		// What was asked and by whom; never a token, a cookie or a query.
		a.log.InfoContext(r.Context(), "REST call", "request_id", requestID(r.Context()), "method", r.Method, "path", r.URL.Path,
			"status", noted.status, "caller", who.String(), "duration", a.Now().Sub(began))
	}()
	if f, ok := a.files[r.URL.Path]; ok && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		f.serve(noted, r)
		return
	}
	if err := a.serve(noted, r, who); err != nil {
		a.Refuse(noted, r, err)
	}
}

// serve admits the caller and reads the body before the generated gateway sees anything.
func (a *API) serve(w http.ResponseWriter, r *http.Request, who *caller) error {
	c, allowed := find(r.Method, r.URL.Path)
	if c == nil {
		if len(allowed) > 0 {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			return errMethod
		}
		return errNotFound
	}
	limit := callTime
	if c.generates {
		limit = generateTime
	}
	ctx, cancel := context.WithTimeout(r.Context(), limit)
	defer cancel()
	ctx, err := a.admit(ctx, c, r, who)
	if err != nil {
		return err
	}
	r = r.WithContext(ctx)
	if err := a.readBody(w, r, c); err != nil {
		return err
	}
	if r.Method == http.MethodHead { // net/http leaves the body out
		r.Method = http.MethodGet
	}
	a.mux.ServeHTTP(w, r)
	return nil
}

// readBody reads a body whole and checks that it is one JSON object; what its fields mean is the
// generated gateway's business.
func (a *API) readBody(w http.ResponseWriter, r *http.Request, c *call) error {
	if c.body == "" {
		return nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return errMedia
	}
	body, err := guard.ReadBody(w, r)
	if err != nil {
		w.Header().Set("Connection", "close")
		return err
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil || object == nil {
		return errBody.Because(fmt.Errorf("not an object: %w", errors.Join(err)))
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

func (a *API) panicked(w *statusWriter, r *http.Request, p any) {
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http's own comparison
		panic(p)
	}
	a.log.ErrorContext(r.Context(), "handler panicked", "request_id", requestID(r.Context()), "path", r.URL.Path,
		"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	if w.status == 0 {
		a.Refuse(w, r, errs.ErrInternal)
	}
}

// statusWriter remembers what was answered.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// staticFile is a page or the document: made at start, the same for everybody.
type staticFile struct {
	kind, policy string
	body         []byte
}

func (f staticFile) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, no-cache")
	if f.policy != "" {
		h.Set("Content-Security-Policy", f.policy)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}
