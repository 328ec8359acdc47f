package guard

import (
	"errors"
	"net/http"
)

// Header must stand on every call of an RPC, with the value "1". A page of another origin can
// only send it after a preflight, and the gateway answers none.
const Header = "X-Serein"

// OwnPagesOnly refuses calls that did not come from our own pages: without the static header,
// or with an Origin or Sec-Fetch-Site that names another. Reads are no exception.
func OwnPagesOnly(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := fromOwnPage(protection, r); err != nil {
			Refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// FromOwnPage refuses a request that did not come from our own pages. Errors: ErrCrossSite.
func FromOwnPage(r *http.Request) error {
	return fromOwnPage(http.NewCrossOriginProtection(), r)
}

func fromOwnPage(protection *http.CrossOriginProtection, r *http.Request) error {
	if err := ownPage(protection, r); err != nil {
		return ErrCrossSite.Because(err)
	}
	return nil
}

func ownPage(protection *http.CrossOriginProtection, r *http.Request) error {
	if r.Header.Get(Header) != "1" {
		return errors.New("the static header is missing")
	}
	// net/http lets every GET pass unasked; here a read must come from our pages too.
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return errors.New("Sec-Fetch-Site is " + site)
	}
	return protection.Check(r)
}
