package paymentsandbox

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// paidOnce is a thing that was paid, and its payment.
func paidOnce(t *testing.T, w *world) string {
	t.Helper()
	id := w.sold("")["id"].(string)
	require.NoError(t, w.Pay(id, Accepted))
	return w.session(id)["payment_intent"].(string)
}

func TestAnInquiryMovesNoMoneyAndTheChargeSaysDisputed(t *testing.T) {
	t.Parallel()
	w := described(t)
	payment := paidOnce(t, w)
	require.NoError(t, w.Inquire(payment))
	charge := w.must("GET", "/v1/payment_intents/"+payment, "expand[0]=latest_charge")["latest_charge"].(object)
	require.Equal(t, true, charge["disputed"])
	asked := w.must("GET", "/v1/disputes", "payment_intent="+payment)["data"].([]any)[0].(object)
	require.Equal(t, inquiry, asked["status"])
	require.Empty(t, asked["balance_transactions"])
	require.NoError(t, w.Decide(payment, inquiryClosed))
	require.Equal(t, 1, count(w, "charge.dispute.closed"))
	require.Zero(t, count(w, "charge.dispute.funds_withdrawn"))
	w.must("POST", "/v1/refunds", "payment_intent="+payment)
}

func TestADisputeTakesTheMoneyAndGivesItBackWhenItIsWon(t *testing.T) {
	t.Parallel()
	w := described(t)
	payment := paidOnce(t, w)
	require.NoError(t, w.DisputePart(payment, 500))
	moved := func() (sum float64) {
		for _, movement := range w.must("GET", "/v1/disputes", "payment_intent="+payment)["data"].([]any)[0].(object)["balance_transactions"].([]any) {
			sum += movement.(object)["amount"].(float64)
		}
		return sum
	}
	require.InDelta(t, -500, moved(), 0)
	require.Error(t, w.Decide(payment, inquiryClosed), "it is none")
	require.NoError(t, w.Decide(payment, underReview))
	require.NoError(t, w.Decide(payment, won))
	require.InDelta(t, 0, moved(), 0)
	require.Equal(t, 1, count(w, "charge.dispute.funds_reinstated"))
	require.Error(t, w.Decide(payment, lost), "what is decided stays so")
	require.Error(t, w.Dispute(payment))
}

func TestARefundCanFailAfterItHasSucceeded(t *testing.T) {
	t.Parallel()
	w := described(t)
	payment := paidOnce(t, w)
	w.must("POST", "/v1/refunds", "payment_intent="+payment)
	require.NoError(t, w.FailRefund(payment))
	require.Equal(t, failed, w.must("GET", "/v1/refunds", "payment_intent="+payment)["data"].([]any)[0].(object)["status"])
	require.Equal(t, []int{1, 1}, []int{count(w, "refund.failed"), count(w, "refund.updated")})
	w.must("POST", "/v1/refunds", "payment_intent="+payment)
	require.NoError(t, w.FailRefund(payment))
	require.Error(t, w.FailRefund(payment))
}

func TestARefundThatIsOnItsWayGoesWhereItIsDecided(t *testing.T) {
	t.Parallel()
	w := described(t)
	payment := paidOnce(t, w)
	status := func() any {
		return w.must("GET", "/v1/refunds", "payment_intent="+payment)["data"].([]any)[0].(object)["status"]
	}
	require.NoError(t, w.RefundLater(payment, 0))
	require.Equal(t, pending, status())
	require.Error(t, w.RefundLater(payment, 0), "it is all on its way")
	require.NoError(t, w.DecideRefund(payment, needsAction))
	require.Equal(t, needsAction, status())
	require.NoError(t, w.DecideRefund(payment, canceled))
	require.Equal(t, canceled, status())
	require.Error(t, w.DecideRefund(payment, succeeded), "it was called off")
	require.Equal(t, []int{2, 0}, []int{count(w, "refund.updated"), count(w, "refund.failed")})
	require.NoError(t, w.RefundLater(payment, 0), "it is the account's again")
	require.NoError(t, w.DecideRefund(payment, succeeded))
	require.NoError(t, w.FailRefund(payment))
}

