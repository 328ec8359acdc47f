package paymentsandbox

import (
	"encoding/json"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// priced creates a product and a price for it.
func (w *world) priced(amount, interval string, more ...string) string {
	w.t.Helper()
	product := w.must("POST", "/v1/products", "name=Plan")["id"].(string)
	fields := []string{"product=" + product, "currency=gbp", "unit_amount=" + amount}
	if interval != "" {
		fields = append(fields, "recurring[interval]="+interval)
	}
	return w.must("POST", "/v1/prices", append(fields, more...)...)["id"].(string)
}

// change is the fields of a change of the price at a moment, below a name for a preview.
func (w *world) change(subscription, price string, at int64) (update, preview []string) {
	w.t.Helper()
	item := w.subscribed(subscription)["items"].(object)["data"].([]any)[0].(object)["id"].(string)
	for name, value := range map[string]string{
		"[items][0][id]": item, "[items][0][price]": price, "[" + prorationBehaviour + "]": alwaysInvoice, "[proration_date]": timeText(at),
	} {
		preview = append(preview, "subscription_details"+name+"="+value)
	}
	return []string{
		"items[0][id]=" + item, "items[0][price]=" + price, prorationBehaviour + "=" + alwaysInvoice, "proration_date=" + timeText(at),
		paymentBehaviour + "=error_if_incomplete",
	}, append(preview, "subscription="+subscription)
}

// changes makes a change now, as its preview says, and gives its invoice.
func (w *world) changes(subscription, price string) object {
	w.t.Helper()
	update, preview := w.change(subscription, price, w.clock.Now().Unix())
	before := w.kept()
	said := w.must("POST", "/v1/invoices/create_preview", preview...)
	require.Equal(w.t, before, w.kept(), "a preview changes nothing")
	w.must("POST", "/v1/subscriptions/"+subscription, update...)
	bill := w.invoices(subscription, "expand[0]=data.payments")[0]
	for _, same := range []string{"total", "subtotal", "amount_due", "currency", "billing_reason", "starting_balance"} {
		require.Equal(w.t, said[same], bill[same], same)
	}
	require.Equal(w.t, amounts(said), amounts(bill))
	require.Equal(w.t, draft, said["status"])
	return bill
}

// kept is all that is kept but the answers of keys.
func (w *world) kept() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forgetOld() // which it does by itself, sooner or later
	all := *w.state
	all.Answers = nil
	return string(encode(all))
}

func amounts(bill object) (each []float64) {
	for _, l := range bill["lines"].(object)["data"].([]any) {
		each = append(each, l.(object)["amount"].(float64))
	}
	return each
}

func TestADearerPriceIsChargedAtOnceForTheRestOfThePeriodToTheSecond(t *testing.T) {
	t.Parallel()
	w := described(t)
	w.clock.Move(time.Date(2027, 4, 10, 8, 0, 0, 0, time.UTC).Sub(w.clock.Now()))
	id, _ := w.member("month", Accepted)
	before := period(w.subscribed(id))
	w.clock.Move(days(10) + time.Second) // 1,727,999 of 2,592,000 seconds are left
	bill := w.changes(id, w.priced("3499", "month"))
	require.Equal(t, []float64{-1333, 2333}, amounts(bill), "1999 and 3499 times two thirds, less a second, each rounded")
	require.InDelta(t, 1000, bill["total"], 0)
	require.InDelta(t, 1000, bill["amount_paid"], 0)
	require.Equal(t, paid, bill["status"])
	require.Equal(t, "subscription_update", bill["billing_reason"])
	for _, l := range bill["lines"].(object)["data"].([]any) {
		require.Equal(t, object{"start": float64(w.clock.Now().Unix()), "end": before[1]}, l.(object)["period"])
		require.Equal(t, true, l.(object)["parent"].(object)["subscription_item_details"].(object)["proration"])
	}
	require.Equal(t, before, period(w.subscribed(id)))
	require.Len(t, bill["payments"].(object)["data"], 1)
	w.clock.Move(days(20))
	require.InDelta(t, 3499, w.invoices(id)[0]["amount_paid"], 0)
	require.Equal(t, 3, count(w, "invoice.paid"))
}

