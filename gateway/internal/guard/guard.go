// Package guard is what every request meets before anything else: the security headers, the
// caller's address, limits on connections, bodies, writes and rates, and the defence against
// calls that another site makes in a member's name.
//
// It decides nothing about members: who is signed in is package session's business, what a
// signed-in member may see is the services'.
package guard

import (
	"context"
	"net/http"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/errs"
)

// The refusals of this package.
var (
	ErrTooMany   = errs.New(errs.Exhausted, errorsv1.Reason_REASON_TOO_MANY_REQUESTS, "That was a lot at once. Please take a breath and try again in a moment.")
	ErrTooLarge  = errs.New(errs.Exhausted, errorsv1.Reason_REASON_REQUEST_TOO_LARGE, "That is more than we can take in at once.")
	ErrSlowBody  = errs.New(errs.DeadlineExceeded, errorsv1.Reason_REASON_REQUEST_TOO_SLOW, "The request took too long to arrive. Please try again.")
	ErrCrossSite = errs.New(errs.Forbidden, errorsv1.Reason_REASON_CROSS_SITE, "This call did not come from Serein's own pages.")
)

// Config is what the guard must know.
type Config struct {
	// Proxies are the addresses whose X-Forwarded-For counts.
	Proxies clientip.Proxies
	// Secure: the public address is https, so browsers are told to stay there.
	Secure bool
	// Reads limits every address, whatever it asks for.
	Reads Limit
	// TooMany answers requests above Reads; nil: package guard's TooMany.
	TooMany func(w http.ResponseWriter, r *http.Request, after time.Duration)
}

// Guard wraps the whole gateway.
type Guard struct {
	cfg     Config
	headers http.Header
	reads   *Buckets
	now     func() time.Time
}

// New makes a guard.
func New(cfg Config, now func() time.Time) *Guard {
	return &Guard{cfg: cfg, headers: securityHeaders(cfg.Secure), reads: NewBuckets(cfg.Reads), now: now}
}

type addressKey struct{}

// Address is the caller's address in the form that limits count by; empty outside a guard.
func Address(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}

// Wrap puts the guard around next.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving(r.Context())
		header := w.Header()
		for name, values := range g.headers {
			header[name] = values
		}
		w = newTimedWriter(w)
		address := g.cfg.Proxies.Key(r)
		if ok, after := g.reads.Allow(address, g.now()); !ok {
			g.tooMany(w, r, after)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), addressKey{}, address)))
	})
}

func (g *Guard) tooMany(w http.ResponseWriter, r *http.Request, after time.Duration) {
	if g.cfg.TooMany == nil {
		TooMany(w, after)
		return
	}
	g.cfg.TooMany(w, r, after)
}
