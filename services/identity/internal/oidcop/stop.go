package oidcop

import (
	"errors"
	"net/http"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/pages"
)

const pathStop = "/sign-in/address/stop"

// PathStop is the page that stops a change of address, up to the token of the letter's link. Opening it changes nothing: mail
// programs look at what a letter links to.
const PathStop = pathStop + "?change="

var (
	stopped   = pages.Message{Title: "We’ve stopped the change", Text: "Your address stays as it is. If you didn’t ask for another, someone knows your password: please set a new one. On the sign-in page, press Forgot your password?"}
	noneWaits = pages.Message{Title: "There’s nothing to stop", Text: "This change has already been made or stopped, or has run out of time. If your account has an address that isn’t yours, please write to us."}
)

func (p *Provider) registerStop(handle func(pattern string, h http.Handler)) {
	handle("GET "+pathStop, p.page(p.counted(p.askStop)))
	handle("POST "+pathStop, p.ownPages(p.page(p.counted(p.submitStop))))
}

func (p *Provider) askStop(w http.ResponseWriter, r *http.Request) {
	c, err := p.cfg.Account.StoppableChange(r.Context(), r.Form.Get("change"))
	if err != nil {
		p.refuseStop(w, r, err)
		return
	}
	p.cfg.Pages.Stop(w, pages.Stop{Change: r.Form.Get("change"), Email: c.Email})
}

func (p *Provider) submitStop(w http.ResponseWriter, r *http.Request) {
	if err := p.cfg.Account.StopByLink(r.Context(), r.PostForm.Get("change")); err != nil {
		p.refuseStop(w, r, err)
		return
	}
	p.cfg.Pages.Message(w, http.StatusOK, stopped)
}

func (p *Provider) refuseStop(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, account.ErrNoChange) {
		p.cfg.Pages.Message(w, http.StatusGone, noneWaits)
		return
	}
	p.fail(w, r, err)
}