func TestACheaperPriceIsCreditedToTheNextInvoices(t *testing.T) {
	t.Parallel()
	w := described(t)
	w.clock.Move(time.Date(2027, 4, 10, 8, 0, 0, 0, time.UTC).Sub(w.clock.Now()))
	id, customer := w.member("month", Accepted)
	w.clock.Move(days(3))
	bill := w.changes(id, w.priced("299", "month"))
	require.Equal(t, []float64{-1799, 269}, amounts(bill))
	require.InDelta(t, -1530, bill["total"], 0)
	require.InDelta(t, 0, bill["amount_due"], 0)
	require.Equal(t, paid, bill["status"])
	require.Empty(t, bill["payments"].(object)["data"])
	require.InDelta(t, 0, bill["starting_balance"], 0)
	require.InDelta(t, -1530, bill["ending_balance"], 0)
	require.InDelta(t, -1530, w.must("GET", "/v1/customers/"+customer)["balance"], 0)
	for _, left := range []float64{-1231, -932, -633, -334, -35, 0} {
		w.Advance(days(31))
		next := w.invoices(id, "expand[0]=data.payments")[0]
		require.InDelta(t, 299, next["total"], 0)
		require.InDelta(t, left, next["ending_balance"], 0)
		require.Equal(t, left == 0, len(next["payments"].(object)["data"].([]any)) == 1)
	}
	require.InDelta(t, 264, w.invoices(id)[0]["amount_paid"], 0, "299 less the last 35")
}

func TestACreditOutlivesItsMembershipAndPaysTheNext(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	id, customer := w.member("month", Accepted)
	w.changes(id, w.priced("499", "month"))
	w.must("DELETE", "/v1/subscriptions/"+id)
	again := w.must("POST", "/v1/checkout/sessions", "mode=subscription", "customer="+customer,
		"line_items[0][price]="+w.priced("1000", "month"), "success_url=http://localhost/")["id"].(string)
	require.NoError(t, w.Pay(again, Accepted))
	bought := w.session(again)["subscription"].(string)
	require.InDelta(t, 0, w.invoices(bought)[0]["amount_paid"], 0)
	require.InDelta(t, -500, w.must("GET", "/v1/customers/"+customer)["balance"], 0)
	w.Advance(days(62))
	require.InDelta(t, 500, w.invoices(bought)[1]["amount_paid"], 0)
	require.InDelta(t, 1000, w.invoices(bought)[0]["amount_paid"], 0)
}

func TestAnotherIntervalBeginsANewPeriodNow(t *testing.T) {
	t.Parallel()
	w := described(t)
	w.clock.Move(time.Date(2027, 1, 31, 8, 0, 0, 0, time.UTC).Sub(w.clock.Now()))
	id, _ := w.member("month", Accepted)
	w.clock.Move(days(7)) // a quarter of February
	bill := w.changes(id, w.priced("19999", "year"))
	require.Equal(t, []float64{-1499, 19999}, amounts(bill))
	require.InDelta(t, 18500, bill["amount_paid"], 0)
	now := w.subscribed(id)
	require.Equal(t, "2027-02-07 08:00:00", dateOf(period(now)[0]))
	require.Equal(t, "2028-02-07 08:00:00", dateOf(period(now)[1]))
	require.InDelta(t, w.clock.Now().Unix(), now["billing_cycle_anchor"], 0)
	whole := bill["lines"].(object)["data"].([]any)[1].(object)
	require.Equal(t, object{"start": period(now)[0], "end": period(now)[1]}, whole["period"])
	require.Equal(t, false, whole["parent"].(object)["subscription_item_details"].(object)["proration"])

	w.clock.Move(days(73)) // a fifth of the year
	back := w.changes(id, w.priced("999", "month"))
	require.Equal(t, []float64{-15999, 999}, amounts(back))
	require.InDelta(t, -15000, back["ending_balance"], 0)
	for range 15 {
		w.Advance(days(31))
	}
	require.InDelta(t, -15, w.invoices(id)[0]["ending_balance"], 0, "what was credited pays fifteen months")
	w.Advance(days(31))
	require.InDelta(t, 984, w.invoices(id)[0]["amount_paid"], 0)
}

