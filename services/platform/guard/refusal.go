package guard

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"connectrpc.com/connect"

	"serein.app/services/platform/rpc"
)

type tooSoonError time.Duration

func (e tooSoonError) Error() string { return fmt.Sprintf("retry after %v", time.Duration(e)) }

// TooSoon is the refusal of a call that may be made again after that time.
func TooSoon(after time.Duration) error { return ErrTooMany.Because(tooSoonError(after)) }

// RetryAfter is the Retry-After header's value for a refusal by rate, in whole seconds; empty
// for other errors.
func RetryAfter(err error) string {
	var after tooSoonError
	if !errors.As(err, &after) {
		return ""
	}
	return strconv.Itoa(max(1, int(math.Ceil(time.Duration(after).Seconds()))))
}

var writer = connect.NewErrorWriter()

// Refuse answers with an error in Connect's form, which the app understands on every route.
func Refuse(w http.ResponseWriter, r *http.Request, err error) {
	if after := RetryAfter(err); after != "" {
		w.Header().Set("Retry-After", after)
	}
	_ = writer.Write(w, r, rpc.ToConnect(err)) // fails only where the client has gone
}

// TooMany answers a request that came too early. It costs as little as it can.
func TooMany(w http.ResponseWriter, after time.Duration) {
	err := TooSoon(after)
	w.Header().Set("Retry-After", RetryAfter(err))
	http.Error(w, ErrTooMany.Public, http.StatusTooManyRequests)
}
