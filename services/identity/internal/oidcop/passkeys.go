package oidcop

import (
	"context"
	"crypto/hmac"
	"errors"
	"net/http"

	httphelper "github.com/zitadel/oidc/v3/pkg/http"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/pages"
	"serein.app/services/identity/internal/passkey"
	"serein.app/services/platform/errs"
)

// The two steps of a sign-in with a passkey: what the browser is asked, and what it answers.
const (
	pathPasskeyAsk = "/sign-in/passkey/ask"
	pathPasskey    = "/sign-in/passkey"
)

// Passkeys prove members without their password.
type Passkeys interface {
	// On says whether they are offered.
	On() bool
	// Ask answers what a browser needs, for that request alone.
	Ask(request string) (ceremony, options string, err error)
	// SignIn proves a member. Errors: passkey.ErrRefused, and for a passkey that is right account.ErrPasswordReset and account.ErrLeaving.
	SignIn(ctx context.Context, request, ceremony, credential, address string) (account.Account, error)
}

func (p *Provider) registerPasskeys(handle func(pattern string, h http.Handler)) {
	handle("POST "+pathPasskeyAsk, p.ownPages(p.page(p.counted(p.askPasskey))))
	handle("POST "+pathPasskey, p.ownPages(p.page(p.countedForm(p.submitPasskey, p.signInAgain))))
}

// passkeyPurpose keeps the form's token apart from those of the other forms.
func passkeyPurpose(request *Request) string { return "passkey\x00" + request.ID.String() }

// askedByForm finds the request whose passkey form was sent. Without one askedByForm writes the answer.
func (p *Provider) askedByForm(w http.ResponseWriter, r *http.Request) (request *Request, secret string, ok bool) {
	request, secret, ok = p.waiting(w, r)
	// The field's name differs from that of the page's other form, so that a program that reads both forms can tell their tokens apart.
	if ok && !hmac.Equal([]byte(r.PostForm.Get("passkey_token")), []byte(formToken(secret, passkeyPurpose(request)))) {
		p.cfg.Pages.Message(w, http.StatusForbidden, startAgain)
		return nil, "", false
	}
	return request, secret, ok
}

// askPasskey answers the page's script. Nothing is kept: the ceremony travels sealed.
func (p *Provider) askPasskey(w http.ResponseWriter, r *http.Request) {
	request, _, ok := p.askedByForm(w, r)
	if !ok {
		return
	}
	ceremony, options, err := p.cfg.Passkeys.Ask(request.ID.String())
	if err != nil {
		p.fail(w, r, err)
		return
	}
	httphelper.MarshalJSON(w, map[string]string{"ceremony": ceremony, "options": options})
}

// submitPasskey proves the passkey and goes on as after a password.
func (p *Provider) submitPasskey(w http.ResponseWriter, r *http.Request) {
	request, secret, ok := p.askedByForm(w, r)
	if !ok {
		return
	}
	a, err := p.cfg.Passkeys.SignIn(r.Context(), request.ID.String(), r.PostForm.Get("ceremony"), r.PostForm.Get("credential"), p.cfg.Proxies.Key(r))
	request.ByPasskey, request.SecondStep, request.PasswordChanges = true, false, a.PasswordChanges
	switch {
	case err == nil:
		p.signIn(w, r, request, a.UID)
	case errors.Is(err, account.ErrLeaving):
		p.askKeep(w, r, request, a)
	case errors.Is(err, account.ErrPasswordReset):
		p.refuse(w, r, request, secret, a.Username, err)
	case errors.Is(err, passkey.ErrRefused):
		p.cfg.Log.InfoContext(r.Context(), "passkey refused", "error", err)
		p.form(w, http.StatusUnauthorized, request, secret, pages.SignIn{Login: request.LoginHint, PasskeyError: errs.From(err).Public})
	default:
		p.fail(w, r, err)
	}
}
