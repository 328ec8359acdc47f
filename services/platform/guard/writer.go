package guard

import (
	"net/http"
	"time"
)

// writeTime is how long one write may wait for a slow reader. A deadline for the whole answer
// would cut streams and long audio, so each write gets its own, or one that is extendEvery old at most:
// moving a deadline costs as much as a short write.
const (
	writeTime   = 20 * time.Second
	extendEvery = time.Second
)

// timedWriter gives each write its time. It hides io.ReaderFrom on purpose: one ReadFrom would
// be one write of any length.
type timedWriter struct {
	http.ResponseWriter
	// control finds the connection behind the writers of others, such as the server's.
	control *http.ResponseController
	// extended is when the connection was last given its time.
	extended time.Time
}

func newTimedWriter(w http.ResponseWriter) *timedWriter {
	t := &timedWriter{ResponseWriter: w, control: http.NewResponseController(w)}
	t.extend() // also lifts what the connection's last answer left behind
	return t
}

func (t *timedWriter) extend() {
	now := time.Now()
	if now.Sub(t.extended) >= extendEvery {
		t.extended = now
		_ = t.control.SetWriteDeadline(now.Add(writeTime)) // a recorder, which has no connection, refuses it
	}
}

func (t *timedWriter) WriteHeader(status int) {
	t.extend()
	t.ResponseWriter.WriteHeader(status)
}

func (t *timedWriter) Write(p []byte) (int, error) {
	t.extend()
	return t.ResponseWriter.Write(p)
}

// Flush sends what is buffered; streams need it.
func (t *timedWriter) Flush() {
	t.extend()
	if f, ok := t.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (t *timedWriter) Unwrap() http.ResponseWriter { return t.ResponseWriter }
