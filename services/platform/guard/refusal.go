package guard

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"connectrpc.com/connect"

	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

// TooSoon is the refusal of a call that may be made again after that time, and says so.
func TooSoon(after time.Duration) *errs.Error {
	e := ErrTooMany.After(after)
	e.Public = "That was a lot at once. Please take a breath and try again in " + errs.About(after) + "."
	return e
}

// RetryAfter is the Retry-After header's value for a refusal that says when the call may go through,
// in whole seconds; empty for other errors.
func RetryAfter(err error) string {
	var e *errs.Error
	if !errors.As(err, &e) || e.RetryAfter == 0 {
		return ""
	}
	return strconv.Itoa(max(1, int(math.Ceil(e.RetryAfter.Seconds()))))
}

var writer = connect.NewErrorWriter()

// Refuse answers with an error in Connect's form, which the app understands on every route.
func Refuse(w http.ResponseWriter, r *http.Request, err error) {
	if after := RetryAfter(err); after != "" {
		w.Header().Set("Retry-After", after)
	}
	_ = writer.Write(w, r, rpc.ToConnect(err)) // fails only where the client has gone
}

// WantsPage says whether a person waits for a page, rather than a program or a part of a page.
func WantsPage(r *http.Request) bool {
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest != "" {
		return dest == "document"
	}
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

// TooMany answers a request that came too early. It costs as little as it can.
func TooMany(w http.ResponseWriter, after time.Duration) {
	err := TooSoon(after)
	w.Header().Set("Retry-After", RetryAfter(err))
	http.Error(w, err.Public, http.StatusTooManyRequests)
}
