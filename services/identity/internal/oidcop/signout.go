package oidcop

import (
	"context"
	"errors"
	"net/http"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/pages"
)

// endSession signs the browser out. The browser never holds an ID token, so client_id and an
// exact post_logout_redirect_uri are enough. Unless it is certain that the person wants it they are
// asked first: a link must not sign anybody out.
func (p *Provider) endSession(w http.ResponseWriter, r *http.Request) {
	s, signedIn := p.session(r)
	if signedIn && !p.certain(r, s) {
		p.askSignOut(w, r, s)
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

// certain says whether the person who is signed in wants to sign out: they pressed the button of our page,
// or the client brings the ID token of this very session, or a known client's page of our own site sent the
// browser here and names nobody else (OpenID Connect RP-Initiated Logout 1.0, 2). A browser that does not
// say who sent it is asked.
func (p *Provider) certain(r *http.Request, s Session) bool {
	if c, err := r.Cookie(cookieBrowser); err == nil && r.Method == http.MethodPost && formTokenMatches(r, c.Value, signOutPurpose(s)) {
		return true
	}
	_, known := p.storage.clients.find(r.Form.Get("client_id"))
	if hint := r.Form.Get("id_token_hint"); hint != "" {
		claims, err := op.VerifyIDTokenHint[*oidc.IDTokenClaims](r.Context(), hint, p.op.IDTokenHintVerifier(r.Context()))
		if err != nil && !errors.As(err, &op.IDTokenHintExpiredError{}) {
			return true // nobody is signed out by it: the request is refused
		}
		if claims.Subject != s.UID.String() {
			return false
		}
		if claims.SessionID == s.SID.String() {
			return true
		}
		known = true
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return known && (site == "same-origin" || site == "same-site")
}

// signOutPurpose binds the question's form to the session that it ends.
func signOutPurpose(s Session) string { return "sign out\x00" + s.SID.String() }

// clearing takes the session cookie away when the answer is the redirect of success.
type clearing struct{ http.ResponseWriter }

// WriteHeader adds the ended cookie.
func (w *clearing) WriteHeader(status int) {
	if status == http.StatusFound {
		setCookie(w.ResponseWriter, cookieSession, "", 0)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (p *Provider) askSignOut(w http.ResponseWriter, r *http.Request, s Session) {
	page := pages.SignOut{Action: pathEndSession, RedirectURI: r.Form.Get("post_logout_redirect_uri")}
	if c, ok := p.storage.clients.find(r.Form.Get("client_id")); !ok || op.ValidateEndSessionPostLogoutRedirectURI(page.RedirectURI, c) != nil {
		page.RedirectURI = ""
	}
	for _, name := range []string{"client_id", "post_logout_redirect_uri", "state", "id_token_hint"} {
		if v := r.Form.Get(name); v != "" {
			page.Fields = append(page.Fields, pages.Field{Name: name, Value: v})
		}
	}
	page.Fields = append(page.Fields, pages.Field{Name: "token", Value: formToken(browser(w, r), signOutPurpose(s))})
	p.cfg.Pages.SignOut(w, page)
}

func (p *Provider) signedOut(w http.ResponseWriter, _ *http.Request) {
	p.cfg.Pages.Message(w, http.StatusOK, loggedOut)
}
