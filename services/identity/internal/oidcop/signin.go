package oidcop

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/oidc"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/device"
	"serein.app/services/identity/internal/pages"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/seclog"
)

var (
	badRequest = pages.Message{Title: "That didn’t work", Text: "This address isn’t complete. Please go back to Serein and start again."}
	startAgain = pages.Message{Title: "Please start again", Text: "This sign-in took too long, or was started in another browser. Please go back to Serein and press Sign in again."}
	resting    = pages.Message{Title: "Back in a moment", Text: "You can’t sign in at the moment. Please try again shortly."}
	loggedOut  = pages.Message{Title: "You’re signed out", Text: "Come back whenever you like. You can close this page."}
)

// plainErrors keeps the library's own error texts from the browser.
type plainErrors struct {
	http.ResponseWriter
	refused bool
}

// WriteHeader holds an error back.
func (w *plainErrors) WriteHeader(status int) {
	if w.refused = status >= http.StatusBadRequest; !w.refused {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write drops what belongs to an error.
func (w *plainErrors) Write(b []byte) (int, error) {
	if w.refused {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// waiting opens the request that the page is for, in the browser that began it. Without such a request waiting writes the answer.
func (p *Provider) waiting(w http.ResponseWriter, r *http.Request) (request *Request, secret string, ok bool) {
	request, secret, ok = p.begun(r)
	if !ok {
		p.cfg.Pages.Message(w, http.StatusBadRequest, startAgain)
	}
	return request, secret, ok
}

// begun opens the request that the page is for; not ok: there is none, another browser began it, or its client is no more.
func (p *Provider) begun(r *http.Request) (request *Request, secret string, ok bool) {
	request, err := p.storage.open(r.Form.Get("request"))
	if err != nil {
		return nil, "", false
	}
	// What was registered when it began may have been taken out since.
	c, ok := p.storage.clients.find(request.ClientID)
	if !ok || !slices.Contains(c.RedirectURIs(), request.RedirectURI) {
		return nil, "", false
	}
	secret, ok = began(r, request)
	return request, secret, ok
}

func (p *Provider) fail(w http.ResponseWriter, r *http.Request, err error) {
	p.cfg.Log.ErrorContext(r.Context(), "sign-in failed", "error", err)
	status := http.StatusInternalServerError
	if errs.KindOf(err) == errs.Unavailable {
		status = http.StatusServiceUnavailable
	}
	p.cfg.Pages.Message(w, status, resting)
}

// showSignIn goes on silently where the browser's session will do, and shows the form otherwise.
func (p *Provider) showSignIn(w http.ResponseWriter, r *http.Request) {
	request, secret, ok := p.waiting(w, r)
	if !ok {
		return
	}
	if s, ok := p.session(r); ok && p.silent(request, s) {
		if err := p.cfg.Store.UseSession(r.Context(), s.SID, p.storage.at()); err != nil {
			p.fail(w, r, err)
			return
		}
		p.goOn(w, r, request, s)
		return
	}
	if slices.Contains(request.Prompt, oidc.PromptNone) {
		p.refuseClient(w, r, request, oidc.ErrLoginRequired())
		return
	}
	p.form(w, http.StatusOK, request, secret, pages.SignIn{Login: request.LoginHint})
}

// silent says whether a session answers the request without asking the person.
func (p *Provider) silent(request *Request, s Session) bool {
	fresh := request.MaxAge == nil || p.storage.at().Sub(s.AuthTime) <= time.Duration(*request.MaxAge)*time.Second
	asks := slices.Contains(request.Prompt, oidc.PromptLogin) || slices.Contains(request.Prompt, oidc.PromptSelectAccount)
	return fresh && !asks && (request.HintUID == "" || request.HintUID == s.UID.String())
}

func (p *Provider) form(w http.ResponseWriter, status int, request *Request, secret string, page pages.SignIn) {
	page.Request, page.RedirectURI = request.sealed, request.RedirectURI
	page.Token = formToken(secret, request.ID.String())
	if p.cfg.Passkeys.On() {
		page.PasskeyToken = formToken(secret, passkeyPurpose(request))
	}
	p.cfg.Pages.SignIn(w, status, page)
}

// signInAgain shows the form again, with a notice, to a person who must wait before the next try.
func (p *Provider) signInAgain(w http.ResponseWriter, r *http.Request, notice string) bool {
	request, secret, ok := p.begun(r)
	if ok {
		p.form(w, http.StatusTooManyRequests, request, secret, pages.SignIn{Login: r.PostForm.Get("login"), Notice: notice})
	}
	return ok
}

// submitSignIn proves the password and goes on.
func (p *Provider) submitSignIn(w http.ResponseWriter, r *http.Request) {
	request, secret, ok := p.waiting(w, r)
	if !ok {
		return
	}
	if !formTokenMatches(r, secret, request.ID.String()) {
		p.cfg.Pages.Message(w, http.StatusForbidden, startAgain)
		return
	}
	login := r.PostForm.Get("login")
	a, err := p.cfg.Account.Authenticate(r.Context(), account.Attempt{
		Login: login, Password: r.PostForm.Get("password"), Address: p.cfg.Proxies.Key(r), Device: p.device(r),
	})
	if errors.Is(err, account.ErrNotConfirmed) {
		p.askCode(w, r, request, a)
		return
	}
	if err != nil && !errors.Is(err, account.ErrLeaving) {
		p.refuse(w, r, request, secret, login, err)
		return
	}
	p.passwordProved(w, r, request, a)
}

// signIn begins the browser's session of a member and continues to the client. If the account asks for a code that the member has not
// given, signIn leads to its page; if the password or passkey has stopped counting since, it asks for the password again.
func (p *Provider) signIn(w http.ResponseWriter, r *http.Request, request *Request, uid uuid.UUID) {
	s, code, err := p.startSession(w, r, request, uid)
	if err == nil {
		err = p.rememberDevice(w, r, uid)
	}
	if errors.Is(err, ErrSecondStepAsked) {
		p.askSecond(w, r, request, uid)
		return
	}
	if err != nil {
		secret, _ := began(r, request)
		p.refuse(w, r, request, secret, cmp.Or(r.PostForm.Get("login"), request.LoginHint), err)
		return
	}
	if request.HintUID != "" && request.HintUID != uid.String() {
		p.refuseClient(w, r, request, oidc.ErrLoginRequired())
		return
	}
	if code != "" {
		p.sendCode(w, r, request, code)
		return
	}
	p.goOn(w, r, request, s)
}

func (p *Provider) refuse(w http.ResponseWriter, r *http.Request, request *Request, secret, login string, err error) {
	e := errs.From(err)
	page := pages.SignIn{Login: login}
	switch {
	case errors.Is(err, account.ErrPasswordReset):
		p.forgotForm(w, http.StatusForbidden, request, secret, pages.Forgot{Login: login, Notice: e.Public})
	case errors.Is(err, account.ErrNotAuthorized):
		page.Error = e.Public
		p.form(w, http.StatusUnauthorized, request, secret, page)
	case errors.Is(err, account.ErrTooManyRequests):
		page.Notice = e.Public
		retryAfter(w, err)
		p.form(w, http.StatusTooManyRequests, request, secret, page)
	default:
		p.fail(w, r, err)
	}
}

// startSession begins the browser's session under a new secret, whatever cookie came before. A session of the same
// member goes on, with the clients that hold something of it; one of somebody else ends, and its clients are told. A code is the
// session's answer to the request, which then goes to the client.
func (p *Provider) startSession(w http.ResponseWriter, r *http.Request, request *Request, uid uuid.UUID) (s Session, code string, err error) {
	now, secret := p.storage.at(), rand.Text()
	s = Session{
		SID: p.cfg.NewID(), CookieHash: hash(secret), UID: uid, AuthTime: now, ExpiresAt: now.Add(SessionLife),
		Device: device.Of(r.UserAgent()), Place: request.Place, ByPasskey: request.ByPasskey, SecondStep: request.SecondStep,
		PasswordChanges: request.PasswordChanges, Browser: request.Browser,
	}
	before, had := p.session(r)
	s, code, err = p.keepSession(r, request, s, before, had)
	if err == nil && had && before.SID != s.SID {
		err = p.cfg.Store.EndSession(r.Context(), before.SID, now)
	}
	if err != nil {
		return s, "", err
	}
	setCookie(w, cookieSession, secret, 0)
	return s, code, nil
}

// keepSession stores the new session. It keeps the id of the browser's session before, if that is the same member's and has not ended.
// The member gets a letter about a browser that has neither such a session nor the device cookie of an earlier sign-in of theirs.
func (p *Provider) keepSession(r *http.Request, request *Request, s, before Session, had bool) (kept Session, code string, err error) {
	if had && before.UID == s.UID {
		renewed := s
		renewed.SID = before.SID
		if err := p.cfg.Store.RenewSession(r.Context(), renewed); !errors.Is(err, ErrNotFound) {
			return renewed, "", err
		}
	}
	known := p.device(r).UID == s.UID
	code, err = p.begin(r.Context(), request, s, known)
	if err == nil && !known {
		p.cfg.Security.Record(r.Context(), seclog.Event{Kind: seclog.NewDevice, Outcome: seclog.Success, UID: s.UID.String(), Address: p.cfg.Proxies.Key(r)})
	}
	return s, code, err
}

// begin stores a new session, and with it the answer to a request of a client of ours, whose member nothing more is asked. Without a code
// the request has still to be answered, or was answered before.
func (p *Provider) begin(ctx context.Context, request *Request, s Session, known bool) (code string, err error) {
	c, ok := p.storage.clients.find(request.ClientID)
	if !ok || !c.FirstParty || request.HintUID != "" && request.HintUID != s.UID.String() {
		return "", p.cfg.Store.StartSession(ctx, s, known)
	}
	answered := *request // the request itself stays open until the session is there
	code, answer := p.answer(&answered, s)
	err = p.cfg.Store.StartAndAnswer(ctx, s, known, answer)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return code, err
}

// errAnswered tells a client that the person comes back to a request whose code it has used, by Back or a form that was sent twice: the
// client knows whether they are signed in, and leads them on.
var errAnswered = oidc.ErrInvalidRequest().WithDescription("this request was answered already")

// finish keeps the answered request and sends its code to the client's redirect address. A second answer before the code is used has
// another code, and the first is void.
func (p *Provider) finish(w http.ResponseWriter, r *http.Request, request *Request, s Session) {
	code, err := p.answered(r.Context(), request, s)
	if errors.Is(err, ErrNotFound) {
		p.refuseClient(w, r, request, errAnswered)
		return
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.sendCode(w, r, request, code)
}

func (p *Provider) sendCode(w http.ResponseWriter, r *http.Request, request *Request, code string) {
	pages.Secure(w.Header(), request.RedirectURI)
	p.answerClient(w, r, request, url.Values{"code": {code}})
}

// answered keeps the request as one that the session has answered, and gives its code. Errors: ErrNotFound where its code is used.
func (p *Provider) answered(ctx context.Context, request *Request, s Session) (code string, err error) {
	code, answer := p.answer(request, s)
	return code, p.cfg.Store.SaveAnswered(ctx, *answer.Request, answer.CodeHash, answer.Expires)
}

// answer makes the request one that the session has answered, and gives its code.
func (p *Provider) answer(request *Request, s Session) (code string, a Answer) {
	request.UID, request.SID, request.AuthTime, request.ByPasskey, request.SecondStep = &s.UID, &s.SID, &s.AuthTime, s.ByPasskey, s.SecondStep
	code = rand.Text() + rand.Text()
	return code, Answer{request, hash(code), p.storage.at().Add(CodeLife)}
}
