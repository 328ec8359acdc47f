package oidcop

import (
	"net/http"
	"net/url"
	"time"

	httphelper "github.com/zitadel/oidc/v3/pkg/http"

	"serein.app/services/identity/internal/pages"
	"serein.app/services/platform/crowd"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

// The limits by network address, beside those of package account. Each replica counts alone: they keep
// floods off, and what must be exact is counted in the database.
var (
	// signInLimit is of the steps of a sign-in and a sign-out, four or five a person: an office may begin its day at once.
	signInLimit = guard.Limit{Name: "sign-in steps", Count: 5, Per: time.Second, Burst: 5 * crowd.Size}
	// refusalLimit is of clients' wrong secrets and of tokens that are not good. Right ones are not counted.
	refusalLimit = guard.Limit{Name: "refusals", Count: 1, Per: time.Second, Burst: crowd.Size}
)

type limits struct{ signIn, refusals *guard.Buckets }

func newLimits(scale float64) limits {
	return limits{signIn: guard.NewBuckets(signInLimit.Scaled(scale)), refusals: guard.NewBuckets(refusalLimit.Scaled(scale))}
}

// counted is a step of a sign-in or a sign-out.
func (p *Provider) counted(next http.HandlerFunc) http.HandlerFunc {
	return p.countedForm(next, func(http.ResponseWriter, *http.Request, string) bool { return false })
}

// countedForm is counted for a form that was filled in. again shows it once more, with what was typed and
// that notice, where it is one of ours.
func (p *Provider) countedForm(next http.HandlerFunc, again func(w http.ResponseWriter, r *http.Request, notice string) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ok, after := p.limits.signIn.Allow(p.cfg.Proxies.Key(r), p.cfg.Now())
		if ok {
			next(w, r)
			return
		}
		if refusal := guard.TooSoon(after); !again(retryAfter(w, refusal), r, refusal.Public) {
			p.slowDown(w, refusal)
		}
	}
}

func (p *Provider) slowDown(w http.ResponseWriter, refusal *errs.Error) {
	p.cfg.Pages.Message(retryAfter(w, refusal), http.StatusTooManyRequests, pages.Message{Title: "Too many attempts", Text: refusal.Public})
}

// retryAfter says in the header what a refusal says of when to come again.
func retryAfter(w http.ResponseWriter, err error) http.ResponseWriter {
	if after := guard.RetryAfter(err); after != "" {
		w.Header().Set("Retry-After", after)
	}
	return w
}

// TooMany refuses a request over the rate limit: people get a page, and programs an error in the protocol's form (RFC 6749, 5.2, has no
// code for it).
func (p *Provider) TooMany(w http.ResponseWriter, r *http.Request, after time.Duration) {
	refusal := guard.TooSoon(after)
	if guard.WantsPage(r) {
		p.slowDown(w, refusal)
		return
	}
	refuseProgram(w, refusal)
}

func refuseProgram(w http.ResponseWriter, refusal *errs.Error) {
	pages.Secure(w.Header(), "")
	w.Header().Set("Cache-Control", "no-store")
	httphelper.MarshalJSONWithStatus(retryAfter(w, refusal), map[string]string{
		"error": "temporarily_unavailable", "error_description": refusal.Public,
	}, http.StatusTooManyRequests)
}

// refusable counts a refusal of what a program brought, and answers itself where there were too many.
func (p *Provider) refusable(w http.ResponseWriter, r *http.Request) bool {
	ok, after := p.limits.refusals.Allow(p.cfg.Proxies.Key(r), p.cfg.Now())
	if !ok {
		refuseProgram(w, guard.TooSoon(after))
	}
	return ok
}

// ClientProved says whether a request to the token, revocation or introspection endpoint comes with a client's right
// secret in its header. Such programs bring many members' calls.
func (p *Provider) ClientProved(r *http.Request) bool {
	if r.URL.Path != pathToken && r.URL.Path != pathRevoke && r.URL.Path != pathIntrospect {
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
	c, ok := p.storage.clients.find(id)
	return c, ok && c.proves(secret)
}
