package oidcop

import (
	"errors"
	"net/http"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/pages"
)

// askKeep redirects a person who gave the right password of an account that is to be deleted to the page that can undo the deletion. The
// person is signed in only after undoing it.
func (p *Provider) askKeep(w http.ResponseWriter, r *http.Request, request *Request, a account.Account) {
	waiting := *request
	waiting.LeavingUID = &a.UID
	request, err := p.storage.seal(&waiting)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	http.Redirect(w, r, request.at(pathKeep), http.StatusSeeOther)
}

// leaving finds the request and the account that is to be deleted, in the browser where its password was given. It answers itself where
// there is none. An account that stays by now asks for the password, and so does one whose password was replaced
// meanwhile.
func (p *Provider) leaving(w http.ResponseWriter, r *http.Request) (request *Request, secret string, a account.Account, ok bool) {
	request, secret, ok = p.waiting(w, r)
	if !ok {
		return nil, "", a, false
	}
	err := error(account.ErrUserNotFound)
	if request.LeavingUID != nil {
		a, err = p.cfg.Account.ByUID(r.Context(), request.LeavingUID.String())
	}
	switch {
	case errors.Is(err, account.ErrUserNotFound):
		p.cfg.Pages.Message(w, http.StatusBadRequest, startAgain)
	case err != nil:
		p.fail(w, r, err)
	case a.DeletesAt == nil, a.PasswordChanges != request.PasswordChanges:
		p.form(w, http.StatusOK, request, secret, pages.SignIn{Login: a.Username})
	default:
		return request, secret, a, true
	}
	return nil, "", a, false
}

// keepPurpose keeps the form's token apart from those of the other forms.
func keepPurpose(request *Request) string { return "keep\x00" + request.ID.String() }

func (p *Provider) keepForm(w http.ResponseWriter, status int, request *Request, secret string, a account.Account, notice string) {
	p.cfg.Pages.Keep(w, status, pages.Keep{
		Request: request.sealed, Token: formToken(secret, keepPurpose(request)), Username: a.Username, At: *a.DeletesAt, Notice: notice,
		RedirectURI: request.RedirectURI,
	})
}

func (p *Provider) showKeep(w http.ResponseWriter, r *http.Request) {
	if request, secret, a, ok := p.leaving(w, r); ok {
		p.keepForm(w, http.StatusOK, request, secret, a, "")
	}
}

// keepAgain shows the page again, with a notice, to a person who must wait before the next try.
func (p *Provider) keepAgain(w http.ResponseWriter, r *http.Request, notice string) bool {
	request, _, ok := p.begun(r)
	if !ok || request.LeavingUID == nil {
		return false
	}
	if request, secret, a, ok := p.leaving(w, r); ok {
		p.keepForm(w, http.StatusTooManyRequests, request, secret, a, notice)
	}
	return true
}

// submitKeep undoes the deletion and signs the member in.
func (p *Provider) submitKeep(w http.ResponseWriter, r *http.Request) {
	request, secret, a, ok := p.leaving(w, r)
	if !ok {
		return
	}
	if !formTokenMatches(r, secret, keepPurpose(request)) {
		p.cfg.Pages.Message(w, http.StatusForbidden, startAgain)
		return
	}
	switch err := p.cfg.Account.KeepAccount(r.Context(), a.UID); {
	case errors.Is(err, account.ErrUserNotFound):
		p.cfg.Pages.Message(w, http.StatusGone, tooLate)
	case err != nil:
		p.fail(w, r, err)
	default:
		p.signIn(w, r, request, a.UID)
	}
}

var tooLate = pages.Message{Title: "This account has been deleted", Text: "It’s too late to bring it back. You’re welcome to create a new one."}
