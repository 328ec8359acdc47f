package paymentsandbox

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
)

//go:embed page.html page.css
var assets embed.FS

var pageTemplates = template.Must(template.New("").Funcs(template.FuncMap{"money": money}).ParseFS(assets, "page.html"))

// pagePolicy allows the stylesheet, and forms that go to the sandbox and back to who opened the page.
const pagePolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

// pages are what somebody sees in a browser: the hosted checkout, the bank's question, the card's page, and the clock's.
func (s *Sandbox) pages(mux *http.ServeMux) {
	own := http.NewServeMux()
	own.HandleFunc("GET /c/pay/{id}", s.showCheckout)
	own.HandleFunc("POST /c/pay/{id}", s.payCheckout)
	own.HandleFunc("GET /c/pay/{id}/code", s.showCheckout) // where somebody is who was shown the page again
	own.HandleFunc("POST /c/pay/{id}/code", s.changeCode)
	own.HandleFunc("GET /c/pay/{id}/confirm", s.showConfirmation)
	own.HandleFunc("POST /c/pay/{id}/confirm", s.answerConfirmation)
	own.HandleFunc("GET /p/session/{id}", s.showPortal)
	own.HandleFunc("POST /p/session/{id}", s.changePortalCard)
	own.HandleFunc("GET /sandbox", s.showClock)
	own.HandleFunc("POST /sandbox", s.moveClock)
	own.Handle("GET /{$}", http.RedirectHandler("/sandbox", http.StatusSeeOther))
	own.HandleFunc("GET /page.css", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, assets, "page.css") })
	// A page elsewhere must not pay in somebody's name, test money or not.
	protected := http.NewCrossOriginProtection().Handler(onlyLocalhost(own))
	for _, below := range []string{"/c/", "/p/", "/page.css", "/sandbox", "/{$}"} {
		mux.Handle(below, protected)
	}
}

// onlyLocalhost answers requests for a name that somebody else points at this machine with 421.
func onlyLocalhost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch (&url.URL{Host: r.Host}).Hostname() {
		case "localhost", "127.0.0.1", "::1":
			next.ServeHTTP(w, r)
		default:
			http.Error(w, http.StatusText(http.StatusMisdirectedRequest), http.StatusMisdirectedRequest)
		}
	})
}

// view is what a page shows.
type view struct {
	Title string
	// Back leaves the page without having done anything; empty for nowhere.
	Back string
	// Problem is shown above the form; Wrong names the field that it is about.
	Problem, Wrong string
	// Form is what was filled in before, but for the card.
	Form url.Values
	// Checkout is what is paid for; nil on other pages.
	Checkout *checkoutView
	Cards    []testCard
	// Saved is the card that a customer has; Done says that it was changed just now.
	Saved string
	Done  bool
	// Memberships are what can be watched while time passes.
	Memberships []membershipView
}

type testCard struct{ Number, Does string }

var testCards = []testCard{
	{"4242 4242 4242 4242", "is accepted"},
	{"5555 5555 5555 4444", "is accepted, as another card"},
	{"4000 0000 0000 0002", "is declined"},
	{"4000 0025 0000 3155", "asks you to confirm"},
	{"4000 0000 0000 0341", "fails when a membership renews"},
}

func render(w http.ResponseWriter, status int, name string, v view) {
	v.Cards = testCards
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "same-origin")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = pageTemplates.ExecuteTemplate(w, name, v)
}

func gone(w http.ResponseWriter, back string) {
	render(w, http.StatusNotFound, "gone", view{Title: "This page has closed", Back: back})
}

// money shows minor units as people write them.
func money(amount int64, currency string) string {
	sign := strings.ToUpper(currency) + " "
	if currency == "gbp" {
		sign = "£"
	}
	return fmt.Sprintf("%s%d.%02d", sign, amount/100, amount%100) //nolint:mnd // pence
}
