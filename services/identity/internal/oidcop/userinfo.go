package oidcop

import (
	"errors"
	"fmt"
	"net/http"

	httphelper "github.com/zitadel/oidc/v3/pkg/http"
	"github.com/zitadel/oidc/v3/pkg/oidc"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/auth"
)

// userinfo says who a member's access token speaks of. The token comes in the Authorization header or in
// a form, in one of them, and never in the address: addresses are logged and shared (RFC 9700, 4.3.2).
func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	token, err := bearer(r)
	switch {
	case err != nil:
		p.refuseBearer(w, r, http.StatusBadRequest, "invalid_request", err.Error())
		return
	case token == "":
		p.refuseBearer(w, r, http.StatusUnauthorized, "", "")
		return
	}
	b, err := p.Bearer(r.Context(), token)
	switch {
	case err == nil:
		info := new(oidc.UserInfo)
		fill(info, b.Account, b.Scopes)
		p.readableBy(w, r, b.ClientID)
		httphelper.MarshalJSON(w, info)
	case errors.Is(err, account.ErrNotAuthorized):
		if p.refusable(w, r) {
			p.refuseBearer(w, r, http.StatusUnauthorized, "invalid_token", "the token is not good, or has ended")
		}
	default:
		p.cfg.Log.ErrorContext(r.Context(), "userinfo failed", "error", err)
		httphelper.MarshalJSONWithStatus(w, oidc.ErrServerError(), http.StatusServiceUnavailable)
	}
}

// bearer finds the token (RFC 6750, 2.1 and 2.2); empty for a request without one.
func bearer(r *http.Request) (string, error) {
	if r.URL.Query().Has("access_token") {
		return "", errors.New("a token does not belong into an address")
	}
	header, _ := auth.Bearer(r.Header.Get("Authorization"))
	form := r.PostForm.Get("access_token")
	if header != "" && form != "" {
		return "", errors.New("a token comes in one way")
	}
	return header + form, nil
}

// refuseBearer answers as RFC 6750, 3 and 3.1 ask: with the scheme, and with an error where there was a token. It says
// nothing of anybody, so that pages of all public clients may read it: whose token it was is not known.
func (p *Provider) refuseBearer(w http.ResponseWriter, r *http.Request, status int, code, description string) {
	readable(w, r, p.storage.clients.anyPublic)
	challenge := `Bearer realm="serein"`
	if code != "" {
		challenge += fmt.Sprintf(`, error="%s", error_description="%s"`, code, description)
	}
	w.Header().Set("WWW-Authenticate", challenge)
	if code == "" {
		w.WriteHeader(status)
		return
	}
	httphelper.MarshalJSONWithStatus(w, map[string]string{"error": code, "error_description": description}, status)
}
