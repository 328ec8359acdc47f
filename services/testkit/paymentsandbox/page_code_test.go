package paymentsandbox

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func typed(code string) url.Values { return url.Values{"code": {code}} }

func TestSomebodyTypesACodeOnThePageSeesWhatItTakesOffAndPaysThat(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.coded("SPRING", "percent_off=10")
	at := "/c/pay/" + w.buy([]string{"1999"}, append([]string{"customer_email=amara@example.com"}, delivered...)...)
	_, page := w.browser("GET", at, nil)
	for _, shown := range []string{`<label for="code">Promotion code</label>`, "Apply", `action="` + at + `/code"`, "Pay £23.49"} {
		require.Contains(t, page, shown)
	}
	require.NotContains(t, page, "Discount")

	res, _ := w.browser("POST", at+"/code", typed(" spring "))
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	require.Equal(t, at, res.Header.Get("Location"))
	_, page = w.browser("GET", at, nil)
	for _, shown := range []string{"Discount (SPRING)", "−£2.00", "Pay £21.49", "Remove the code SPRING"} {
		require.Contains(t, page, shown)
	}
	require.NotContains(t, page, `id="code"`, "one code at a time")

	_, _ = w.browser("POST", at+"/code", url.Values{"remove": {"yes"}})
	_, page = w.browser("GET", at, nil)
	require.Contains(t, page, "Pay £23.49")
	require.NotContains(t, page, "Discount")

	_, _ = w.browser("POST", at+"/code", typed("SPRING"))
	payer := card(string(Accepted))
	for field, value := range map[string]string{"name": "Amara", "line1": "1 Sample Street", "city": "Bath", "postcode": "BA1 1AA", "country": "GB"} {
		payer.Set(field, value)
	}
	res, _ = w.browser("POST", at, payer)
	require.Equal(t, "http://localhost/done", res.Header.Get("Location"))
	res, _ = w.browser("POST", at+"/code", typed("SPRING"))
	require.Equal(t, "http://localhost/done", res.Header.Get("Location"), "it is over")
}

func TestThePageSaysWhyACodeIsNotTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.coded("EUROS", "amount_off=100", "currency=eur")
	at := "/c/pay/" + w.buy([]string{"1000"})
	for code, why := range map[string]string{
		"": string(errCodeUnknown), "<b>": string(errCodeUnknown), "euros": "This code is for payments in EUR only.",
	} {
		res, page := w.browser("POST", at+"/code", typed(code))
		require.Equal(t, http.StatusUnprocessableEntity, res.StatusCode)
		require.Contains(t, page, why)
		require.Contains(t, page, `aria-invalid="true"`)
		require.NotContains(t, page, "<b>")
		require.Contains(t, page, "Pay £10.00")
	}
	res, page := w.browser("GET", at+"/code", nil)
	require.Equal(t, http.StatusOK, res.StatusCode, "opened again")
	require.Contains(t, page, "Promotion code")

	closed := "/c/pay/" + w.sold("")["id"].(string)
	_, page = w.browser("GET", closed, nil)
	require.NotContains(t, page, "Promotion code")
	res, page = w.browser("POST", closed+"/code", typed("EUROS"))
	require.Equal(t, http.StatusUnprocessableEntity, res.StatusCode)
	require.Contains(t, page, string(errCodeNowhere))
}

func TestACodeThatIsUsedUpBeforeThePaymentGoesFromThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.coded("LAST", "percent_off=10", "max_redemptions=1")
	at := map[bool]string{}
	for _, asked := range []bool{false, true} {
		at[asked] = "/c/pay/" + w.buy([]string{"1000"}, "customer_email=amara@example.com")
		_, _ = w.browser("POST", at[asked]+"/code", typed("LAST"))
	}
	_, _ = w.browser("POST", at[true], card(string(NeedsConfirmation)))
	first := w.buy([]string{"1000"})
	require.NoError(t, w.Apply(first, "LAST"))
	require.NoError(t, w.Pay(first, Accepted))

	_, plain := w.browser("POST", at[false], card(string(Accepted)))
	_, confirmed := w.browser("POST", at[true]+"/confirm", url.Values{"answer": {"yes"}})
	for _, page := range []string{plain, confirmed} {
		require.Contains(t, page, string(errCodeUsedUp))
		require.Contains(t, page, "Pay £10.00")
		require.NotContains(t, page, "Discount")
	}
}

func TestNoCardIsAskedForWhereNothingIsLeftToPay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.coded("ALL", "percent_off=100")
	once, member := w.buy([]string{"1000"}), w.sold("month", allows, "payment_method_collection=if_required")["id"].(string)
	for _, id := range []string{once, member} {
		at := "/c/pay/" + id
		require.NoError(t, w.Apply(id, "ALL"))
		_, page := w.browser("GET", at, nil)
		require.Contains(t, page, "Complete order")
		require.NotContains(t, page, "Test card number")
		res, _ := w.browser("POST", at, url.Values{"email": {"amara@example.com"}})
		require.Equal(t, http.StatusSeeOther, res.StatusCode)
		require.Equal(t, "no_payment_required", w.session(id)["payment_status"])
	}
	renews := w.sold("month", allows)["id"].(string)
	require.NoError(t, w.Apply(renews, "ALL"))
	_, page := w.browser("GET", "/c/pay/"+renews, nil)
	require.Contains(t, page, "Complete order")
	require.Contains(t, page, "Test card number", "what renews is charged to it")
	require.Contains(t, page, "Then £19.99 each month.")
	require.ErrorIs(t, w.Pay(renews, ""), ErrDeclined)
	require.NoError(t, w.Pay(renews, Accepted))
}
