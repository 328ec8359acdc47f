package oidcop

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// grantsOffered keeps the token endpoint to what is offered; the library would also try
// assertions.
var grantsOffered = []string{"authorization_code", "refresh_token", "client_credentials"}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	if r.PostForm.Get("client_assertion") != "" || !slices.Contains(grantsOffered, r.PostForm.Get("grant_type")) {
		op.RequestError(w, r, errNotOffered, p.cfg.Log)
		return
	}
	op.Exchange(w, r, p.op)
}

// proved lets a client with the right secret pass. Everybody else is answered as RFC 6749, 5.2 asks:
// 401 invalid_client with the scheme that would do.
func (p *Provider) proved(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, ok := p.basicClient(r)
		if !ok && r.Header.Get("Authorization") == "" {
			_, ok = p.proves(r.PostForm.Get("client_id"), r.PostForm.Get("client_secret"))
		}
		if ok {
			next(w, r)
			return
		}
		if p.refusable(w, r) {
			w.Header().Set("WWW-Authenticate", `Basic realm="serein", charset="UTF-8"`)
			op.RequestError(w, r, oidc.ErrInvalidClient().WithDescription("unknown client or wrong secret"), p.cfg.Log)
		}
	}
}

// parseForm refuses a form that is too large or repeats a parameter.
func parseForm(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return err
	}
	if repeated(r.Form) {
		return errors.New("a parameter is there twice") // its name is the caller's, and this is logged
	}
	return nil
}

// repeated finds a parameter that is there twice (RFC 6749, 3.1 and 3.2).
func repeated(form url.Values) bool {
	for _, values := range form {
		if len(values) > 1 {
			return true
		}
	}
	return false
}
