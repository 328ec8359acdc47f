//go:build full

package flows

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
	"serein.app/services/testkit/paymentsandbox"
)

// The payment sandbox serves its hosted pages itself. They must meet the same rules as the product's pages.
func TestTheHostedPaymentPagesAreAccessibleAndWorkByKeyboard(t *testing.T) {
	t.Parallel()
	sandbox, err := paymentsandbox.New(paymentsandbox.Config{Key: "sk_test_pages"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sandbox.Close()) })
	mux := http.NewServeMux()
	mux.Handle("/", sandbox)
	mux.HandleFunc("GET /done", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<!doctype html><title>Done</title>Paid"))
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	checkout, portal := hostedPages(t, server.URL)

	tab := product.Chromium.Person(t, server.URL, browser.Desk)
	tab.ExpectErrors("422") // a form that is shown again
	tab.Go(checkout)
	tab.See("heading", "Payment")
	suite.EachLook(tab, "checkout")
	tab.Fill("Full name", "Amara Vale")
	tab.Fill("Street and number", "1 Sample Street")
	tab.Fill("Town or city", "Bath")
	tab.Fill("Postcode", "BA1 1AA")
	tab.Fill("Test card number", "4000 0000 0000 0002")
	tab.Press("\r")
	tab.Text("Your card was declined.")
	require.True(t, tab.Focused("textbox", "Test card number"))
	suite.EachLook(tab, "declined")

	tab = product.Chromium.Person(t, server.URL, browser.Desk)
	tab.Go(portal)
	tab.See("heading", "Your card")
	suite.EachLook(tab, "portal")
	tab.Fill("Test card number", "4242 4242 4242 4242")
	tab.Press("\r")
	tab.Text("Your new card will be used from now on.")
	suite.EachLook(tab, "changed")

	tab = product.Chromium.Person(t, server.URL, browser.Desk)
	tab.ExpectErrors("404")
	tab.Go("/c/pay/cs_test_nothing")
	tab.See("heading", "This page has closed")
	suite.EachLook(tab, "closed")

	tab = product.Chromium.Person(t, server.URL, browser.Desk)
	require.ErrorIs(t, sandbox.Pay(strings.TrimPrefix(checkout, "/c/pay/"), paymentsandbox.NeedsConfirmation), paymentsandbox.ErrConfirm)
	tab.Go(checkout + "/confirm")
	tab.See("heading", "Confirm your payment")
	suite.EachLook(tab, "confirm")
	tab.Focus("button", "Confirm the payment")
	tab.Press("\r")
	tab.Text("Paid")

	tab = product.Chromium.Person(t, server.URL, browser.Desk)
	tab.Go("/sandbox")
	tab.See("heading", "Let time pass")
	suite.EachLook(tab, "clock")
	tab.Focus("button", "One month on")
	tab.Press("\r")
	tab.Text("Time has passed for all memberships below.")
	suite.EachLook(tab, "passed")
}

// hostedPages are the paths of a checkout with a delivery, and of its customer's card.
func hostedPages(t *testing.T, at string) (checkout, portal string) {
	t.Helper()
	ask := func(path string, fields ...string) map[string]any {
		form := url.Values{}
		for _, field := range fields {
			name, value, _ := strings.Cut(field, "=")
			form.Add(name, value)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at+"/v1/"+path, strings.NewReader(form.Encode()))
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer sk_test_pages")
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		var answer map[string]any
		require.NoError(t, json.NewDecoder(res.Body).Decode(&answer))
		require.Equal(t, http.StatusOK, res.StatusCode, answer)
		return answer
	}
	product := ask("products", "name=Linen overshirt, made for slow mornings")["id"].(string)
	price := ask("prices", "product="+product, "currency=gbp", "unit_amount=8900")["id"].(string)
	customer := ask("customers", "email=a.rather.long.address@subdomain.example.com")["id"].(string)
	opened := ask("checkout/sessions", "mode=payment", "customer="+customer, "line_items[0][price]="+price, "line_items[0][quantity]=2",
		"custom_text[submit][message]=Size: Medium", "success_url="+at+"/done", "cancel_url="+at+"/done",
		"shipping_address_collection[allowed_countries][0]=GB", "shipping_options[0][shipping_rate_data][type]=fixed_amount",
		"shipping_options[0][shipping_rate_data][display_name]=Delivery", "shipping_options[0][shipping_rate_data][fixed_amount][amount]=350",
		"shipping_options[0][shipping_rate_data][fixed_amount][currency]=gbp")
	card := ask("billing_portal/sessions", "customer="+customer, "return_url="+at+"/done")
	return strings.TrimPrefix(opened["url"].(string), at), strings.TrimPrefix(card["url"].(string), at)
}
