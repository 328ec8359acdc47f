package paymentsandbox

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

type checkoutView struct {
	// Path is where the form goes, whichever page shows it.
	Path            string
	Lines           []lineView
	Total           int64
	Balance, Owed   int64 // that are taken off and put on
	Currency        string
	Every           string // "month" or "year"; empty for what is paid once
	DeliveryName    string
	Delivery        int64
	Countries       []country
	AsksForDelivery bool
	AsksForEmail    bool
	AsksForCard     bool
	Email           string
	Note            string
	codeView
}

type lineView struct {
	Name     string
	Quantity int64
	Amount   int64
}

type country struct{ Code, Name string }

var countryNames = map[string]string{
	"GB": "United Kingdom", "IE": "Ireland", "FR": "France", "DE": "Germany", "NL": "Netherlands", "BE": "Belgium", "ES": "Spain",
	"IT": "Italy", "PT": "Portugal", "SE": "Sweden", "DK": "Denmark", "NO": "Norway", "US": "United States", "CA": "Canada",
	"AU": "Australia", "NZ": "New Zealand",
}

// openSession gives a view of a checkout that can be paid; otherwise it answers, or sends on who has paid.
func (s *Sandbox) openSession(w http.ResponseWriter, r *http.Request) (v view, ok bool) {
	_ = s.locked(func() error {
		found, there := s.state.Sessions.get(r.PathValue("id"))
		switch {
		case !there:
			gone(w, "")
		case found.Status == complete:
			http.Redirect(w, r, found.success(), http.StatusSeeOther) //nolint:gosec // where the API's caller wants them
		case found.Status == expired:
			gone(w, found.CancelURL)
		default:
			v, ok = view{Title: "Payment", Back: found.CancelURL, Checkout: s.viewOf(found), Form: url.Values{}}, true
		}
		return nil
	})
	return v, ok
}

func (s *Sandbox) viewOf(found *session) *checkoutView {
	v := &checkoutView{
		Path: "/c/pay/" + found.ID, Total: s.asked(found), Currency: found.Currency, AsksForDelivery: len(found.Countries) > 0, Note: found.Note, Email: found.Email,
		AsksForEmail: found.Customer == "" && found.Email == "", AsksForCard: s.asksForCard(found),
	}
	if c, ok := s.payer(found.Customer); ok {
		v.Email = c.Email
	}
	for _, l := range found.Lines {
		p, _ := s.state.Prices.get(l.Price)
		sold, _ := s.state.Products.get(p.Product)
		v.Every = p.Interval
		v.Lines = append(v.Lines, lineView{sold.Name, l.Quantity, s.amount(l)})
	}
	v.Balance, v.Owed = max(s.total(found)-s.asked(found), 0), max(s.asked(found)-s.total(found), 0)
	v.codeView = s.viewOfCode(found, v.Every)
	if found.Shipping != nil {
		v.DeliveryName, v.Delivery = found.Shipping.Name, found.Shipping.Amount
	}
	for _, code := range found.Countries {
		name := countryNames[code]
		if name == "" {
			name = code
		}
		v.Countries = append(v.Countries, country{code, name})
	}
	return v
}

// success is where the browser goes after the payment, with the checkout's id where the address asks for it.
func (s *session) success() string {
	return strings.ReplaceAll(s.SuccessURL, "{CHECKOUT_SESSION_ID}", s.ID)
}

func (s *Sandbox) showCheckout(w http.ResponseWriter, r *http.Request) {
	if v, ok := s.openSession(w, r); ok {
		render(w, http.StatusOK, "checkout", v)
	}
}

