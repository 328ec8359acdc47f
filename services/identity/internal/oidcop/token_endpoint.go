package oidcop

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

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

// parseForm refuses a form that is too large, repeats a parameter (RFC 6749, 3.1 and 3.2), or
// comes with a malformed client authentication.
func parseForm(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return err
	}
	if repeated(r.Form) {
		return errors.New("a parameter is there twice") // its name is the caller's, and this is logged
	}
	id, secret, ok := r.BasicAuth()
	if !ok {
		if r.Method == http.MethodPost && r.Header.Get("Authorization") != "" && r.URL.Path != pathUserinfo {
			return errors.New("the authorization header is not Basic")
		}
		return nil
	}
	_, errID := url.QueryUnescape(id)
	_, errSecret := url.QueryUnescape(secret)
	return errors.Join(errID, errSecret)
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
