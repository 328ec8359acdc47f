package paymentsandbox

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// allows is what a checkout is opened with that takes codes.
const allows = "allow_promotion_codes=true"

// delivered is a delivery of £3.50.
var delivered = []string{
	"shipping_address_collection[allowed_countries][0]=GB", "shipping_options[0][shipping_rate_data][type]=fixed_amount",
	"shipping_options[0][shipping_rate_data][display_name]=Delivery", "shipping_options[0][shipping_rate_data][fixed_amount][amount]=350",
	"shipping_options[0][shipping_rate_data][fixed_amount][currency]=gbp",
}

// buy opens a checkout of several things that takes codes.
func (w *world) buy(prices []string, more ...string) string {
	w.t.Helper()
	product := w.must("POST", "/v1/products", "name=Cushion")["id"].(string)
	fields := []string{"mode=payment", allows, "success_url=http://localhost/done"}
	for i, amount := range prices {
		price := w.must("POST", "/v1/prices", "product="+product, "currency=gbp", "unit_amount="+amount)["id"].(string)
		at := "line_items[" + timeText(int64(i)) + "]"
		fields = append(fields, at+"[price]="+price, at+"[quantity]=1")
	}
	return w.must("POST", "/v1/checkout/sessions", append(fields, more...)...)["id"].(string)
}

// amounts are a session's goods, discount, delivery and total, and the discounts of its lines.
func (w *world) amounts(id string) (session [4]float64, lines []any) {
	w.t.Helper()
	shown := w.must("GET", "/v1/checkout/sessions/"+id, "expand[0]=line_items")
	details := shown["total_details"].(object)
	for _, one := range shown["line_items"].(object)["data"].([]any) {
		l := one.(object)
		require.InDelta(w.t, l["amount_total"], l["amount_subtotal"].(float64)-l["amount_discount"].(float64), 0)
		lines = append(lines, l["amount_discount"])
	}
	return [4]float64{
		shown["amount_subtotal"].(float64), details["amount_discount"].(float64), details["amount_shipping"].(float64), shown["amount_total"].(float64),
	}, lines
}

func TestACodeTakesItsCouponOffTheGoodsAndNeverOffTheDelivery(t *testing.T) {
	t.Parallel()
	w := described(t)
	_, tenth := w.coded("TENTH", "percent_off=10")
	w.coded("HUGE", "amount_off=1000000", "currency=gbp")
	id := w.buy([]string{"1000", "1000", "995"}, delivered...)
	require.Equal(t, true, w.session(id)["allow_promotion_codes"])
	require.Empty(t, w.session(id)["discounts"])

	require.NoError(t, w.Apply(id, "tenth"))
	session, lines := w.amounts(id)
	require.Equal(t, [4]float64{2995, 300, 350, 3045}, session)
	require.Equal(t, []any{100.0, 100.0, 100.0}, lines)
	require.Equal(t, []any{object{"coupon": nil, "promotion_code": tenth}}, w.session(id)["discounts"])
	shown := w.must("GET", "/v1/checkout/sessions/"+id, "expand[0]=discounts.promotion_code", "expand[1]=discounts.promotion_code.promotion.coupon")
	code := shown["discounts"].([]any)[0].(object)["promotion_code"].(object)
	require.InDelta(t, 10, code["promotion"].(object)["coupon"].(object)["percent_off"], 0)

	require.NoError(t, w.Apply(id, "HUGE"), "instead of the code before")
	session, lines = w.amounts(id)
	require.Equal(t, [4]float64{2995, 2995, 350, 350}, session)
	require.Equal(t, []any{1000.0, 1000.0, 995.0}, lines)
}

func TestACodeThatIsNotTakenSaysWhyAndChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.coded("DOLLARS", "amount_off=100", "currency=usd")
	_, off := w.coded("OFF", "percent_off=10")
	w.must("POST", "/v1/promotion_codes/"+off, "active=false")
	over, _ := w.coded("GOOD", "percent_off=10")
	w.code("OVER", over, "expires_at="+timeText(w.clock.Now().Add(time.Minute).Unix()))
	w.coded("ENDS", "percent_off=10", "redeem_by="+timeText(w.clock.Now().Add(time.Minute).Unix()))
	w.code("ONCE", over, "max_redemptions=1")
	w.code("FIRST", over, "restrictions[first_time_transaction]=true")
	w.clock.Move(time.Minute)
	begun := w.sold("", allows)
	customer := "customer=" + begun["customer"].(string)
	require.NoError(t, w.Apply(begun["id"].(string), "first"))
	require.NoError(t, w.Apply(begun["id"].(string), "once"))
	require.NoError(t, w.Pay(begun["id"].(string), Accepted))
	require.ErrorIs(t, w.Apply(begun["id"].(string), "good"), ErrNotOpen)

	id := w.buy([]string{"1000"}, customer)
	require.NoError(t, w.Apply(id, "GOOD"))
	for code, why := range map[string]error{
		"NONE": errCodeUnknown, "": errCodeUnknown, "off": errCodeOff, "over": errCodeOver, "ends": errCodeOver, "once": errCodeUsedUp, "first": errCodeFirst,
		"dollars": codeError("This code is for payments in USD only."),
	} {
		err := w.Apply(id, code)
		require.ErrorIs(t, err, ErrCode, code)
		require.Equal(t, why, err, code)
		session, _ := w.amounts(id)
		require.Equal(t, [4]float64{1000, 100, 0, 900}, session)
	}
	for _, closed := range []string{w.sold("")["id"].(string), w.sold("", "allow_promotion_codes=false")["id"].(string)} {
		require.Equal(t, errCodeNowhere, w.Apply(closed, "GOOD"))
	}
	require.ErrorIs(t, w.Apply("cs_test_nothing", "GOOD"), ErrNotOpen)
	require.NoError(t, w.Apply(w.buy([]string{"1000"}), "FIRST"), "who is not known has bought nothing")
}

