package oidcop

import (
	"net/http"
	"net/url"
	"time"

	"serein.app/services/identity/internal/pages"
	"serein.app/services/platform/guard"
)

// The limits by network address, beside those of package account. Each replica counts alone: they keep
// floods off, and what must be exact is counted in the database.
var (
	// signInLimit is of the steps of a sign-in and a sign-out, four or five a person: an office of forty
	// may begin its day at once.
	signInLimit = guard.Limit{Name: "sign-in steps", Count: 5, Per: time.Second, Burst: 200}
	// refusalLimit is of clients' wrong secrets and of tokens that are not good. Right ones are not counted.
	refusalLimit = guard.Limit{Name: "refusals", Count: 1, Per: time.Second, Burst: 30}
)

type limits struct{ signIn, refusals *guard.Buckets }

func newLimits(scale float64) limits {
	return limits{signIn: guard.NewBuckets(signInLimit.Scaled(scale)), refusals: guard.NewBuckets(refusalLimit.Scaled(scale))}
}

var slowDown = pages.Message{Title: "One moment", Text: "That was a lot at once. Please wait a moment and try again."}

// counted is a step of a sign-in or a sign-out.
func (p *Provider) counted(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if ok, after := p.limits.signIn.Allow(p.cfg.Proxies.Key(r), p.cfg.Now()); !ok {
			w.Header().Set("Retry-After", guard.RetryAfter(guard.TooSoon(after)))
			p.cfg.Pages.Message(w, http.StatusTooManyRequests, slowDown)
			return
		}
		next(w, r)
	}
}

// refusable counts a refusal of what a program brought, and answers itself where there were too many.
func (p *Provider) refusable(w http.ResponseWriter, r *http.Request) bool {
	ok, after := p.limits.refusals.Allow(p.cfg.Proxies.Key(r), p.cfg.Now())
	if !ok {
		guard.TooMany(w, after)
	}
	return ok
}

// ClientProved says whether a request to the token or revocation endpoint comes with a client's right
// secret in its header. Such programs bring many members' calls.
func (p *Provider) ClientProved(r *http.Request) bool {
	if r.URL.Path != pathToken && r.URL.Path != pathRevoke {
		return false
	}
	_, ok := p.basicClient(r)
	return ok
}

// basicClient is who proves themselves in the Authorization header (RFC 6749, 2.3.1).
func (p *Provider) basicClient(r *http.Request) (*client, bool) {
	id, secret, ok := r.BasicAuth()
	if !ok {
		return nil, false
	}
	id, errID := url.QueryUnescape(id)
	secret, errSecret := url.QueryUnescape(secret)
	if errID != nil || errSecret != nil {
		return nil, false
	}
	return p.proves(id, secret)
}

func (p *Provider) proves(id, secret string) (*client, bool) {
	c, ok := p.storage.clients[id]
	return c, ok && c.proves(secret)
}
