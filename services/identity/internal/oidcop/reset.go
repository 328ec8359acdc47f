package oidcop

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/pages"
	"serein.app/services/platform/errs"
)

// The steps of a forgotten password. Each step is a separate page, which the person can load again, and continues in the browser that
// began.
const (
	pathForgot = "/sign-in/forgot"
	pathReset  = "/sign-in/reset"
)

// soon is how long somebody is not told to wait: the code before is on its way, and still good.
const soon = time.Minute

func (p *Provider) registerReset(handle func(pattern string, h http.Handler)) {
	handle("GET "+pathForgot, p.page(p.counted(p.showForgot)))
	handle("POST "+pathForgot, p.ownPages(p.page(p.countedForm(p.submitForgot, p.forgotAgain))))
	handle("GET "+pathReset, p.page(p.counted(p.showReset)))
	handle("POST "+pathReset, p.ownPages(p.page(p.countedForm(p.submitReset, p.resetAgain))))
}

// The forms' tokens are kept apart from each other's.
func forgotPurpose(request *Request) string { return "forgot\x00" + request.ID.String() }
func resetPurpose(request *Request) string  { return "reset\x00" + request.ID.String() }

func (p *Provider) forgotForm(w http.ResponseWriter, status int, request *Request, secret string, page pages.Forgot) {
	page.Request, page.Token = request.sealed, formToken(secret, forgotPurpose(request))
	p.cfg.Pages.Forgot(w, status, page)
}

func (p *Provider) showForgot(w http.ResponseWriter, r *http.Request) {
	if request, secret, ok := p.waiting(w, r); ok {
		p.forgotForm(w, http.StatusOK, request, secret, pages.Forgot{Login: request.LoginHint})
	}
}

// forgotAgain shows the form again, with a notice, to a person who must wait before the next try.
func (p *Provider) forgotAgain(w http.ResponseWriter, r *http.Request, notice string) bool {
	request, secret, ok := p.begun(r)
	if ok {
		p.forgotForm(w, http.StatusTooManyRequests, request, secret, pages.Forgot{Login: r.PostForm.Get("login"), Notice: notice})
	}
	return ok
}

// submitForgot has the code mailed and leads to the next step, the same for an account that does not exist.
func (p *Provider) submitForgot(w http.ResponseWriter, r *http.Request) {
	request, secret, ok := p.waiting(w, r)
	if !ok {
		return
	}
	if !formTokenMatches(r, secret, forgotPurpose(request)) {
		p.cfg.Pages.Message(w, http.StatusForbidden, startAgain)
		return
	}
	login := strings.TrimSpace(r.PostForm.Get("login"))
	if err := p.forget(r, login); err != nil {
		p.refuseForgot(w, r, request, secret, login, err)
		return
	}
	asked := *request
	asked.ResetLogin = login
	request, err := p.storage.seal(&asked)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	http.Redirect(w, r, request.at(pathReset), http.StatusSeeOther)
}

// forget has a code mailed. Where one went out a moment ago, that one is still good.
func (p *Provider) forget(r *http.Request, login string) error {
	if err := p.cfg.Account.AdmitConfirm(r.Context(), p.cfg.Proxies.Key(r)); err != nil {
		return err
	}
	err := p.cfg.Account.ForgotPasswordFrom(r.Context(), p.asker(r), login)
	if errors.Is(err, account.ErrLimitExceeded) && errs.From(err).RetryAfter <= soon {
		return nil
	}
	return err
}

func (p *Provider) asker(r *http.Request) account.Asker {
	return account.Asker{Address: p.cfg.Proxies.Key(r), Device: p.device(r)}
}

func (p *Provider) refuseForgot(w http.ResponseWriter, r *http.Request, request *Request, secret, login string, err error) {
	page := pages.Forgot{Login: login}
	switch {
	case errors.Is(err, account.ErrInvalidParameter):
		page.Error = errs.From(err).Public
		p.forgotForm(w, http.StatusUnprocessableEntity, request, secret, page)
	case errors.Is(err, account.ErrLimitExceeded), errors.Is(err, account.ErrTooManyRequests):
		page.Notice = errs.From(err).Public
		p.forgotForm(retryAfter(w, err), http.StatusTooManyRequests, request, secret, page)
	default:
		p.fail(w, r, err)
	}
}