func (s *Sandbox) payCheckout(w http.ResponseWriter, r *http.Request) {
	v, ok := s.openSession(w, r)
	if !ok {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	_ = r.ParseForm()
	as, wrong, problem := readPayer(r.PostForm, v.Checkout)
	if problem != "" {
		s.again(w, v, r.PostForm, wrong, problem)
		return
	}
	id := r.PathValue("id")
	switch err := s.PayAs(id, as); {
	case errors.Is(err, ErrConfirm):
		http.Redirect(w, r, "/c/pay/"+id+"/confirm", http.StatusSeeOther) //nolint:gosec // a checkout that is there
	case errors.Is(err, ErrDeclined):
		s.again(w, v, r.PostForm, "number", "Your card was declined. Nothing was charged; please try another card.")
	case errors.Is(err, ErrCode):
		s.withoutCode(w, r, err)
	case err != nil:
		s.again(w, v, r.PostForm, "", "That did not work. Please look at what you filled in.")
	default:
		s.onward(w, r)
	}
}

// withoutCode shows a checkout again whose code is not taken any more, at its whole price.
func (s *Sandbox) withoutCode(w http.ResponseWriter, r *http.Request, why error) {
	if v, ok := s.openSession(w, r); ok {
		s.again(w, v, r.PostForm, "code", why.Error()+" Nothing was charged; the total is now without it.")
	}
}

func (s *Sandbox) again(w http.ResponseWriter, v view, form url.Values, wrong, problem string) {
	v.Form, v.Wrong, v.Problem = form, wrong, problem
	v.Title = "Please check: payment"
	render(w, http.StatusUnprocessableEntity, "checkout", v)
}

// onward leads back to who opened the checkout.
func (s *Sandbox) onward(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	found, _ := s.state.Sessions.get(r.PathValue("id"))
	to := found.success()
	s.mu.Unlock()
	http.Redirect(w, r, to, http.StatusSeeOther) //nolint:gosec // where the API's caller wants them
}

// readPayer reads the form, and says which field is wrong and why.
func readPayer(form url.Values, of *checkoutView) (as Payer, wrong, problem string) {
	as.Card = readCard(form.Get("number"))
	if of.AsksForEmail {
		as.Email = strings.TrimSpace(form.Get("email"))
		if !strings.Contains(as.Email, "@") {
			return as, "email", "Please give an e-mail address."
		}
	}
	if of.AsksForDelivery {
		a := &Address{
			Name: strings.TrimSpace(form.Get("name")), Line1: strings.TrimSpace(form.Get("line1")), Line2: strings.TrimSpace(form.Get("line2")),
			City: strings.TrimSpace(form.Get("city")), PostalCode: strings.TrimSpace(form.Get("postcode")), Country: form.Get("country"),
		}
		as.Address = a
		for _, field := range []struct{ name, value, asks string }{
			{"name", a.Name, "the name to deliver to"},
			{"line1", a.Line1, "a street and number"},
			{"city", a.City, "a town"},
			{"postcode", a.PostalCode, "a postcode"},
			{"country", a.Country, "a country"},
		} {
			if field.value == "" {
				return as, field.name, "Please give " + field.asks + "."
			}
		}
	}
	if of.AsksForCard && !as.Card.known() {
		return as, "number", "Only the test cards below work here. Please do not type in a real card."
	}
	return as, "", ""
}

func (s *Sandbox) waiting(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.state.Sessions.get(id)
	return ok && found.Waiting != nil
}

func (s *Sandbox) showConfirmation(w http.ResponseWriter, r *http.Request) {
	v, ok := s.openSession(w, r)
	if !ok {
		return
	}
	if !s.waiting(r.PathValue("id")) {
		http.Redirect(w, r, "/c/pay/"+r.PathValue("id"), http.StatusSeeOther) //nolint:gosec // a checkout that is there
		return
	}
	v.Title = "Confirm your payment"
	render(w, http.StatusOK, "confirm", v)
}

func (s *Sandbox) answerConfirmation(w http.ResponseWriter, r *http.Request) {
	v, ok := s.openSession(w, r)
	if !ok {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	switch err := s.Confirm(r.PathValue("id"), r.PostFormValue("answer") == "yes"); {
	case errors.Is(err, ErrCode):
		s.withoutCode(w, r, err)
	case err != nil:
		s.again(w, v, url.Values{}, "number", "Your bank did not confirm the payment. Nothing was charged.")
	default:
		s.onward(w, r)
	}
}
