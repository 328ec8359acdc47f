package oidcop

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/zitadel/oidc/v3/pkg/oidc"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/pages"
)

// errConsentRequired is for prompt=none where the member would have to be asked (OpenID Connect Core,
// 3.1.2.6); the library has no name for it.
func errConsentRequired() *oidc.Error {
	e := oidc.ErrInteractionRequired()
	e.ErrorType = "consent_required"
	return e
}

// scopeWords say in plain words what each scope lets an app do. A scope without words is no client's
// of somebody else.
var scopeWords = map[string]string{
	oidc.ScopeOpenID:          "Recognise you when you come back",
	oidc.ScopeProfile:         "See your name and your username",
	oidc.ScopeEmail:           "See your email address",
	oidc.ScopeOfflineAccess:   "Keep doing this while you’re away, until you sign out or 90 days have passed",
	"serein.user.read":        "Read your profile, your plan and your credits",
	"serein.user.write":       "Change your profile and your likes",
	"serein.meditation.read":  "Read and listen to the meditations made for you",
	"serein.meditation.write": "Make meditations for you, which spends your credits, and remove them",
	"serein.library.read":     "Use the library in your membership",
	"serein.library.write":    "Change the library, as far as you can yourself",
	"serein.article.read":     "Read the articles in your membership",
	"serein.article.write":    "Write articles, as far as you can yourself",
	"serein.billing.write":    "Change or end your plan, and pay on your behalf",
	"serein.mail.send":        "Send emails, as far as you can yourself",
	oidc.ScopePhone:           "See your phone number, if we have it",
	oidc.ScopeAddress:         "See your postal address, if we have it",
}

// goOn redirects a member who has signed in to the client, or first to the question whether the client's app may act for them.
func (p *Provider) goOn(w http.ResponseWriter, r *http.Request, request *Request, s Session) {
	ask, err := p.mustAsk(r.Context(), request, s)
	switch {
	case err != nil:
		p.fail(w, r, err)
	case !ask:
		p.finish(w, r, request, s)
	case slices.Contains(request.Prompt, oidc.PromptNone):
		p.refuseClient(w, r, request, errConsentRequired())
	default:
		http.Redirect(w, r, request.at(pathConsent), http.StatusSeeOther)
	}
}

// mustAsk says whether the member has yet to let the client in: it is not our own, and it wants more
// than any one earlier answer covers, or to be asked again.
func (p *Provider) mustAsk(ctx context.Context, request *Request, s Session) (bool, error) {
	c, ok := p.storage.clients.find(request.ClientID)
	if ok && c.FirstParty {
		return false, nil
	}
	if slices.Contains(request.Prompt, oidc.PromptConsent) {
		return true, nil
	}
	given, err := p.cfg.Store.ClientConsented(ctx, s.UID, request.ClientID, request.Scopes)
	return !given, err
}

// consenting finds the request, and who has signed in to it in this browser. It answers itself where
// there is neither: a session from before counts only where it would have answered the request alone.
func (p *Provider) consenting(w http.ResponseWriter, r *http.Request) (request *Request, secret string, s Session, ok bool) {
	request, secret, ok = p.waiting(w, r)
	if !ok {
		return nil, "", s, false
	}
	s, ok = p.session(r)
	if !ok || !p.answers(request, s) {
		http.Redirect(w, r, request.at(pathSignIn), http.StatusSeeOther)
		return nil, "", s, false
	}
	return request, secret, s, true
}

// answers says whether a session is a sign-in to this request, or does for it without one.
func (p *Provider) answers(request *Request, s Session) bool {
	expected := request.HintUID == "" || request.HintUID == s.UID.String()
	return (expected && !s.AuthTime.Before(request.CreatedAt)) || p.silent(request, s)
}

// consentPurpose binds the form to the request and to whom it was shown to.
func consentPurpose(request *Request, s Session) string {
	return "consent\x00" + request.ID.String() + "\x00" + s.SID.String()
}

func (p *Provider) showConsent(w http.ResponseWriter, r *http.Request) {
	p.consentForm(w, r, http.StatusOK, "")
}

// consentAgain shows the question again, with a notice, to a member who must wait before the next answer.
func (p *Provider) consentAgain(w http.ResponseWriter, r *http.Request, notice string) bool {
	_, _, ok := p.begun(r)
	if ok {
		p.consentForm(w, r, http.StatusTooManyRequests, notice)
	}
	return ok
}

func (p *Provider) consentForm(w http.ResponseWriter, r *http.Request, status int, notice string) {
	request, secret, s, ok := p.consenting(w, r)
	if !ok {
		return
	}
	a, err := p.cfg.Account.ByUID(r.Context(), s.UID.String())
	if errors.Is(err, account.ErrUserNotFound) {
		p.cfg.Pages.Message(w, http.StatusBadRequest, startAgain)
		return
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.cfg.Pages.Consent(w, status, pages.Consent{
		Notice:  notice,
		Request: request.sealed, Token: formToken(secret, consentPurpose(request, s)), RedirectURI: request.RedirectURI,
		App: p.storage.clients.shown(request.ClientID), Username: a.Username, Asks: asks(request.Scopes),
	})
}

// asks are the scopes in words, in one order.
func asks(scopes []string) []string {
	var words []string
	for _, scope := range scopes {
		if said, ok := scopeWords[scope]; ok {
			words = append(words, said)
		}
	}
	return words
}

// submitConsent records a yes and goes on; everything else is a no (RFC 6749, 4.1.2.1).
func (p *Provider) submitConsent(w http.ResponseWriter, r *http.Request) {
	request, secret, s, ok := p.consenting(w, r)
	if !ok {
		return
	}
	if !formTokenMatches(r, secret, consentPurpose(request, s)) {
		p.cfg.Pages.Message(w, http.StatusForbidden, startAgain)
		return
	}
	if r.PostForm.Get("answer") != "allow" {
		p.refuseClient(w, r, request, oidc.ErrAccessDenied().WithDescription("the member did not allow it"))
		return
	}
	if err := p.cfg.Store.AddClientConsent(r.Context(), s.UID, request.ClientID, request.Scopes, p.storage.at()); err != nil {
		p.fail(w, r, err)
		return
	}
	p.finish(w, r, request, s)
}
