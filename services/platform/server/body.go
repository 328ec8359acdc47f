package server

import (
	"io"
	"net/http"
	"time"
)

// LimitBody bounds the size of every body, to 2 MiB or what larger says for its path, and how long one read of it
// may wait, to 15 s.
// A server-wide ReadTimeout would cut long answers too, so the deadline is set for the body alone.
func LimitBody(next http.Handler, larger map[string]int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			// Also of a body that no handler reads: net/http reads it before it answers.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime))
			r.Body = &timedBody{ReadCloser: http.MaxBytesReader(w, r.Body, max(maxBody, larger[r.URL.Path])), control: http.NewResponseController(w)}
		}
		next.ServeHTTP(w, r)
	})
}

type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
}

// Read gives each read its own time and lifts the limit at the body's end.
func (b *timedBody) Read(p []byte) (int, error) {
	// A writer without deadlines (a test recorder) is none of our business.
	_ = b.control.SetReadDeadline(time.Now().Add(bodyTime))
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
