package server

import (
	"net/http"
	"strings"
)

// A client may send a request on a kept connection at the moment at which a server that stops closes it, and then nobody answers. So no
// connection that is in use is closed without a word: a server that drains says "Connection: close" with each answer, which for h2c
// becomes GOAWAY, and the client's next request goes to another replica. What no request has used for the time of the drain the
// client has closed by then itself (outgoing.IdleTime).

// begin is called before the answer's header is sent.
func (w *answerWriter) begin() {
	if !w.begun && (w.stream || w.draining.Load()) {
		w.Header().Set("Connection", "close")
	}
	w.begun = true
}

// streams says whether the answer is a stream of Connect over HTTP/1.1. It may end with the server, long after its header was sent, so its
// connection serves nothing else.
func streams(r *http.Request) bool {
	return r.ProtoMajor == 1 && strings.HasPrefix(r.Header.Get("Content-Type"), "application/connect+")
}
