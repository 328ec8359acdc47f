package oidcop

import (
	"errors"
	"net/http"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/pages"
	"serein.app/services/platform/errs"
)

// askCode redirects a person who gave the right password of an unconfirmed account to the confirm step, and mails a fresh code. A code
// that was mailed within the last minute still counts, and no other is mailed.
func (p *Provider) askCode(w http.ResponseWriter, r *http.Request, request *Request, a account.Account) {
	waiting := *request
	waiting.PendingUID, waiting.ByPasskey, waiting.SecondStep, waiting.PasswordChanges = &a.UID, false, false, a.PasswordChanges
	request, err := p.storage.seal(&waiting)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	if err := p.cfg.Account.ResendProved(r.Context(), p.cfg.Proxies.Key(r), a.Username); err != nil && !errors.Is(err, account.ErrLimitExceeded) {
		p.fail(w, r, err)
		return
	}
	http.Redirect(w, r, request.at(pathConfirm), http.StatusSeeOther)
}

// pending finds the request and the account that waits for its code, in the browser where its password was given. Without such a request
// pending writes the answer. If the account was confirmed elsewhere, by the link in the mail for example, pending asks for the password:
// a person who only waited may have signed up with somebody else's address, and waited for its owner to confirm it.
func (p *Provider) pending(w http.ResponseWriter, r *http.Request) (request *Request, secret string, a account.Account, ok bool) {
	request, secret, ok = p.waiting(w, r)
	if !ok {
		return nil, "", a, false
	}
	err := error(account.ErrUserNotFound)
	if request.PendingUID != nil {
		a, err = p.cfg.Account.Pending(r.Context(), *request.PendingUID)
	}
	switch {
	case errors.Is(err, account.ErrUserNotFound):
		p.cfg.Pages.Message(w, http.StatusBadRequest, startAgain)
	case err != nil:
		p.fail(w, r, err)
	case a.Confirmed:
		p.form(w, http.StatusOK, request, secret, pages.SignIn{Login: a.Username, Confirmed: true})
	default:
		return request, secret, a, true
	}
	return nil, "", a, false
}

// confirmPurpose keeps the form's token apart from the sign-in form's.
func confirmPurpose(request *Request) string { return "confirm\x00" + request.ID.String() }

func (p *Provider) confirmForm(w http.ResponseWriter, status int, request *Request, secret string, page pages.Confirm) {
	page.Request, page.RedirectURI = request.sealed, request.RedirectURI
	page.Token = formToken(secret, confirmPurpose(request))
	p.cfg.Pages.Confirm(w, status, page)
}

func (p *Provider) showConfirm(w http.ResponseWriter, r *http.Request) {
	if request, secret, a, ok := p.pending(w, r); ok {
		p.confirmForm(w, http.StatusOK, request, secret, pages.Confirm{Username: a.Username, Email: a.Email})
	}
}

// confirmAgain shows the confirm step again, with a notice, to a person who must wait before the next try.
func (p *Provider) confirmAgain(w http.ResponseWriter, r *http.Request, notice string) bool {
	request, _, ok := p.begun(r)
	if !ok || request.PendingUID == nil {
		return false
	}
	if request, secret, a, ok := p.pending(w, r); ok {
		p.confirmForm(w, http.StatusTooManyRequests, request, secret, pages.Confirm{
			Username: a.Username, Email: a.Email, Code: r.PostForm.Get("code"), Notice: notice,
		})
	}
	return true
}

// submitConfirm takes the code, or sends another one.
func (p *Provider) submitConfirm(w http.ResponseWriter, r *http.Request) {
	request, secret, a, ok := p.pending(w, r)
	if !ok {
		return
	}
	if !formTokenMatches(r, secret, confirmPurpose(request)) {
		p.cfg.Pages.Message(w, http.StatusForbidden, startAgain)
		return
	}
	page := pages.Confirm{Username: a.Username, Email: a.Email}
	if err := p.cfg.Account.AdmitConfirm(r.Context(), p.cfg.Proxies.Key(r)); err != nil {
		page.Code = r.PostForm.Get("code")
		p.refuseCode(w, r, request, secret, page, err)
		return
	}
	if r.PostForm.Get("again") != "" {
		p.sendAgain(w, r, request, secret, a, page)
		return
	}
	if _, err := p.cfg.Account.ConfirmProved(r.Context(), a.Username, r.PostForm.Get("code")); err != nil {
		p.refuseCode(w, r, request, secret, page, err)
		return
	}
	p.signIn(w, r, request, a.UID)
}

func (p *Provider) sendAgain(w http.ResponseWriter, r *http.Request, request *Request, secret string, a account.Account, page pages.Confirm) {
	err := p.cfg.Account.ResendProved(r.Context(), p.cfg.Proxies.Key(r), a.Username)
	switch {
	case err == nil:
		page.Sent = true
		p.confirmForm(w, http.StatusOK, request, secret, page)
	case errors.Is(err, account.ErrLimitExceeded):
		page.Notice = noOther(errs.From(err))
		retryAfter(w, err)
		p.confirmForm(w, http.StatusTooManyRequests, request, secret, page)
	default:
		p.fail(w, r, err)
	}
}

// noOther says why no other code is sent.
func noOther(why *errs.Error) string {
	if why.RetryAfter > soon {
		return why.Public
	}
	return "A code is on its way already. You can ask for another in " + errs.About(why.RetryAfter) + "."
}

func (p *Provider) refuseCode(w http.ResponseWriter, r *http.Request, request *Request, secret string, page pages.Confirm, err error) {
	switch {
	case errors.Is(err, account.ErrCodeMismatch), errors.Is(err, account.ErrExpiredCode):
		page.Error = errs.From(err).Public
		p.confirmForm(w, http.StatusUnprocessableEntity, request, secret, page)
	case errors.Is(err, account.ErrLimitExceeded):
		page.Notice = "Too many attempts with this code. Please send yourself another."
		retryAfter(w, err)
		p.confirmForm(w, http.StatusTooManyRequests, request, secret, page)
	case errors.Is(err, account.ErrTooManyRequests):
		page.Notice = errs.From(err).Public
		retryAfter(w, err)
		p.confirmForm(w, http.StatusTooManyRequests, request, secret, page)
	default:
		p.fail(w, r, err)
	}
}
