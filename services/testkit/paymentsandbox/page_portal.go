package paymentsandbox

import (
	"net/http"
	"time"
)

// portalLife is how long a card's page can be used after it was opened.
const portalLife = time.Hour

// openPortal gives a view of a customer's card; otherwise it answers.
func (s *Sandbox) openPortal(w http.ResponseWriter, r *http.Request) (v view, customerID string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, there := s.state.Portals.get(r.PathValue("id"))
	if !there || s.now().Unix()-found.Created > int64(portalLife.Seconds()) {
		gone(w, "")
		return v, "", false
	}
	v = view{Title: "Your card", Back: found.ReturnURL}
	if c, known := s.payer(found.Customer); known && c.Card != nil {
		v.Saved = c.Card.last4()
	}
	return v, found.Customer, true
}

func (s *Sandbox) showPortal(w http.ResponseWriter, r *http.Request) {
	if v, _, ok := s.openPortal(w, r); ok {
		v.Done = r.URL.Query().Has("changed")
		render(w, http.StatusOK, "portal", v)
	}
}

func (s *Sandbox) changePortalCard(w http.ResponseWriter, r *http.Request) {
	v, customerID, ok := s.openPortal(w, r)
	if !ok {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	card := readCard(r.PostFormValue("number"))
	v.Title, v.Wrong = "Please check: your card", "number"
	switch {
	case !card.known():
		v.Problem = "Only the test cards below work here. Please do not type in a real card."
	case s.ChangeCard(customerID, card) != nil:
		v.Problem = "That card was declined. The one before stays as it was."
	default:
		http.Redirect(w, r, r.URL.Path+"?changed", http.StatusSeeOther) //nolint:gosec // this page
		return
	}
	render(w, http.StatusUnprocessableEntity, "portal", v)
}
