package paymentsandbox

import (
	"net/http"
	"slices"
	"time"
)

// membershipView is a subscription as the clock's page shows it.
type membershipView struct {
	Name, Every, Currency, Email string
	Amount                       int64
	// Stands says how it stands, Today is the day that it has come to.
	Stands, Today string
}

// mostShown of the memberships, the newest ones.
const mostShown = 50

// day is how people write one.
const day = "2 January 2006"

func (s *Sandbox) showClock(w http.ResponseWriter, r *http.Request) {
	s.renderClock(w, http.StatusOK, view{Title: "Let time pass", Done: r.URL.Query().Has("passed")})
}

func (s *Sandbox) renderClock(w http.ResponseWriter, status int, v view) {
	_ = s.locked(func() error {
		for _, found := range slices.Backward(s.state.Subscriptions.Items) {
			if len(v.Memberships) < mostShown {
				v.Memberships = append(v.Memberships, s.viewOfMembership(found))
			}
		}
		return nil
	})
	render(w, status, "clock", v)
}

func (s *Sandbox) viewOfMembership(found *subscription) membershipView {
	p, _ := s.state.Prices.get(found.Lines[0].Price)
	sold, _ := s.state.Products.get(p.Product)
	return membershipView{
		Name: sold.Name, Every: found.Interval, Currency: found.Currency, Amount: s.goods(found.Lines), Email: s.payerOrNil(found.Customer).Email,
		Stands: found.stands(), Today: dayOf(s.timeOf(found)),
	}
}

func (s *subscription) stands() string {
	switch {
	case s.Status == canceled:
		return "Ended on " + dayOf(s.EndedAt)
	case s.RetryAt != 0:
		return "Not paid, tried again on " + dayOf(s.RetryAt)
	case s.Status == pastDue:
		return "Not paid"
	case s.CancelAtEnd:
		return "Ends on " + dayOf(s.PeriodEnd)
	}
	return "Renews on " + dayOf(s.PeriodEnd)
}

func dayOf(unix int64) string { return time.Unix(unix, 0).UTC().Format(day) }

// moveClock lets a day, a week or a month pass, and shows the page again: who opens it once more moves nothing.
func (s *Sandbox) moveClock(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	now := s.now()
	until, ok := map[string]time.Time{
		"day": now.AddDate(0, 0, 1), "week": now.AddDate(0, 0, 7), "month": now.AddDate(0, 1, 0), //nolint:mnd // days of a week
	}[r.PostFormValue("on")]
	if !ok {
		s.renderClock(w, http.StatusUnprocessableEntity, view{Title: "Please check: let time pass", Problem: "Please choose how far."})
		return
	}
	s.Advance(until.Sub(now))
	http.Redirect(w, r, r.URL.Path+"?passed", http.StatusSeeOther) //nolint:gosec // this page
}
