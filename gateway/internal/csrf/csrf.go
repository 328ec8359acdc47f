// Package csrf is the defence against calls that another site makes in a member's name.
package csrf

import (
	"errors"
	"fmt"
	"net/http"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

// ErrCrossSite is the refusal of this package.
var ErrCrossSite = errs.New(errs.Forbidden, errorsv1.Reason_REASON_CROSS_SITE, "This call did not come from Serein's own pages.")

// Header must stand on every call of an RPC, with the value "1". A page of another origin can
// only send it after a preflight, and the gateway answers none.
const Header = "X-Serein"

// Site is the origin of our own pages, as guard.Origin gives it.
type Site string

// OwnPagesOnly refuses calls that did not come from our own pages: without the static header,
// or with an Origin or Sec-Fetch-Site that names another. Reads are no exception. refused hears of each.
func (s Site) OwnPagesOnly(next http.Handler, refused func(*http.Request, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.FromOwnPage(r); err != nil {
			refused(r, err)
			guard.Refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// FromOwnPage refuses a request that did not come from our own pages. Errors: ErrCrossSite.
func (s Site) FromOwnPage(r *http.Request) error {
	if err := s.ownPage(r); err != nil {
		return ErrCrossSite.Because(err)
	}
	return nil
}

// ownPage believes none of the three alone. It is stricter than http.CrossOriginProtection, which
// lets every read pass, and every request that Sec-Fetch-Site calls our own.
func (s Site) ownPage(r *http.Request) error {
	if r.Header.Get(Header) != "1" {
		return errors.New("the static header is missing")
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return fmt.Errorf("the Sec-Fetch-Site is %.32q", site)
	}
	for _, origin := range r.Header.Values("Origin") {
		if origin != string(s) {
			return fmt.Errorf("the Origin is %.64q", origin)
		}
	}
	return nil
}
