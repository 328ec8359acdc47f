package view

import (
	"net/http"
	"strings"
	"time"

	"serein.app/gateway/internal/hostcookie"
)

// actedCookie goes with the member from the replica that saw them act to any other, so that they
// read their own acts back at once everywhere, without one replica asking another. While a browser
// has it, it is shown nothing from a view; when it ends, no view can be so old any more. Who forges
// it, or leaves it out, is shown fresher or older things of their own, and nothing else.
const (
	actedCookie = "__Host-serein-acted"
	actedLife   = Wrong + time.Second // browsers count whole seconds
)

// SetActed marks the browser of a member who has just changed something.
func SetActed(h http.Header) { hostcookie.Set(h, actedCookie, "1", actedLife) }

// HasActed says whether a request comes from a browser whose member has just changed something.
func HasActed(h http.Header) bool {
	for _, line := range h["Cookie"] {
		if strings.Contains(line, actedCookie+"=") {
			return true
		}
	}
	return false
}
