package paymentsandbox

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// browser sends what somebody on a page sends, and stops where the page leads elsewhere.
func (w *world) browser(method, path string, fields url.Values, headers ...string) (*http.Response, string) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(fields.Encode()))
	require.NoError(w.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	require.NoError(w.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(w.t, err)
	return res, string(body)
}

func card(number string) url.Values { return url.Values{"number": {number}} }

func TestSomebodyPaysOnThePageAndComesBackWithTheCheckoutsID(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	made := w.sold("month", "custom_text[submit][message]=Size: Medium")
	id := made["id"].(string)
	at := strings.TrimPrefix(made["url"].(string), w.url)
	res, page := w.browser("GET", at, nil)
	require.Equal(t, http.StatusOK, res.StatusCode)
	for _, shown := range []string{"Test payments: no card is charged.", "Premium", "£19.99", "each month", "amara@example.com", "Size: Medium", "http://localhost/basket"} {
		require.Contains(t, page, shown)
	}
	res, page = w.browser("POST", at, card("4000 0000 0000 0002"))
	require.Equal(t, http.StatusUnprocessableEntity, res.StatusCode)
	require.Contains(t, page, "Your card was declined.")
	require.NotContains(t, page, "0000 0002\"")
	res, page = w.browser("POST", at, card("4111 1111 1111 1111"))
	require.Equal(t, http.StatusUnprocessableEntity, res.StatusCode)
	require.Contains(t, page, "do not type in a real card")
	require.NotContains(t, page, "4111")

	res, _ = w.browser("POST", at, card("4242 4242 4242 4242"))
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	require.Equal(t, "http://localhost/done?session="+id, res.Header.Get("Location"))
	res, _ = w.browser("GET", at, nil)
	require.Equal(t, "http://localhost/done?session="+id, res.Header.Get("Location"), "opened again")
}

func TestTheBanksQuestionIsASecondPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	id := w.sold("")["id"].(string)
	at := "/c/pay/" + id
	res, _ := w.browser("GET", at+"/confirm", nil)
	require.Equal(t, at, res.Header.Get("Location"), "nothing was asked")
	for answer, want := range map[string]int{"no": http.StatusUnprocessableEntity, "": http.StatusUnprocessableEntity} {
		res, _ = w.browser("POST", at, card("4000 0025 0000 3155"))
		require.Equal(t, at+"/confirm", res.Header.Get("Location"))
		res, _ = w.browser("POST", at+"/confirm", url.Values{"answer": {answer}})
		require.Equal(t, want, res.StatusCode)
		require.Equal(t, open, w.session(id)["status"])
	}
	_, _ = w.browser("POST", at, card("4000 0025 0000 3155"))
	_, page := w.browser("POST", at+"/confirm", url.Values{"answer": {"no"}})
	require.Contains(t, page, `action="`+at+`"`, "who refuses pays on that page with another card")
	_, _ = w.browser("POST", at, card("4000 0025 0000 3155"))
	res, _ = w.browser("POST", at+"/confirm", url.Values{"answer": {"yes"}})
	require.Equal(t, "http://localhost/done?session="+id, res.Header.Get("Location"))
	require.Equal(t, paid, w.session(id)["payment_status"])
}

func TestADeliveryNeedsAWholeAddressInACountryThatIsDeliveredTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	made := w.sold("", "shipping_address_collection[allowed_countries][0]=GB", "shipping_options[0][shipping_rate_data][type]=fixed_amount",
		"shipping_options[0][shipping_rate_data][display_name]=Delivery", "shipping_options[0][shipping_rate_data][fixed_amount][amount]=350",
		"shipping_options[0][shipping_rate_data][fixed_amount][currency]=gbp")
	at := "/c/pay/" + made["id"].(string)
	_, page := w.browser("GET", at, nil)
	require.Contains(t, page, "£3.50")
	require.Contains(t, page, "Pay £23.49")
	whole := func() url.Values {
		return url.Values{
			"number": {"4242424242424242"}, "name": {"Amara"}, "line1": {"1 Sample Street"}, "city": {"Bath"}, "postcode": {"BA1 1AA"}, "country": {"GB"},
		}
	}
	for field, value := range map[string]string{"name": "", "line1": " ", "city": "", "postcode": "", "country": "FR"} {
		wrong := whole()
		wrong.Set(field, value)
		res, _ := w.browser("POST", at, wrong)
		require.Equal(t, http.StatusUnprocessableEntity, res.StatusCode, field)
	}
	res, _ := w.browser("POST", at, whole())
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	sent := w.session(made["id"])["collected_information"].(object)["shipping_details"].(object)
	require.Equal(t, "Amara", sent["name"])
	require.Equal(t, "Bath", sent["address"].(object)["city"])
}

func TestTheCardsPageChangesTheCardForAnHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	id := w.sold("month")["id"].(string)
	require.NoError(t, w.Pay(id, FailsAtRenewal))
	customer := w.session(id)["customer"].(string)
	opened := w.must("POST", "/v1/billing_portal/sessions", "customer="+customer, "return_url=http://localhost/members", "flow_data[type]=payment_method_update")
	at := strings.TrimPrefix(opened["url"].(string), w.url)
	_, page := w.browser("GET", at, nil)
	require.Contains(t, page, "<strong>0341</strong>")
	require.Contains(t, page, "http://localhost/members")
	res, page := w.browser("POST", at, card(string(Declined)))
	require.Equal(t, http.StatusUnprocessableEntity, res.StatusCode)
	require.Contains(t, page, "The one before stays as it was.")
	res, _ = w.browser("POST", at, card(string(Accepted)))
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	_, page = w.browser("GET", res.Header.Get("Location"), nil)
	require.Contains(t, page, `role="status"`)
	back := w.must("POST", "/v1/billing_portal/sessions", "customer="+customer, "flow_data[type]=payment_method_update",
		"flow_data[after_completion][type]=redirect", "flow_data[after_completion][redirect][return_url]=http://localhost/members?card=given")
	res, _ = w.browser("POST", strings.TrimPrefix(back["url"].(string), w.url), card(string(Accepted)))
	require.Equal(t, "http://localhost/members?card=given", res.Header.Get("Location"), "as the caller wants it")
	w.clock.Move(portalLife + time.Second)
	res, _ = w.browser("GET", at, nil)
	require.Equal(t, http.StatusNotFound, res.StatusCode)
}

func TestNobodyPaysFromAnotherSiteOrUnderAnotherName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	id := w.sold("")["id"].(string)
	at := "/c/pay/" + id
	for name, headers := range map[string][]string{
		"another site":   {"Sec-Fetch-Site", "cross-site"},
		"another origin": {"Origin", "https://evil.example"},
	} {
		res, _ := w.browser("POST", at, card(string(Accepted)), headers...)
		require.Equal(t, http.StatusForbidden, res.StatusCode, name)
	}
	res, _ := w.browser("GET", at, nil, "Host", "evil.example")
	require.Equal(t, http.StatusMisdirectedRequest, res.StatusCode)
	require.Equal(t, open, w.session(id)["status"])
	res, page := w.browser("GET", "/c/pay/cs_test_nothing", nil)
	require.Equal(t, http.StatusNotFound, res.StatusCode)
	require.Contains(t, page, "Nothing was charged.")
}

func TestPagesAreNotKeptFramedOrScripted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	made := w.sold("", "metadata[x]=<script>")
	res, page := w.browser("GET", "/c/pay/"+made["id"].(string), nil)
	require.Equal(t, "no-store", res.Header.Get("Cache-Control"))
	require.Contains(t, res.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
	require.NotContains(t, page, "<script")
}