func TestTheDiscountedTotalIsPaidAndCanBeReturnedOnceOnly(t *testing.T) {
	t.Parallel()
	w := described(t)
	w.coded("HALF", "percent_off=50")
	id := w.buy([]string{"1999"}, delivered...)
	require.ErrorIs(t, w.Pay(id, Declined), ErrDeclined)
	require.NoError(t, w.Apply(id, "HALF"), "after an attempt at the whole price")
	require.NoError(t, w.Pay(id, Accepted))
	done := w.session(id)
	require.Equal(t, paid, done["payment_status"])
	payment := done["payment_intent"].(string)
	require.InDelta(t, 1999-1000+350, w.must("GET", "/v1/payment_intents/"+payment)["amount_received"], 0)
	require.Error(t, w.Refund(payment, 1350))
	w.must("POST", "/v1/refunds", "payment_intent="+payment)
	_, answer := w.ask("POST", "/v1/refunds", "", "payment_intent="+payment, "amount=1")
	require.Equal(t, "charge_already_refunded", code(answer))
}

func TestACheckoutWithNothingLeftToPayCompletesWithoutAPayment(t *testing.T) {
	t.Parallel()
	w := described(t)
	w.coded("ALL", "percent_off=100")
	for _, card := range []Card{"", Declined, NeedsConfirmation} {
		id := w.buy([]string{"1999", "0"})
		require.NoError(t, w.Apply(id, "ALL"))
		require.NoError(t, w.Pay(id, card), "no card is asked for")
		done := w.session(id)
		require.Equal(t, complete, done["status"])
		require.Equal(t, "no_payment_required", done["payment_status"])
		require.Nil(t, done["payment_intent"])
		require.InDelta(t, 0, done["amount_total"], 0)
	}
	require.Zero(t, count(w, "payment_intent.succeeded"))
	require.Equal(t, 3, count(w, "checkout.session.completed"))
}

func TestACodeIsRedeemedWhenTheCheckoutCompletesAndLookedAtOnceMoreThen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	coupon, _ := w.coded("LAST", "percent_off=10", "max_redemptions=1")
	first, second := w.buy([]string{"1000"}), w.buy([]string{"1000"})
	times := func() (coupons, codes any) {
		return w.must("GET", "/v1/coupons/"+coupon)["times_redeemed"],
			w.must("GET", "/v1/promotion_codes", "code=last")["data"].([]any)[0].(object)["times_redeemed"]
	}
	require.NoError(t, w.Apply(first, "LAST"))
	require.NoError(t, w.Apply(second, "LAST"))
	require.ErrorIs(t, w.Pay(second, Declined), ErrDeclined)
	require.ErrorIs(t, w.Pay(second, NeedsConfirmation), ErrConfirm)
	coupons, codes := times()
	require.Equal(t, [2]any{0.0, 0.0}, [2]any{coupons, codes}, "it was applied only")
	require.NoError(t, w.Pay(first, Accepted))
	coupons, codes = times()
	require.Equal(t, [2]any{1.0, 1.0}, [2]any{coupons, codes})
	require.Equal(t, false, w.must("GET", "/v1/coupons/"+coupon)["valid"])

	require.Equal(t, errCodeUsedUp, w.Confirm(second, true))
	session, _ := w.amounts(second)
	require.Equal(t, [4]float64{1000, 0, 0, 1000}, session, "the code has gone")
	require.Equal(t, open, w.session(second)["status"])
	require.NoError(t, w.Pay(second, Accepted))
	require.InDelta(t, 1000, w.must("GET", "/v1/payment_intents/"+w.session(second)["payment_intent"].(string))["amount"], 0)
}

func TestAMembershipThatCostNothingWasAFirstOrderAndKeepsTheCardOfBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	all, _ := w.coded("ALL", "percent_off=100", "duration=forever")
	w.code("FIRST", all, "restrictions[first_time_transaction]=true")
	begun := w.sold("month", allows, "payment_method_collection=if_required")
	id, customer := begun["id"].(string), begun["customer"].(string)
	require.NoError(t, w.ChangeCard(customer, Accepted))
	require.NoError(t, w.Apply(id, "FIRST"))
	require.NoError(t, w.Pay(id, ""))
	require.Nil(t, w.subscribed(w.session(id)["subscription"].(string))["default_payment_method"])
	require.Equal(t, "4242", w.saved(customer))
	require.Equal(t, errCodeFirst, w.Apply(w.buy([]string{"1000"}, "customer="+customer), "FIRST"))
}

func TestABankIsNotAskedAboutASumThatHasChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.coded("HALF", "percent_off=50")
	id := w.buy([]string{"1000"})
	require.ErrorIs(t, w.Pay(id, NeedsConfirmation), ErrConfirm)
	require.NoError(t, w.Apply(id, "HALF"))
	require.ErrorIs(t, w.Confirm(id, true), ErrNotOpen)
}