// resetting finds the request for which a code was asked. Without one resetting writes the answer.
func (p *Provider) resetting(w http.ResponseWriter, r *http.Request) (request *Request, secret string, ok bool) {
	request, secret, ok = p.waiting(w, r)
	if ok && request.ResetLogin == "" {
		p.cfg.Pages.Message(w, http.StatusBadRequest, startAgain)
		return nil, "", false
	}
	return request, secret, ok
}

func (p *Provider) resetForm(w http.ResponseWriter, status int, request *Request, secret string, page pages.Reset) {
	page.Request, page.RedirectURI, page.Login = request.sealed, request.RedirectURI, request.ResetLogin
	page.Token = formToken(secret, resetPurpose(request))
	p.cfg.Pages.Reset(w, status, page)
}

func (p *Provider) showReset(w http.ResponseWriter, r *http.Request) {
	if request, secret, ok := p.resetting(w, r); ok {
		p.resetForm(w, http.StatusOK, request, secret, pages.Reset{})
	}
}

// resetAgain shows the form again, with a notice, to a person who must wait before the next try; they type the password again.
func (p *Provider) resetAgain(w http.ResponseWriter, r *http.Request, notice string) bool {
	request, secret, ok := p.begun(r)
	if !ok || request.ResetLogin == "" {
		return false
	}
	p.resetForm(w, http.StatusTooManyRequests, request, secret, pages.Reset{Code: r.PostForm.Get("code"), Notice: notice})
	return true
}

// submitReset takes the code with the new password and goes on as after that password, or sends another code.
func (p *Provider) submitReset(w http.ResponseWriter, r *http.Request) {
	request, secret, ok := p.resetting(w, r)
	if !ok {
		return
	}
	if !formTokenMatches(r, secret, resetPurpose(request)) {
		p.cfg.Pages.Message(w, http.StatusForbidden, startAgain)
		return
	}
	if r.PostForm.Get("again") != "" {
		p.resendReset(w, r, request, secret)
		return
	}
	err := p.cfg.Account.AdmitConfirm(r.Context(), p.cfg.Proxies.Key(r))
	if err != nil {
		p.refuseReset(w, r, request, secret, err)
		return
	}
	uid, err := p.cfg.Account.ConfirmForgotPasswordFrom(r.Context(), p.asker(r), request.ResetLogin, r.PostForm.Get("code"), r.PostForm.Get("password"))
	if err != nil {
		p.refuseReset(w, r, request, secret, err)
		return
	}
	a, err := p.cfg.Account.ByUID(r.Context(), uid.String())
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.passwordProved(w, r, request, a)
}

func (p *Provider) resendReset(w http.ResponseWriter, r *http.Request, request *Request, secret string) {
	err := p.cfg.Account.AdmitConfirm(r.Context(), p.cfg.Proxies.Key(r))
	if err == nil {
		err = p.cfg.Account.ForgotPasswordFrom(r.Context(), p.asker(r), request.ResetLogin)
	}
	switch {
	case err == nil:
		p.resetForm(w, http.StatusOK, request, secret, pages.Reset{Sent: true})
	case errors.Is(err, account.ErrLimitExceeded):
		p.resetForm(retryAfter(w, err), http.StatusTooManyRequests, request, secret, pages.Reset{Notice: noOther(errs.From(err))})
	default:
		p.refuseReset(w, r, request, secret, err)
	}
}

func (p *Provider) refuseReset(w http.ResponseWriter, r *http.Request, request *Request, secret string, err error) {
	page, said := pages.Reset{Code: r.PostForm.Get("code")}, errs.From(err).Public
	status := http.StatusUnprocessableEntity
	switch {
	case errors.Is(err, account.ErrInvalidPassword):
		page.PasswordError = said
	case errors.Is(err, account.ErrCodeMismatch), errors.Is(err, account.ErrExpiredCode):
		page.Error = said
	case errors.Is(err, account.ErrLimitExceeded):
		page.Notice, status = "Too many attempts with this code. Please send yourself another.", http.StatusTooManyRequests
	case errors.Is(err, account.ErrTooManyRequests):
		page.Notice, status = said, http.StatusTooManyRequests
	default:
		p.fail(w, r, err)
		return
	}
	p.resetForm(retryAfter(w, err), status, request, secret, page)
}
