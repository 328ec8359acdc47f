package paymentsandbox

import (
	"cmp"
	"net/http"
	"time"
)

// portalLife is how long a card's page can be used after it was opened.
const portalLife = time.Hour

// openPortal gives a view of a customer's card; otherwise it answers.
func (s *Sandbox) openPortal(w http.ResponseWriter, r *http.Request) (v view, of portal, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, there := s.state.Portals.get(r.PathValue("id"))
	if !there || s.now().Unix()-found.Created > int64(portalLife.Seconds()) {
		gone(w, "")
		return v, of, false
	}
	v = view{Title: "Your card", Back: found.ReturnURL}
	v.Saved = s.saved(found.Customer)
	return v, *found, true
}

func (s *Sandbox) showPortal(w http.ResponseWriter, r *http.Request) {
	if v, _, ok := s.openPortal(w, r); ok {
		v.Done = r.URL.Query().Has("changed")
		render(w, http.StatusOK, "portal", v)
	}
}

func (s *Sandbox) changePortalCard(w http.ResponseWriter, r *http.Request) {
	v, of, ok := s.openPortal(w, r)
	if !ok {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	card := readCard(r.PostFormValue("number"))
	v.Title, v.Wrong = "Please check: your card", "number"
	switch {
	case !card.known():
		v.Problem = "Only the test cards below work here. Please do not type in a real card."
	case s.ChangeCard(of.Customer, card) != nil:
		v.Problem = "That card was declined. The one before stays as it was."
	default:
		http.Redirect(w, r, cmp.Or(of.After, r.URL.Path+"?changed"), http.StatusSeeOther) //nolint:gosec // where the caller of the API wants it, or this page
		return
	}
	render(w, http.StatusUnprocessableEntity, "portal", v)
}

// saved are the last digits of what a customer's membership is charged to, or of the card that all else would be; empty for none.
func (s *Sandbox) saved(customerID string) string {
	own := &subscription{Customer: customerID}
	for _, found := range s.state.Subscriptions.Items {
		if found.Customer == customerID && found.Status != canceled {
			own = found
		}
	}
	return s.charged(own).Card.last4()
}