func TestADisputeThatIsPreventedIsARefund(t *testing.T) {
	t.Parallel()
	w := described(t)
	payment := paidOnce(t, w)
	require.NoError(t, w.Prevent(payment))
	asked := w.must("GET", "/v1/disputes", "payment_intent="+payment)["data"].([]any)[0].(object)
	require.Equal(t, prevented, asked["status"])
	require.Empty(t, asked["balance_transactions"])
	require.Len(t, w.must("GET", "/v1/refunds", "payment_intent="+payment)["data"], 1)
	require.Error(t, w.Decide(payment, lost))
}

func TestAnExpansionShowsTenLinesAndPagesShowAll(t *testing.T) {
	t.Parallel()
	w := described(t)
	fields := []string{"mode=payment", "success_url=http://localhost/done"}
	for i := range 23 {
		product := w.must("POST", "/v1/products", "name=Tee")["id"].(string)
		price := w.must("POST", "/v1/prices", "product="+product, "currency=gbp", "unit_amount=100")["id"].(string)
		fields = append(fields, fmt.Sprintf("line_items[%d][price]=%s", i, price), fmt.Sprintf("line_items[%d][quantity]=1", i))
	}
	id := w.must("POST", "/v1/checkout/sessions", fields...)["id"].(string)
	shown := w.must("GET", "/v1/checkout/sessions/"+id, "expand[0]=line_items")["line_items"].(object)
	require.Len(t, shown["data"], 10)
	require.Equal(t, true, shown["has_more"])
	seen, after := map[any]bool{}, ""
	for {
		asked := []string{"limit=9"}
		if after != "" {
			asked = append(asked, "starting_after="+after)
		}
		page := w.must("GET", "/v1/checkout/sessions/"+id+"/line_items", asked...)
		for _, l := range page["data"].([]any) {
			after = l.(object)["id"].(string)
			seen[after] = true
		}
		if page["has_more"] == false {
			break
		}
	}
	require.Len(t, seen, 23)
	status, _ := w.ask("GET", "/v1/checkout/sessions/"+id+"/line_items", "", "starting_after=li_none")
	require.Equal(t, http.StatusBadRequest, status)
}

func TestADelayedMethodCompletesUnpaidAndEndsOneWayOrTheOther(t *testing.T) {
	t.Parallel()
	for comes, told := range map[bool]string{true: "checkout.session.async_payment_succeeded", false: "checkout.session.async_payment_failed"} {
		w := described(t)
		require.ErrorIs(t, w.PayLater(w.sold("")["id"].(string)), ErrNotPayable, "cards alone")
		id := w.sold("", "payment_method_types[0]=card", "payment_method_types[1]=bacs_debit")["id"].(string)
		require.NoError(t, w.PayLater(id))
		done := w.session(id)
		require.Equal(t, []any{complete, unpaid}, []any{done["status"], done["payment_status"]})
		require.Equal(t, processing, w.must("GET", "/v1/payment_intents/"+done["payment_intent"].(string))["status"])
		require.NoError(t, w.Arrive(id, comes))
		require.Error(t, w.Arrive(id, comes), "once")
		require.Equal(t, 1, count(w, told))
		require.Equal(t, map[bool]any{true: paid, false: unpaid}[comes], w.session(id)["payment_status"])
	}
}

func TestWhatIsTooLittleToChargeIsRefused(t *testing.T) {
	t.Parallel()
	w := described(t)
	w.coded("MOST", "amount_off=984", "currency=gbp")
	id := w.buy([]string{"1000"})
	require.ErrorIs(t, w.Apply(id, "MOST"), ErrCode, "16p would be left")
	require.NoError(t, w.Pay(id, Accepted), "at its whole price")
	product := w.must("POST", "/v1/products", "name=Pin")["id"].(string)
	price := w.must("POST", "/v1/prices", "product="+product, "currency=gbp", "unit_amount=29")["id"].(string)
	status, answer := w.ask("POST", "/v1/checkout/sessions", "", "mode=payment", "success_url=http://localhost/", "line_items[0][price]="+price, "line_items[0][quantity]=1")
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "amount_too_small", code(answer))
}
