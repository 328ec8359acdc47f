package oidcop

import (
	"net/http"
	"net/url"

	"serein.app/services/platform/guard"
)

// What a public client's page may read of the provider (Fetch, CORS protocol): the answers to that client, from the origins of the
// client's redirect addresses, without cookies. Pages of other origins get the same answers, and their browser lets them read nothing.
// Our pages and those of clients with a secret do not need to read these answers across origins.

// origins of addresses, as browsers name them.
func origins(addresses []string) map[string]bool {
	found := map[string]bool{}
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil {
			found[guard.Origin(u)] = true
		}
	}
	return found
}

// readable lets pages of the request's origin read the answer, where may says so.
func readable(w http.ResponseWriter, r *http.Request, may func(origin string) bool) {
	w.Header().Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); origin != "" && may(origin) {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Expose-Headers", "Retry-After, WWW-Authenticate")
	}
}

// public is for what says nothing of anybody: every public client's pages may read it.
func (p *Provider) public(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		readable(w, r, p.storage.clients.anyPublic)
		next(w, r)
	}
}

// ownOrigin is for what is answered to the client that the form names.
func (p *Provider) ownOrigin(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p.readableBy(w, r, r.PostForm.Get("client_id"))
		next(w, r)
	}
}

// readableBy lets that client's own pages alone read the answer.
func (p *Provider) readableBy(w http.ResponseWriter, r *http.Request, id string) {
	c, ok := p.storage.clients.find(id)
	readable(w, r, func(origin string) bool { return ok && c.origins[origin] })
}

// preflight answers a browser that asks before it sends a page's request. It does not say which client's it is.
func (p *Provider) preflight(methods string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		readable(w, r, p.storage.clients.anyPublic)
		if w.Header().Get("Access-Control-Allow-Origin") != "" {
			w.Header().Set("Access-Control-Allow-Methods", methods)
			w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
			w.Header().Set("Access-Control-Max-Age", "600")
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
