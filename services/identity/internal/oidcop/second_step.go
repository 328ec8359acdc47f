package oidcop

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/pages"
	"serein.app/services/identity/internal/secondstep"
	"serein.app/services/platform/errs"
)

const pathCode = "/sign-in/code"

// codeWait is how long a person who has given the password may take for the code.
const codeWait = 10 * time.Minute

// SecondStep is what some members are asked for beside their password.
type SecondStep interface {
	// Asked says whether a member is.
	Asked(ctx context.Context, uid uuid.UUID) (bool, error)
	// Prove proves a member by their code. Errors: secondstep.ErrCode, secondstep.ErrUsed, secondstep.ErrOff, account.ErrTooManyRequests.
	Prove(ctx context.Context, in secondstep.Attempt) error
}

func (p *Provider) registerSecondStep(handle func(pattern string, h http.Handler)) {
	handle("GET "+pathCode, p.page(p.showCode))
	handle("POST "+pathCode, p.ownPages(p.page(p.countedForm(p.submitCode, p.codeAgain))))
}

// passwordProved continues after a right password. It drops what the request recorded of an earlier answer. Whether the account asks for a
// code is decided where the session begins; before the undoing of a deletion it is asked here.
func (p *Provider) passwordProved(w http.ResponseWriter, r *http.Request, request *Request, a account.Account) {
	request.ByPasskey, request.SecondStep, request.PasswordChanges = false, false, a.PasswordChanges
	var asked bool
	var err error
	if a.DeletesAt != nil {
		asked, err = p.cfg.SecondStep.Asked(r.Context(), a.UID)
	}
	switch {
	case err != nil:
		p.fail(w, r, err)
	case asked:
		p.askSecond(w, r, request, a.UID)
	default:
		p.letIn(w, r, request, a)
	}
}

// letIn signs a member in who has proved all that is asked for, or leads them to undo the deletion of their account first.
func (p *Provider) letIn(w http.ResponseWriter, r *http.Request, request *Request, a account.Account) {
	if a.DeletesAt != nil {
		p.askKeep(w, r, request, a)
		return
	}
	p.signIn(w, r, request, a.UID)
}

// askSecond redirects a person who gave the right password to the page of the code. The person is signed in only after a right code.
func (p *Provider) askSecond(w http.ResponseWriter, r *http.Request, request *Request, uid uuid.UUID) {
	waiting := *request
	waiting.CodeUID, waiting.CodeBy = &uid, p.storage.at().Add(codeWait)
	request, err := p.storage.seal(&waiting)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	http.Redirect(w, r, request.at(pathCode), http.StatusSeeOther)
}

// asked finds the request and the account that must give its code, in the browser where its password was given. Without such a request
// asked writes the answer. A person who took too long, or whose password has been replaced since, is asked for the password.
func (p *Provider) asked(w http.ResponseWriter, r *http.Request) (request *Request, secret string, a account.Account, ok bool) {
	request, secret, ok = p.waiting(w, r)
	if !ok {
		return nil, "", a, false
	}
	err := error(account.ErrUserNotFound)
	if request.CodeUID != nil {
		a, err = p.cfg.Account.ByUID(r.Context(), request.CodeUID.String())
	}
	switch {
	case errors.Is(err, account.ErrUserNotFound):
		p.cfg.Pages.Message(w, http.StatusBadRequest, startAgain)
	case err != nil:
		p.fail(w, r, err)
	case !p.storage.at().Before(request.CodeBy), a.PasswordChanges != request.PasswordChanges:
		p.form(w, http.StatusOK, request, secret, pages.SignIn{Login: a.Username})
	default:
		return request, secret, a, true
	}
	return nil, "", a, false
}

// codePurpose keeps the form's token apart from those of the other forms.
func codePurpose(request *Request) string { return "code\x00" + request.ID.String() }

func (p *Provider) codeForm(w http.ResponseWriter, r *http.Request, status int, request *Request, secret string, page pages.Code) {
	page.Request, page.RedirectURI, page.Recovery = request.sealed, request.RedirectURI, r.Form.Get("recovery") != ""
	page.Token = formToken(secret, codePurpose(request))
	p.cfg.Pages.Code(w, status, page)
}

func (p *Provider) showCode(w http.ResponseWriter, r *http.Request) {
	if request, secret, a, ok := p.asked(w, r); ok {
		p.codeForm(w, r, http.StatusOK, request, secret, pages.Code{Username: a.Username})
	}
}

// codeAgain shows the page again, with a notice, to a person who must wait before the next try.
func (p *Provider) codeAgain(w http.ResponseWriter, r *http.Request, notice string) bool {
	request, _, ok := p.begun(r)
	if !ok || request.CodeUID == nil {
		return false
	}
	if request, secret, a, ok := p.asked(w, r); ok {
		p.codeForm(w, r, http.StatusTooManyRequests, request, secret, pages.Code{Username: a.Username, Notice: notice})
	}
	return true
}

// submitCode takes the code and goes on.
func (p *Provider) submitCode(w http.ResponseWriter, r *http.Request) {
	request, secret, a, ok := p.asked(w, r)
	if !ok {
		return
	}
	if !formTokenMatches(r, secret, codePurpose(request)) {
		p.cfg.Pages.Message(w, http.StatusForbidden, startAgain)
		return
	}
	err := p.cfg.SecondStep.Prove(r.Context(), secondstep.Attempt{
		UID: a.UID, Code: r.PostForm.Get("code"), Address: p.cfg.Proxies.Key(r), Device: p.device(r),
	})
	if err != nil {
		p.refuseSecond(w, r, request, secret, a, err)
		return
	}
	request.SecondStep = true
	p.letIn(w, r, request, a)
}

func (p *Provider) refuseSecond(w http.ResponseWriter, r *http.Request, request *Request, secret string, a account.Account, err error) {
	page := pages.Code{Username: a.Username}
	switch said := errs.From(err).Public; {
	case errors.Is(err, secondstep.ErrCode), errors.Is(err, secondstep.ErrUsed):
		page.Error = said
		p.codeForm(w, r, http.StatusUnprocessableEntity, request, secret, page)
	case errors.Is(err, account.ErrTooManyRequests):
		page.Notice = said
		p.codeForm(retryAfter(w, err), r, http.StatusTooManyRequests, request, secret, page)
	case errors.Is(err, secondstep.ErrOff), errors.Is(err, account.ErrUserNotFound):
		p.form(w, http.StatusOK, request, secret, pages.SignIn{Login: a.Username}) // turned off meanwhile: the password alone lets in
	default:
		p.refuse(w, r, request, secret, a.Username, err)
	}
}
