// Package contentage puts the age of content that comes from a mirror or a copy into a header. The header gives the age of the
// content that the app shows; Age (RFC 9111) would give that of the HTTP response.
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
