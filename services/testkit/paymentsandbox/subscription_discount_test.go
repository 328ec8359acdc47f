package paymentsandbox

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// bills are what each invoice of a membership came to, the first one first, over so many periods.
func (w *world) bills(session string, periods int) (due []any) {
	w.t.Helper()
	subscription := w.session(session)["subscription"].(string)
	for range periods {
		now := w.must("GET", "/v1/subscriptions/"+subscription, "expand[0]=latest_invoice", "expand[1]=latest_invoice.payments")
		bill := now["latest_invoice"].(object)
		require.Equal(w.t, paid, bill["status"])
		if paidBy := bill["payments"].(object)["data"].([]any); len(paidBy) > 0 {
			require.Equal(w.t, bill["amount_due"], paidBy[0].(object)["amount_paid"])
		} else {
			require.InDelta(w.t, 0, bill["amount_due"], 0)
		}
		due = append(due, bill["amount_due"])
		end := time.Unix(int64(period(now)[1]), 0).Sub(time.Unix(int64(period(now)[0]), 0))
		w.Advance(end)
	}
	return due
}

func TestAMembershipsDiscountLastsAsLongAsItsCouponSays(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		interval string
		coupon   []string
		due      []any
	}{
		"once":             {"month", []string{"percent_off=50"}, []any{999.0, 1999.0, 1999.0, 1999.0}},
		"three months":     {"month", []string{"amount_off=1500", "currency=gbp", "duration=repeating", "duration_in_months=3"}, []any{499.0, 499.0, 499.0, 1999.0}},
		"a year's first":   {"year", []string{"percent_off=50", "duration=repeating", "duration_in_months=3"}, []any{999.0, 1999.0}},
		"two years":        {"year", []string{"percent_off=50", "duration=repeating", "duration_in_months=24"}, []any{999.0, 999.0, 1999.0}},
		"always":           {"month", []string{"percent_off=50", "duration=forever"}, []any{999.0, 999.0, 999.0, 999.0}},
		"nothing at first": {"month", []string{"percent_off=100"}, []any{0.0, 1999.0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, Config{})
			w.coded("CODE", one.coupon...)
			id := w.sold(one.interval, allows)["id"].(string)
			require.NoError(t, w.Apply(id, "CODE"))
			require.NoError(t, w.Pay(id, Accepted))
			require.Equal(t, one.due, w.bills(id, len(one.due)))
			require.InDelta(t, 1, w.must("GET", "/v1/promotion_codes")["data"].([]any)[0].(object)["times_redeemed"], 0, "renewals do not count")
		})
	}
}

func TestAnInvoiceShowsItsDiscountByStripesDescription(t *testing.T) {
	t.Parallel()
	w := described(t)
	coupon, codeID := w.coded("THIRD", "percent_off=33.33", "duration=repeating", "duration_in_months=2")
	id := w.sold("month", allows)["id"].(string)
	require.NoError(t, w.Apply(id, "THIRD"))
	require.NoError(t, w.Pay(id, Accepted))
	done := w.session(id)
	require.InDelta(t, 1333, done["amount_total"], 0)

	bill := w.must("GET", "/v1/invoices/"+done["invoice"].(string))
	for field, amount := range map[string]float64{"subtotal": 1999, "total": 1333, "amount_due": 1333, "amount_paid": 1333} {
		require.InDelta(t, amount, bill[field], 0, field)
	}
	off := bill["total_discount_amounts"].([]any)[0].(object)
	require.InDelta(t, 666, off["amount"], 0)
	require.Equal(t, []any{off["discount"]}, bill["discounts"])
	require.Equal(t, bill["total_discount_amounts"], bill["lines"].(object)["data"].([]any)[0].(object)["discount_amounts"])

	subscription := "/v1/subscriptions/" + done["subscription"].(string)
	held := w.must("GET", subscription, "expand[0]=discounts.promotion_code", "expand[1]=discounts.source.coupon")["discounts"].([]any)[0].(object)
	require.Equal(t, off["discount"], held["id"])
	require.Equal(t, codeID, held["promotion_code"].(object)["id"])
	require.Equal(t, coupon, held["source"].(object)["coupon"].(object)["id"])
	require.InDelta(t, period(w.must("GET", subscription))[0], held["start"], 0)
	require.Greater(t, held["end"], period(w.must("GET", subscription))[1])
	full := w.must("GET", "/v1/invoices/"+done["invoice"].(string), "expand[0]=discounts", "expand[1]=total_discount_amounts.discount")
	require.Equal(t, full["discounts"].([]any)[0], full["total_discount_amounts"].([]any)[0].(object)["discount"])
	w.Advance(70 * 24 * time.Hour)
	require.Empty(t, w.must("GET", subscription)["discounts"])
}

// A file that was written before there were coupons has neither their shelves nor their fields.
func TestAFileFromBeforeCouponsIsReadAndGoneOnWith(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "payments.json")
	before := newWorld(t, Config{File: file})
	open, paidFor := before.sold(""), before.sold("month")["id"].(string)
	require.NoError(t, before.Pay(paidFor, Accepted))
	member := before.session(paidFor)
	require.NoError(t, before.Close())
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	var state object
	require.NoError(t, json.Unmarshal(raw, &state))
	for _, added := range []string{"coupons", "promotionCodes", "discounts"} {
		require.Contains(t, state, added)
		delete(state, added)
	}
	for _, kept := range state["sessions"].(object)["items"].([]any) {
		delete(kept.(object), "cardAlways")
	}
	old := string(encode([]any{state["sessions"], state["subscriptions"], state["invoices"]}))
	for _, added := range []string{"allowCodes", `"code"`, `"coupon"`, "discount", `"off"`, "cardAlways"} {
		require.NotContains(t, old, added)
	}
	require.NoError(t, os.WriteFile(file, encode(state), 0o600))

	after := newWorld(t, Config{File: file})
	require.Equal(t, open, after.session(open["id"]))
	require.NoError(t, after.Pay(open["id"].(string), Accepted))
	after.Advance(32 * 24 * time.Hour)
	bill := after.must("GET", "/v1/subscriptions/"+member["subscription"].(string), "expand[0]=latest_invoice")["latest_invoice"].(object)
	require.Equal(t, "subscription_cycle", bill["billing_reason"])
	require.InDelta(t, 1999, bill["amount_paid"], 0)

	after.coded("KEPT", "percent_off=10")
	kept := after.buy([]string{"1000"})
	require.NoError(t, after.Apply(kept, "KEPT"))
	require.NoError(t, after.Close())
	again := newWorld(t, Config{File: file})
	require.InDelta(t, 900, again.session(kept)["amount_total"], 0, "a code survives a restart")
	require.NoError(t, again.Pay(kept, Accepted))
	require.InDelta(t, 1, again.must("GET", "/v1/promotion_codes")["data"].([]any)[0].(object)["times_redeemed"], 0)
}