func TestAChangeThatCannotBeChargedLeavesEverythingAsItWas(t *testing.T) {
	t.Parallel()
	w := described(t)
	id, customer := w.member("month", FailsAtRenewal)
	dear, cheap := w.priced("3499", "month"), w.priced("999", "month")
	w.clock.Move(days(3))
	update, _ := w.change(id, dear, w.clock.Now().Unix())
	before := w.kept()
	for _, again := range []bool{false, true} {
		status, answer := w.ask("POST", "/v1/subscriptions/"+id, "change-1", update...)
		require.Equal(t, http.StatusPaymentRequired, status, again)
		require.Equal(t, "card_declined", code(answer))
		require.Equal(t, "card_error", answer["error"].(object)["type"])
		require.Equal(t, before, w.kept())
	}
	w.changes(id, cheap) // needs no card
	w.uses(id, customer, Accepted)
	w.changes(id, dear)
	require.InDelta(t, 3499, w.subscribed(id)["items"].(object)["data"].([]any)[0].(object)["price"].(object)["unit_amount"], 0)
}

func TestWhatIsCreditedIsWhatWasDebitedLast(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.clock.Move(time.Date(2027, 4, 1, 0, 0, 0, 0, time.UTC).Sub(w.clock.Now()))
	w.coded("HALF", "percent_off=50", "duration=forever")
	session := w.sold("month", allows)["id"].(string)
	require.NoError(t, w.Apply(session, "HALF"))
	require.NoError(t, w.Pay(session, Accepted))
	id := w.session(session)["subscription"].(string)
	w.clock.Move(days(10))
	bill := w.changes(id, w.priced("3000", "month"))
	require.Equal(t, []float64{-666, 1000}, amounts(bill), "of 9.99 that were paid, and of 15.00 that it costs with the code")
	require.Empty(t, bill["discounts"], "prorations have it included")
	w.clock.Move(days(10))
	require.Equal(t, []float64{-500, 1000}, amounts(w.changes(id, w.priced("6000", "month"))))
	w.clock.Move(days(5))
	year := w.changes(id, w.priced("20000", "year"))
	require.Equal(t, []float64{-500, 20000}, amounts(year))
	require.InDelta(t, 9500, year["amount_paid"], 0, "the new period has the code as any other")
}

func TestWhatIsTooLittleToChargeWaitsForTheNextInvoice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	id, _ := w.member("month", Accepted)
	bill := w.changes(id, w.priced("2028", "month"))
	require.InDelta(t, 29, bill["total"], 0)
	require.InDelta(t, 0, bill["amount_due"], 0)
	require.InDelta(t, 29, bill["ending_balance"], 0)
	require.Equal(t, paid, bill["status"])
	w.Advance(days(31))
	require.InDelta(t, 2057, w.invoices(id)[0]["amount_paid"], 0)
	require.InDelta(t, 0, w.invoices(id)[0]["ending_balance"], 0)
}

