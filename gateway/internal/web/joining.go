package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"

	"serein.app/gateway/internal/hostcookie"
	"serein.app/gateway/internal/session"
)

const (
	// joiningCookie begins the name of a cookie that holds the proof of a sign-up, for the browser that signed up. Each sign-up has its
	// own: a family may share a browser.
	joiningCookie = "__Host-serein-joining-"
	// joiningLife is how long an account may wait for its code, and maxJoining how many may wait in one browser.
	joiningLife = 24 * time.Hour
	maxJoining  = 4
	// nameLength of a username's hash in hexadecimal digits tells a browser's sign-ups apart.
	nameLength = 16
)

// joiningName is the end of the cookie's name for a username.
func joiningName(username string) string {
	return session.Hash(strings.ToLower(strings.TrimSpace(username)))[:nameLength]
}

// headers of a call, as the browser sent them and as it will get them.
func headers(ctx context.Context) (asked, answer http.Header) {
	if call, ok := connect.CallInfoForHandlerContext(ctx); ok {
		return call.RequestHeader(), call.ResponseHeader()
	}
	return http.Header{}, http.Header{}
}

// keepProof has the browser keep the proof of its sign-up.
func keepProof(ctx context.Context, username, proof string) {
	if proof == "" {
		return
	}
	asked, answer := headers(ctx)
	hostcookie.SetOneOf(answer, asked, joiningCookie, joiningName(username), proof, joiningLife, maxJoining)
}

// proofOf is the proof that the browser has of the username's sign-up; empty for none.
func proofOf(ctx context.Context, username string) string {
	asked, _ := headers(ctx)
	return hostcookie.Value(asked, joiningCookie+joiningName(username))
}

// forgetProof takes the proof of a sign-up that is over.
func forgetProof(ctx context.Context, username string) {
	_, answer := headers(ctx)
	hostcookie.Clear(answer, joiningCookie+joiningName(username))
}
