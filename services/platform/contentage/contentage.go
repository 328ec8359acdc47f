// Package contentage says how old content is that comes from a mirror or from a copy, in a header of its own: it is true of what
// is shown, where Age (RFC 9111) is of the answer.
package contentage

import (
	"net/http"
	"strconv"
	"time"
)

// Header has the age in whole seconds. Without it nothing is older than the answer.
const Header = "X-Serein-Content-Age"

// Source says how old what it answers is; known is false where it does not say.
type Source func() (age time.Duration, known bool)

// Set writes the age.
func Set(header http.Header, age time.Duration) {
	header.Set(Header, strconv.FormatInt(int64(max(age, 0).Seconds()), 10))
}

// From reads what Set wrote.
func From(header http.Header) (age time.Duration, known bool) {
	seconds, err := strconv.ParseUint(header.Get(Header), 10, 32)
	return time.Duration(seconds) * time.Second, err == nil
}

// Tell writes the age where the source says one; no source says none.
func (s Source) Tell(header http.Header) {
	if s == nil {
		return
	}
	if age, known := s(); known {
		Set(header, age)
	}
}

// On writes the age upon every answer of a handler.
func (s Source) On(h http.Handler) http.Handler {
	if s == nil {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Tell(w.Header())
		h.ServeHTTP(w, r)
	})
}
