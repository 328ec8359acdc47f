package oidcop

import (
	"context"
	"net/http"

	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/pages"
)

// endSession signs the browser out. The browser never holds an ID token, so client_id and an
// exact post_logout_redirect_uri are enough. Where another site sent the browser here, the
// person is asked first: a link must not sign anybody out.
func (p *Provider) endSession(w http.ResponseWriter, r *http.Request) {
	s, signedIn := p.session(r)
	if signedIn && r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		p.askSignOut(w, r)
		return
	}
	ctx := r.Context()
	if signedIn {
		ctx = context.WithValue(ctx, sessionKey{}, s)
	}
	answer := &plainErrors{ResponseWriter: &clearing{ResponseWriter: w}}
	op.EndSession(answer, r.WithContext(ctx), p.op)
	if answer.refused {
		p.cfg.Pages.Message(w, http.StatusBadRequest, badRequest)
	}
}

// clearing takes the session cookie away when the answer is the redirect of success.
type clearing struct{ http.ResponseWriter }

// WriteHeader adds the ended cookie.
func (w *clearing) WriteHeader(status int) {
	if status == http.StatusFound {
		setCookie(w.ResponseWriter, cookieSession, "", 0)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (p *Provider) askSignOut(w http.ResponseWriter, r *http.Request) {
	page := pages.SignOut{Action: pathEndSession, RedirectURI: r.Form.Get("post_logout_redirect_uri")}
	if c, ok := p.storage.clients[r.Form.Get("client_id")]; !ok || op.ValidateEndSessionPostLogoutRedirectURI(page.RedirectURI, c) != nil {
		page.RedirectURI = ""
	}
	for _, name := range []string{"client_id", "post_logout_redirect_uri", "state", "id_token_hint"} {
		if v := r.Form.Get(name); v != "" {
			page.Fields = append(page.Fields, pages.Field{Name: name, Value: v})
		}
	}
	p.cfg.Pages.SignOut(w, page)
}

func (p *Provider) signedOut(w http.ResponseWriter, _ *http.Request) {
	p.cfg.Pages.Message(w, http.StatusOK, loggedOut)
}