func TestAPartOfAnAmountIsExactAndRoundedHalfUp(t *testing.T) {
	t.Parallel()
	for _, one := range [][4]int64{
		{1999, 1, 2, 1000}, {1999, 0, 7, 0}, {1999, 7, 7, 1999}, {100, 1, 8, 13}, {100, 1, 3, 33}, {200, 1, 3, 67}, {5, 1, 10, 1}, {4, 1, 10, 0}, {7, 1, 0, 0},
	} {
		require.Equal(t, one[3], prorated(one[0], one[1], one[2]), one)
	}
	rapid.Check(t, func(t *rapid.T) {
		amount, whole := rapid.Int64Range(0, 99_999_999*1000).Draw(t, "amount"), rapid.Int64Range(1, 366*86400).Draw(t, "whole")
		part := rapid.Int64Range(0, whole).Draw(t, "part")
		twice := new(big.Int).Mul(big.NewInt(2*amount), big.NewInt(part))
		exact := twice.Add(twice, big.NewInt(whole)).Div(twice, big.NewInt(2*whole))
		require.Equal(t, exact.Int64(), prorated(amount, part, whole))
	})
}

// What begins a subscription is an invoice as any other: the balance goes into it, whatever the checkout says of its goods.
func TestTheBalanceGoesIntoWhatACheckoutChargesForASubscription(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		balance, due, left int64
		status             string
	}{
		"a part":        {-500, 1499, 0, paid},
		"all of it":     {-3000, 0, -1001, "no_payment_required"},
		"too little":    {-1980, 0, 19, "no_payment_required"},
		"what was owed": {29, 2028, 0, paid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := described(t)
			made := w.sold("month")
			id, customer := made["id"].(string), made["customer"].(string)
			given := w.must("POST", "/v1/customers/"+customer+"/balance_transactions", "amount="+timeText(one.balance), "currency=gbp", "metadata[order_id]=o-1", "description=For order o-1")
			require.Equal(t, given, w.must("GET", "/v1/customers/"+customer+"/balance_transactions")["data"].([]any)[0])
			_, page := w.browser("GET", "/c/pay/"+id, nil)
			require.Equal(t, one.balance < 0, strings.Contains(page, "From your balance"))
			require.NoError(t, w.Pay(id, Accepted))
			done := w.session(id)
			require.Equal(t, one.status, done["payment_status"])
			require.InDelta(t, 1999, done["amount_total"], 0, "of the goods")
			bill := w.must("GET", "/v1/invoices/"+done["invoice"].(string), "expand[0]=payments")
			require.InDelta(t, one.due, bill["amount_due"], 0)
			require.InDelta(t, 1999, bill["total"], 0)
			require.InDelta(t, one.balance, bill["starting_balance"], 0)
			require.InDelta(t, one.left, w.must("GET", "/v1/customers/"+customer)["balance"], 0)
			require.Len(t, bill["payments"].(object)["data"], map[bool]int{true: 1}[one.due > 0])
			require.NotNil(t, w.subscribed(done["subscription"].(string))["default_payment_method"], "its card is kept all the same")
		})
	}
}

func TestAPackIsChargedWholeWhateverTheBalance(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	made := w.sold("")
	w.must("POST", "/v1/customers/"+made["customer"].(string)+"/balance_transactions", "amount=-500", "currency=gbp")
	require.NoError(t, w.Pay(made["id"].(string), Accepted))
	require.InDelta(t, 1999, w.must("GET", "/v1/payment_intents/"+w.session(made["id"])["payment_intent"].(string))["amount"], 0)
	status, _ := w.ask("POST", "/v1/customers/cus_nobody/balance_transactions", "", "amount=5", "currency=gbp")
	require.Equal(t, http.StatusNotFound, status)
}

