// Package outgoing has what every client of ours does that calls somebody else.
//
// It owns that a call goes where the configuration says and nowhere else: an answer that sends it on would have
// tokens, secrets and requests taken to an address that nobody has configured (OWASP ASVS 5.0, 15.3.2).
package outgoing

import (
	"net/http"
	"time"
)

// IdleTime is how long a client of ours keeps a connection to another program of ours that nobody uses. It is shorter than the DRAIN_DELAY of a
// deployment: when a server that drains closes what is idle, no client still sends a request there (platform/server, drain.go).
const IdleTime = 5 * time.Second

// StayHere is the CheckRedirect of a client that follows none: an answer that sends it on is the answer.
func StayHere(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
