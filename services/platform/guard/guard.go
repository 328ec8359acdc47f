// Package guard is what every request at a public door meets before anything else: the caller's
// address, and limits on connections, bodies, writes and rates. The gateway and identity, which
// browsers reach, stand behind the same one.
//
// It decides nothing about members: who is signed in and what they may see is its users' business,
// and so are the headers of their answers.
package guard

import (
	"context"
	"net/http"
	"strings"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/seclog"
)

// The refusals of this package.
var (
	ErrTooMany  = errs.New(errs.Exhausted, errorsv1.Reason_REASON_TOO_MANY_REQUESTS, "That was a lot at once. Please take a breath and try again in a moment.")
	ErrTooLarge = errs.New(errs.Exhausted, errorsv1.Reason_REASON_REQUEST_TOO_LARGE, "That’s more than we can take at once.")
	ErrSlowBody = errs.New(errs.DeadlineExceeded, errorsv1.Reason_REASON_REQUEST_TOO_SLOW, "The request took too long to arrive. Please try again.")
	// ErrBrokenBody is a body that ended early or was not framed as HTTP says.
	ErrBrokenBody = errs.New(errs.Invalid, errorsv1.Reason_REASON_SERIALIZATION, "The request arrived incomplete. Please try again.")
)

// Config is what the guard must know.
type Config struct {
	// Proxies are the addresses whose X-Forwarded-For counts.
	Proxies clientip.Proxies
	// Headers stand on every answer; handlers may replace them.
	Headers http.Header
	// Reads limits every address, whatever it asks for.
	Reads Limit
	// Exempt are requests that Reads does not count: a program that has proved itself brings many people's
	// calls from one address. nil: none are.
	Exempt func(*http.Request) bool
	// Security hears of requests above Reads; nil: it is not written down.
	Security *seclog.Log
	// HeaderTooLarge answers requests with a header above MaxHeader; nil: package guard's HeaderTooLarge.
	HeaderTooLarge http.HandlerFunc
	// TooMany answers requests above Reads; nil: package guard's TooMany.
	TooMany func(w http.ResponseWriter, r *http.Request, after time.Duration)
}

// Guard wraps everything that a public door serves.
type Guard struct {
	cfg   Config
	reads *Buckets
	now   func() time.Time
}

// New makes a guard.
func New(cfg Config, now func() time.Time) *Guard {
	return &Guard{cfg: cfg, reads: NewBuckets(cfg.Reads), now: now}
}

type addressKey struct{}

// Address is the caller's address in the form that limits count by; empty outside a guard.
func Address(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}

// WithAddress is a context whose caller has that address.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// Wrap puts the guard around next: around everything that a listener serves, so that its limits hold whatever the handler does.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		for name, values := range g.cfg.Headers {
			header[name] = values
		}
		timed := newTimedWriter(w)
		defer timed.extend() // for the header of a handler that wrote nothing
		w = timed
		address := g.cfg.Proxies.Key(r)
		r = r.WithContext(WithAddress(r.Context(), address)) // a copy: net/http keeps the body as it was
		timely(w, r)
		onlyBytes(r.Header)
		if headerSize(r) > MaxHeader {
			g.headerTooLarge(w, r)
			return
		}
		if g.cfg.Exempt == nil || !g.cfg.Exempt(r) {
			if ok, after := g.reads.Allow(address, g.now()); !ok {
				g.cfg.Security.Refused(r.Context(), ErrTooMany, seclog.Event{Address: address})
				g.tooMany(w, r, after)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// MaxHeader of a request, in bytes: its line and its fields. The server reads twice as much, so that what is a little too large has an
// answer in the form of what was asked for; beyond that net/http answers 431 and closes.
const MaxHeader = 32 << 10

func headerSize(r *http.Request) int {
	const around = len(": \r\n")
	size := len(r.Method) + len(r.RequestURI) + len(r.Host)
	for name, values := range r.Header {
		for _, value := range values {
			size += len(name) + len(value) + around
		}
	}
	return size
}

func (g *Guard) headerTooLarge(w http.ResponseWriter, r *http.Request) {
	if g.cfg.HeaderTooLarge == nil {
		HeaderTooLarge(w)
		return
	}
	g.cfg.HeaderTooLarge(w, r)
}

// HeaderTooLarge answers in a line of text.
func HeaderTooLarge(w http.ResponseWriter) {
	http.Error(w, ErrTooLarge.Public, http.StatusRequestHeaderFieldsTooLarge)
}

// onlyBytes leaves out a range in another unit, which is to be ignored (RFC 9110, 14.2); net/http would refuse it.
func onlyBytes(h http.Header) {
	if !strings.HasPrefix(h.Get("Range"), "bytes=") {
		h.Del("Range")
	}
}

func (g *Guard) tooMany(w http.ResponseWriter, r *http.Request, after time.Duration) {
	if g.cfg.TooMany == nil {
		TooMany(w, after)
		return
	}
	g.cfg.TooMany(w, r, after)
}