// Whatever is changed and whenever: each preview is what is charged, and what was billed was charged or stands in the balance.
func TestMoneyIsNeitherLostNorMadeByChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, Config{})
		id, customer := w.member("month", Accepted)
		for range rapid.IntRange(1, 6).Draw(rt, "changes") {
			w.clock.Move(time.Duration(rapid.Int64Range(0, int64(days(40).Seconds())).Draw(rt, "seconds")) * time.Second)
			interval := rapid.SampledFrom([]string{"month", "year"}).Draw(rt, "interval")
			w.changes(id, w.priced(timeText(rapid.Int64Range(0, 50_000).Draw(rt, "amount")), interval))
		}
		var billed, charged float64
		for _, bill := range w.invoices(id, "limit=100") {
			billed += bill["total"].(float64)
			charged += bill["amount_paid"].(float64)
			require.InDelta(rt, bill["total"].(float64)+bill["starting_balance"].(float64), bill["amount_due"].(float64)+bill["ending_balance"].(float64), 0)
		}
		require.InDelta(rt, billed, charged+w.must("GET", "/v1/customers/"+customer)["balance"].(float64), 0)
	})
}

func TestChangesThatAreNotSpokenAreRefused(t *testing.T) {
	t.Parallel()
	w := described(t)
	id, _ := w.member("month", Accepted)
	lost, _ := w.member("month", FailsAtRenewal)
	w.Advance(days(31))
	dear, once := w.priced("3499", "month"), w.priced("100", "")
	now := int64(period(w.subscribed(id))[0]) + 60
	good, preview := w.change(id, dear, now)
	for name, change := range map[string]func() (string, []string){
		"nothing is charged now": func() (string, []string) { return id, replaced(good, prorationBehaviour+"=create_prorations") },
		"not said how":           func() (string, []string) { return id, good[:3] },
		"left unpaid":            func() (string, []string) { return id, replaced(good, paymentBehaviour+"=allow_incomplete") },
		"before the period":      func() (string, []string) { return id, replaced(good, "proration_date=1000") },
		"after the period":       func() (string, []string) { return id, replaced(good, "proration_date="+timeText(now+86400*40)) },
		"another item":           func() (string, []string) { return id, replaced(good, "items[0][id]=si_nothing") },
		"no price":               func() (string, []string) { return id, replaced(good, "items[0][price]=price_nothing") },
		"what is paid once":      func() (string, []string) { return id, replaced(good, "items[0][price]="+once) },
		"several":                func() (string, []string) { return id, append(good[:len(good):len(good)], "items[0][quantity]=2") },
		"two items":              func() (string, []string) { return id, append(good[:len(good):len(good)], "items[1][price]="+dear) },
		"and cancelled":          func() (string, []string) { return id, append(good[:len(good):len(good)], "cancel_at_period_end=true") },
		"what is not known":      func() (string, []string) { return id, []string{"pause_collection[resumes_at]=1"} },
		"past due": func() (string, []string) {
			update, _ := w.change(lost, dear, now)
			return lost, update
		},
	} {
		of, fields := change()
		before := w.kept()
		status, answer := w.ask("POST", "/v1/subscriptions/"+of, "", fields...)
		require.Equal(t, http.StatusBadRequest, status, name)
		require.NotEmpty(t, answer["error"].(object)["message"], name)
		require.Equal(t, before, w.kept(), name)
	}
	for name, fields := range map[string][]string{
		"no subscription":  replaced(preview, "subscription=sub_nothing"),
		"another customer": append(preview[:len(preview):len(preview)], "customer=cus_nobody"),
		"the next invoice": {"subscription=" + id},
	} {
		status, _ := w.ask("POST", "/v1/invoices/create_preview", "", fields...)
		require.Equal(t, http.StatusBadRequest, status, name)
	}
	status, _ := w.ask("POST", "/v1/subscriptions/sub_nothing", "", "cancel_at_period_end=true")
	require.Equal(t, http.StatusNotFound, status)
}

// replaced has another value for one field.
func replaced(fields []string, with string) (all []string) {
	name := func(field string) string {
		for i := range field {
			if field[i] == '=' {
				return field[:i]
			}
		}
		return field
	}
	for _, field := range fields {
		if name(field) == name(with) {
			field = with
		}
		all = append(all, field)
	}
	return all
}

