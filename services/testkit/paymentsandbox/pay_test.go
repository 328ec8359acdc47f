package paymentsandbox

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestADeclinedCardLeavesTheCheckoutOpenForAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	made := w.sold("")
	id := made["id"].(string)
	for _, card := range []Card{Declined, NoMoney, "4111111111111111"} {
		require.ErrorIs(t, w.Pay(id, card), ErrDeclined, card)
		now := w.session(id)
		require.Equal(t, open, now["status"])
		require.Equal(t, unpaid, now["payment_status"])
		require.Nil(t, now["payment_intent"])
	}
	require.NoError(t, w.Pay(id, Accepted))
	require.Equal(t, complete, w.session(id)["status"])
	require.ErrorIs(t, w.Pay(id, Accepted), ErrNotOpen)
}

func TestABankThatAsksIsAnsweredOnASecondPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	id := w.sold("")["id"].(string)
	require.ErrorIs(t, w.Pay(id, NeedsConfirmation), ErrConfirm)
	require.Equal(t, open, w.session(id)["status"])
	require.ErrorIs(t, w.Confirm(id, false), ErrDeclined)
	require.ErrorIs(t, w.Confirm(id, true), ErrNotOpen, "it was answered")
	require.ErrorIs(t, w.Pay(id, NeedsConfirmation), ErrConfirm)
	require.NoError(t, w.Confirm(id, true))
	require.Equal(t, paid, w.session(id)["payment_status"])
}

func TestACheckoutThatIsOverCannotBePaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	expires := w.clock.Now().Add(time.Hour).Unix()
	late := w.sold("", "expires_at="+timeText(expires))["id"].(string)
	closed := w.sold("")["id"].(string)
	w.must("POST", "/v1/checkout/sessions/"+closed+"/expire")
	status, _ := w.ask("POST", "/v1/checkout/sessions/"+closed+"/expire", "")
	require.Equal(t, http.StatusBadRequest, status)
	w.clock.Move(time.Hour)
	for _, id := range []string{late, closed} {
		require.Equal(t, expired, w.session(id)["status"])
		require.ErrorIs(t, w.Pay(id, Accepted), ErrNotOpen)
	}
}

func TestACheckoutRefusesWhatItsModeDoesNotTake(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	product := w.must("POST", "/v1/products", "name=Premium")["id"].(string)
	once := w.must("POST", "/v1/prices", "product="+product, "currency=gbp", "unit_amount=100")["id"].(string)
	monthly := w.must("POST", "/v1/prices", "product="+product, "currency=gbp", "unit_amount=100", "recurring[interval]=month")["id"].(string)
	dollars := w.must("POST", "/v1/prices", "product="+product, "currency=usd", "unit_amount=100")["id"].(string)
	base := []string{"success_url=http://localhost/"}
	for name, fields := range map[string][]string{
		"no lines":               {"mode=payment"},
		"no mode":                {"line_items[0][price]=" + once},
		"an unknown price":       {"mode=payment", "line_items[0][price]=price_1"},
		"no quantity":            {"mode=payment", "line_items[0][price]=" + once, "line_items[0][quantity]=0"},
		"a membership as a pack": {"mode=payment", "line_items[0][price]=" + monthly},
		"a pack as a membership": {"mode=subscription", "line_items[0][price]=" + once},
		"two currencies":         {"mode=payment", "line_items[0][price]=" + once, "line_items[1][price]=" + dollars},
		"an unknown customer":    {"mode=payment", "line_items[0][price]=" + once, "customer=cus_1"},
		"ends too soon":          {"mode=payment", "line_items[0][price]=" + once, "expires_at=" + timeText(w.clock.Now().Add(time.Minute).Unix())},
		"ends too late":          {"mode=payment", "line_items[0][price]=" + once, "expires_at=" + timeText(w.clock.Now().Add(25*time.Hour).Unix())},
		"an unknown part":        {"mode=payment", "line_items[0][price]=" + once, "line_items[0][colour]=green"},
	} {
		status, _ := w.ask("POST", "/v1/checkout/sessions", "", append(fields, base...)...)
		require.Equal(t, http.StatusBadRequest, status, name)
	}
	require.Empty(t, w.must("GET", "/v1/checkout/sessions")["data"])
}

func TestAMembershipRenewsWhenTimePasses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	id := w.sold("month")["id"].(string)
	require.NoError(t, w.Pay(id, Accepted))
	subscription := "/v1/subscriptions/" + w.session(id)["subscription"].(string)
	first := w.must("GET", subscription)
	w.Advance(32 * 24 * time.Hour)
	second := w.must("GET", subscription)
	require.NotEqual(t, first["latest_invoice"], second["latest_invoice"])
	require.InDelta(t, period(first)[1], period(second)[0], 0)
	bill := w.must("GET", "/v1/invoices/"+second["latest_invoice"].(string))
	require.Equal(t, "subscription_cycle", bill["billing_reason"])
	require.Equal(t, paid, bill["status"])
	w.Advance(365 * 24 * time.Hour)
	require.Equal(t, 12, count(w, "invoice.paid")-2)

	// What is made after the move begins at the present.
	later := w.sold("month")["id"].(string)
	require.NoError(t, w.Pay(later, Accepted))
	fresh := w.must("GET", "/v1/subscriptions/"+w.session(later)["subscription"].(string))
	require.InDelta(t, w.clock.Now().Unix(), period(fresh)[0], 1)
}

func TestAMonthThatIsTooShortRenewsOnItsLastDay(t *testing.T) {
	t.Parallel()
	began := &subscription{Start: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC).Unix(), Interval: "month"}
	for n, want := range map[int]string{1: "2026-02-28", 2: "2026-03-31", 3: "2026-04-30", 12: "2027-01-31", 13: "2027-02-28"} {
		require.Equal(t, want, time.Unix(began.periodEnd(n), 0).UTC().Format(time.DateOnly))
	}
	leap := &subscription{Start: time.Date(2028, 2, 29, 9, 0, 0, 0, time.UTC).Unix(), Interval: "year"}
	require.Equal(t, "2029-02-28", time.Unix(leap.periodEnd(1), 0).UTC().Format(time.DateOnly))
}

func TestMoneyIsReturnedOnceAndNotAfterADispute(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	id := w.sold("")["id"].(string)
	require.NoError(t, w.Pay(id, Accepted))
	payment := "payment_intent=" + w.session(id)["payment_intent"].(string)
	w.must("POST", "/v1/refunds", payment, "amount=1000")
	status, answer := w.ask("POST", "/v1/refunds", "", payment, "amount=1000")
	require.Equal(t, http.StatusBadRequest, status)
	require.Nil(t, code(answer))
	w.must("POST", "/v1/refunds", payment)
	_, answer = w.ask("POST", "/v1/refunds", "", payment)
	require.Equal(t, "charge_already_refunded", code(answer))

	other := w.sold("")["id"].(string)
	require.NoError(t, w.Pay(other, Accepted))
	disputed := w.session(other)["payment_intent"].(string)
	require.NoError(t, w.Dispute(disputed))
	_, answer = w.ask("POST", "/v1/refunds", "", "payment_intent="+disputed)
	require.Equal(t, "charge_disputed", code(answer))
	require.Len(t, w.must("GET", "/v1/disputes", "payment_intent="+disputed)["data"], 1)
}
