package rest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"serein.app/gateway/internal/upstream"
	"serein.app/gateway/internal/view"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/seclog"
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
	ctx, heard := upstream.WithAge(r.Context())
	r = r.WithContext(ctx)
	noted := &statusWriter{ResponseWriter: w, heard: heard}
	who := &caller{}
	defer func() {
		if p := recover(); p != nil {
			a.panicked(noted, r, p)
		}
		// What was asked and by whom, in our own words; nothing that the caller wrote.
		a.log.Log(r.Context(), level(who, noted.status), "REST call", "request_id", requestID(r.Context()), "method", method(r), "route", a.route(r),
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

// level of a call's line: what anybody can cause without saying who they are is not logged unless
// it is looked for.
func level(who *caller, status int) slog.Level {
	if who.key() == "" && status < http.StatusInternalServerError {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// route is the request's path if it is one of ours.
func (a *API) route(r *http.Request) string {
	if _, ok := a.files[r.URL.Path]; ok {
		return r.URL.Path
	}
	if c, allowed := find(r.Method, r.URL.Path); c != nil || len(allowed) > 0 {
		return r.URL.Path
	}
	return "unknown"
}

// method is the request's if HTTP knows it; others are any text.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return "other"
}

// legible refuses a path or a query that is not UTF-8: as a text of a message it could not be sent on.
func legible(r *http.Request) error {
	query, err := url.QueryUnescape(r.URL.RawQuery)
	if err != nil || !utf8.ValidString(r.URL.Path) || !utf8.ValidString(query) {
		return rpc.ErrInvalid.Because(errors.New("the address is not UTF-8"))
	}
	return nil
}

// serve admits the caller and reads the body before the generated gateway sees anything.
func (a *API) serve(w http.ResponseWriter, r *http.Request, who *caller) error {
	if err := legible(r); err != nil {
		return err
	}
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
		a.refused(ctx, c, who, err)
		return err
	}
	r = r.WithContext(ctx)
	if err := a.readBody(w, r, c); err != nil {
		a.refused(ctx, c, who, err)
		return err
	}
	dropGRPC(r.Header)
	if r.Method == http.MethodHead { // net/http leaves the body out
		r.Method = http.MethodGet
	}
	if c.verb != http.MethodGet && who.uid != "" && !who.token {
		view.SetActed(w.Header()) // also where it fails: it may have been done all the same
	}
	a.mux.ServeHTTP(w, r)
	return nil
}

// refused writes down a call that was not let in.
func (a *API) refused(ctx context.Context, c *call, who *caller, err error) {
	a.Security.Refused(ctx, err, seclog.Event{UID: who.uid, Caller: who.account, Address: guard.Address(ctx), Procedure: c.path})
}

// broken writes down a call whose fields break the contract.
func (a *API) broken(r *http.Request, err error) {
	c, _ := find(r.Method, r.URL.Path)
	if who := callerOf(r.Context()); c != nil && who != nil && errors.Is(err, rpc.ErrInvalid) {
		a.refused(r.Context(), c, who, err)
	}
}

// dropGRPC takes away the headers in which grpc-gateway looks for a caller's own deadline and
// metadata. How long a call may last is ours to say: work that was begun is charged.
func dropGRPC(h http.Header) {
	for name := range h {
		if strings.HasPrefix(strings.ToLower(name), "grpc-") {
			delete(h, name)
		}
	}
}

// readBody reads a body whole and checks that it is one JSON object; what its fields mean is the
// generated gateway's business.
func (a *API) readBody(w http.ResponseWriter, r *http.Request, c *call) error {
	if c.body == "" {
		return nil
	}
	if c.verb == http.MethodDelete && (r.Body == nil || r.Body == http.NoBody) { // many clients send none with it: what is missing is said by its field
		r.Body = io.NopCloser(strings.NewReader("{}"))
		r.Header.Set("Content-Type", "application/json")
		return nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return errMedia
	}
	if encoding := strings.Join(r.Header.Values("Content-Encoding"), ","); encoding != "" && encoding != "identity" {
		w.Header().Set("Accept-Encoding", "identity")
		return errEncoding
	}
	body, err := guard.ReadBody(w, r)
	if err != nil {
		w.Header().Set("Connection", "close")
		return err
	}
	var object map[string]json.RawMessage
	if !utf8.Valid(body) {
		return errBody.Because(errors.New("not UTF-8"))
	}
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
	a.log.ErrorContext(r.Context(), "handler panicked", "request_id", requestID(r.Context()), "route", a.route(r),
		"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	if w.status == 0 {
		a.Refuse(w, r, errs.ErrInternal)
	}
}

// statusWriter remembers what was answered, and dates it.
type statusWriter struct {
	http.ResponseWriter
	status int
	heard  *upstream.Age
}

// begin keeps the status, and says how old the content is that the answer holds.
func (w *statusWriter) begin(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	contentage.Source(w.heard.Get).Tell(w.Header())
}

func (w *statusWriter) WriteHeader(status int) {
	w.begin(status)
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	w.begin(http.StatusOK)
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