func TestTheSamePriceIsNoChange(t *testing.T) {
	t.Parallel()
	w := described(t)
	id, _ := w.member("month", Accepted)
	price := w.subscribed(id)["items"].(object)["data"].([]any)[0].(object)["price"].(object)["id"].(string)
	update, preview := w.change(id, price, w.clock.Now().Unix())
	before := w.kept()
	require.InDelta(t, 0, w.must("POST", "/v1/invoices/create_preview", preview...)["total"], 0)
	w.must("POST", "/v1/subscriptions/"+id, update...)
	require.Equal(t, before, w.kept())
}

// A caller whose clock stands still goes on naming the present, wherever Advance took the membership.
func TestAChangeAfterAdvanceIsMadeWhereTheMembershipIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.clock.Move(time.Date(2027, 4, 1, 0, 0, 0, 0, time.UTC).Sub(w.clock.Now()))
	id, _ := w.member("month", Accepted)
	w.Advance(days(30 + 15)) // in the middle of a period of 31 days
	require.Equal(t, []float64{-1032, 2063}, amounts(w.changes(id, w.priced("3998", "month"))))
}

func TestACardIsShownWhereItIsGivenAndIsTheSameForWhoeverUsesIt(t *testing.T) {
	t.Parallel()
	w := described(t)
	id, customer := w.member("month", Accepted)
	_, other := w.member("month", Accepted)
	own := w.subscribed(id, "expand[0]=default_payment_method")["default_payment_method"].(object)
	require.Equal(t, own, w.must("GET", "/v1/payment_methods/"+own["id"].(string)))
	shown := own["card"].(object)
	require.Equal(t, []any{"visa", "4242"}, []any{shown["brand"], shown["last4"]})
	require.NotContains(t, string(encode(own)), string(Accepted))

	require.NoError(t, w.ChangeCard(customer, AcceptedElsewhere))
	require.Equal(t, own["id"], w.subscribed(id)["default_payment_method"], "the portal gives it to the customer")
	in := "customer.invoice_settings.default_payment_method"
	given := w.subscribed(id, "expand[0]="+in)["customer"].(object)["invoice_settings"].(object)["default_payment_method"].(object)
	require.Equal(t, "mastercard", given["card"].(object)["brand"])
	require.NotEqual(t, shown["fingerprint"], given["card"].(object)["fingerprint"])
	require.NoError(t, w.ChangeCard(other, AcceptedElsewhere))
	theirs := w.must("GET", "/v1/customers/"+other, "expand[0]=invoice_settings.default_payment_method")["invoice_settings"].(object)["default_payment_method"].(object)
	require.Equal(t, given["card"].(object)["fingerprint"], theirs["card"].(object)["fingerprint"])
	require.NotEqual(t, given["id"], theirs["id"])
	require.Equal(t, own, w.must("GET", "/v1/payment_methods/"+own["id"].(string)), "the one before is there still")

	w.must("DELETE", "/v1/customers/"+customer)
	status, _ := w.ask("GET", "/v1/payment_methods/"+own["id"].(string), "")
	require.Equal(t, http.StatusNotFound, status)
	gone := w.subscribed(id, "expand[0]="+in, "expand[1]=default_payment_method")
	require.Equal(t, true, gone["customer"].(object)["deleted"])
	require.NotContains(t, string(encode(gone)), "mastercard")
	require.True(t, json.Valid(encode(gone)))
}

func TestWhatIsPaidOnceKeepsNoCard(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	id, customer := w.member("month", Accepted)
	price := w.priced("599", "")
	pack := w.must("POST", "/v1/checkout/sessions", "mode=payment", "customer="+customer, "line_items[0][price]="+price, "success_url=http://localhost/")
	require.NoError(t, w.Pay(pack["id"].(string), FailsAtRenewal))
	w.Advance(days(31))
	require.Equal(t, active, w.subscribed(id)["status"])
}
