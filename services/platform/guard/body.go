package guard

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

const (
	// MaxBody of an RPC, in bytes as sent and as unpacked. The largest request of the contract
	// is a title of 4 KiB with its neighbours.
	MaxBody = 64 << 10
	// bodyTime is how long a whole body may take to arrive.
	bodyTime = 10 * time.Second
)

// SmallBodies reads bodies before the handler runs: at most MaxBody bytes within bodyTime. So
// no handler ever waits for a slow sender, and a body of a gigabyte is cut after 64 KiB.
func SmallBodies(next http.Handler) http.Handler { return Bodies(MaxBody, bodyTime, next) }

// Bodies is SmallBodies for bodies of at most limit bytes that arrive within that time.
func Bodies(limit int64, within time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		body, err := ReadBodyOf(w, r, limit, within)
		if err != nil {
			w.Header().Set("Connection", "close")
			Refuse(w, r, err)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// ReadBody reads a whole body: at most MaxBody bytes within bodyTime. Errors: ErrTooLarge, ErrSlowBody, and
// ErrBrokenBody for one that ends early or whose chunks are malformed.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return ReadBodyOf(w, r, MaxBody, bodyTime)
}

// ReadBodyOf is ReadBody for bodies of at most limit bytes that arrive within that time.
func ReadBodyOf(w http.ResponseWriter, r *http.Request, limit int64, within time.Duration) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, ErrTooLarge
	}
	control := http.NewResponseController(w)
	// A writer without deadlines is a test's recorder; a real connection has them.
	_ = control.SetReadDeadline(time.Now().Add(within))
	var buffer bytes.Buffer
	if r.ContentLength > 0 {
		buffer.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	_, err := buffer.ReadFrom(http.MaxBytesReader(w, r.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		_ = control.SetReadDeadline(time.Time{})
		return buffer.Bytes(), nil
	case errors.As(err, &tooLarge):
		return nil, ErrTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, ErrSlowBody.Because(err)
	}
	return nil, ErrBrokenBody.Because(err)
}

// timely bounds how long a request's body may take to arrive, whether a handler reads it or not: net/http reads what a handler
// leaves before it answers, and waits for it without limit. A handler that takes longer bodies moves the deadline itself
// (ReadBodyOf). A method whose requests have no meaning for a body (RFC 9110, 9.3) is answered at once, and its connection closes.
// The connection counts as being served once the body has arrived.
func timely(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		serving(r.Context())
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		w.Header().Set("Connection", "close")
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	r.Body = &timelyBody{ReadCloser: r.Body, arrived: func() {
		_ = control.SetReadDeadline(time.Time{})
		serving(r.Context())
	}}
}

// timelyBody tells when the whole body has arrived.
type timelyBody struct {
	io.ReadCloser
	arrived func()
}

// Read calls arrived at the body's end.
func (b *timelyBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.arrived()
	}
	return n, err
}
