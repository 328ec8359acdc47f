package guard

import (
	"bytes"
	"errors"
	"io"
	"net/http"
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

// ReadBody reads a whole body: at most MaxBody bytes within bodyTime. Errors: ErrTooLarge, ErrSlowBody.
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
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
		return buffer.Bytes(), nil
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, ErrTooLarge
	}
	return nil, ErrSlowBody.Because(err)
}
