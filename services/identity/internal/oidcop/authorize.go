package oidcop

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/device"
)

// paramTimeZone is a parameter of our own: the time zone that the browser told the client's page, such as "Europe/London". The hosted
// pages have no script that could ask for it. One that is not known is as none.
const paramTimeZone = "time_zone"

// authorize takes an authorization request and sends the browser to the sign-in page with it. Nothing
// is kept: anybody may ask, so the request travels sealed until somebody has signed in to it.
//
// The library's own handler shows most faults as a page; here every fault of a request whose client and
// redirect address are right goes back to the client (RFC 6749, 4.1.2.1).
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	c, target, ok := p.target(r.Form)
	if !ok {
		p.cfg.Pages.Message(w, http.StatusBadRequest, badRequest)
		return
	}
	request, err := p.newRequest(r.Context(), c, r.Form, hash(browser(w, r)))
	if err != nil {
		p.refuseClient(w, r, target, err)
		return
	}
	http.Redirect(w, r, request.at(pathSignIn), http.StatusFound) //nolint:gosec // a page of ours
}

// target is where the answer to a request goes: a registered redirect address of a known client,
// compared as it is. Without one there is nobody to tell what is wrong but the person.
func (p *Provider) target(form url.Values) (*client, *Request, bool) {
	if len(form["client_id"]) > 1 || len(form["redirect_uri"]) > 1 {
		return nil, nil, false
	}
	c, ok := p.storage.clients.find(form.Get("client_id"))
	redirect := form.Get("redirect_uri")
	if !ok || !slices.Contains(c.RedirectURIs(), redirect) {
		return nil, nil, false
	}
	target := &Request{ClientID: c.GetID(), RedirectURI: redirect}
	if len(form["state"]) == 1 && len(form.Get("state")) <= paramMax {
		target.State = form.Get("state")
	}
	return c, target, true
}

// newRequest checks a request in the order of its parameters' weight and seals it. Errors: *oidc.Error.
func (p *Provider) newRequest(ctx context.Context, c *client, form url.Values, browser []byte) (*Request, error) {
	if repeated(form) {
		return nil, oidc.ErrInvalidRequest().WithDescription("a parameter is there twice")
	}
	if err := checkOffered(form); err != nil {
		return nil, err
	}
	in := new(oidc.AuthRequest)
	if err := p.op.Decoder().Decode(in, form); err != nil {
		return nil, oidc.ErrInvalidRequest().WithDescription("a parameter cannot be read").WithParent(err)
	}
	hint, err := op.ValidateAuthRequestClient(ctx, in, c, p.op.IDTokenHintVerifier(ctx))
	if err != nil {
		return nil, err
	}
	if err := checkRequest(in); err != nil {
		return nil, err
	}
	request, err := p.storage.seal(p.storage.requestOf(c, in, hint, device.Place(form.Get(paramTimeZone)), browser))
	if err == nil && len(request.sealed) > sealedMax {
		err = errTooLong()
	}
	return request, err
}

// checkOffered refuses the parts of the protocol that are not offered, by the names the standards give.
func checkOffered(form url.Values) error {
	switch kind := form.Get("response_type"); {
	case kind == "":
		return oidc.ErrInvalidRequest().WithDescription("response_type is missing")
	case kind != string(oidc.ResponseTypeCode):
		return (&oidc.Error{ErrorType: "unsupported_response_type"}).WithDescription("response_type must be code")
	case form.Get("request") != "":
		return oidc.ErrRequestNotSupported()
	case form.Get("request_uri") != "":
		return &oidc.Error{ErrorType: "request_uri_not_supported"}
	}
	return nil
}

// refuseClient tells the client why there is no code. A fault of ours is for the person alone.
func (p *Provider) refuseClient(w http.ResponseWriter, r *http.Request, request *Request, err error) {
	e := oidc.DefaultToServerError(err, "")
	if e.ErrorType == oidc.ServerError {
		p.fail(w, r, err)
		return
	}
	p.cfg.Log.DebugContext(r.Context(), "authorization refused", "client", request.ClientID, "reason", string(e.ErrorType))
	answer := url.Values{"error": {string(e.ErrorType)}}
	if e.Description != "" {
		answer.Set("error_description", e.Description)
	}
	p.answerClient(w, r, request, answer)
}

// answerClient sends the browser back to the client. The issuer stands in every answer, so that a
// client of several providers cannot be made to take one's answer for another's (RFC 9207, 2).
func (p *Provider) answerClient(w http.ResponseWriter, r *http.Request, request *Request, answer url.Values) {
	at, err := url.Parse(request.RedirectURI)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	query := at.Query()
	for name, values := range answer {
		query[name] = values
	}
	query.Set("iss", p.cfg.Issuer)
	if request.State != "" {
		query.Set("state", request.State)
	}
	at.RawQuery = query.Encode()
	http.Redirect(w, r, at.String(), http.StatusFound) //nolint:gosec // registered by the client; see target
}
