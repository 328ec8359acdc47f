package paymentsandbox

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// days are so many whole ones.
func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

// member buys a membership with a card, and gives the ids of the subscription and the customer.
func (w *world) member(interval string, card Card) (subscription, customer string) {
	w.t.Helper()
	id := w.sold(interval)["id"].(string)
	require.NoError(w.t, w.Pay(id, card))
	done := w.session(id)
	return done["subscription"].(string), done["customer"].(string)
}

func (w *world) subscribed(id string, more ...string) object {
	w.t.Helper()
	return w.must("GET", "/v1/subscriptions/"+id, more...)
}

// invoices of a subscription, the newest first.
func (w *world) invoices(id string, more ...string) (found []object) {
	w.t.Helper()
	for _, one := range w.must("GET", "/v1/invoices", append(more, "subscription="+id)...)["data"].([]any) {
		found = append(found, one.(object))
	}
	return found
}

func dateOf(unix float64) string { return time.Unix(int64(unix), 0).UTC().Format(time.DateTime) }

func TestAFailedRenewalIsTriedAfterThreeFiveAndSevenDaysAndThenLeftPastDue(t *testing.T) {
	t.Parallel()
	w := described(t)
	id, _ := w.member("month", FailsAtRenewal)
	renewal := int64(period(w.subscribed(id))[1])
	w.Advance(time.Duration(renewal-w.now().Unix()) * time.Second)
	failed := func() object { return w.invoices(id)[0] }
	for attempt, wait := range []int{3, 5, 7} {
		require.InDelta(t, attempt+1, failed()["attempt_count"], 0)
		renewal += int64(days(wait).Seconds())
		require.InDelta(t, renewal, failed()["next_payment_attempt"], 0)
		require.Equal(t, true, failed()["auto_advance"])
		require.Equal(t, pastDue, w.subscribed(id)["status"])
		w.Advance(days(wait))
	}
	require.InDelta(t, 4, failed()["attempt_count"], 0)
	require.Nil(t, failed()["next_payment_attempt"])
	require.Equal(t, open, failed()["status"])
	require.InDelta(t, 0, failed()["amount_paid"], 0)
	require.Equal(t, pastDue, w.subscribed(id)["status"], "the seller decides when it ends")
	require.Zero(t, count(w, "customer.subscription.deleted"))
	w.must("DELETE", "/v1/subscriptions/"+id)
	require.Equal(t, open, failed()["status"], "what was owed is not collected any more")
	w.Advance(days(60))
	require.InDelta(t, 4, failed()["attempt_count"], 0)
	require.Equal(t, 4, count(w, "invoice.payment_failed"))
}

func TestAnAccountCanBeSetToEndWhatIsNotPaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{EndUnpaid: true})
	id, _ := w.member("month", FailsAtRenewal)
	w.Advance(days(31 + 15))
	require.Equal(t, canceled, w.subscribed(id)["status"])
	require.Equal(t, "payment_failed", w.subscribed(id)["cancellation_details"].(object)["reason"])
	require.Equal(t, 1, count(w, "customer.subscription.deleted"))
}

// uses gives a customer another card and has their subscription charged to it, as a caller does.
func (w *world) uses(subscription, customer string, card Card) {
	w.t.Helper()
	require.NoError(w.t, w.ChangeCard(customer, card))
	w.must("POST", "/v1/subscriptions/"+subscription, "default_payment_method="+w.given(customer))
}

// given is the card that is a customer's default.
func (w *world) given(customer string) string {
	w.t.Helper()
	return w.must("GET", "/v1/customers/"+customer)["invoice_settings"].(object)["default_payment_method"].(string)
}

// A membership's own card stands before the customer's, and nothing is charged because a card was given.
func TestAnotherCardPaysNothingByItself(t *testing.T) {
	t.Parallel()
	w := described(t)
	id, customer := w.member("month", FailsAtRenewal)
	w.Advance(days(32))
	own := w.subscribed(id)["default_payment_method"]
	require.ErrorIs(t, w.ChangeCard(customer, Declined), ErrDeclined)
	opened := w.must("POST", "/v1/billing_portal/sessions", "customer="+customer, "flow_data[type]=payment_method_update")
	_, _ = w.browser("POST", strings.TrimPrefix(opened["url"].(string), w.url), card(string(Accepted)))
	require.Equal(t, 1, count(w, "payment_method.attached")-1)
	require.Equal(t, own, w.subscribed(id)["default_payment_method"])
	require.Equal(t, pastDue, w.subscribed(id)["status"])
	w.Advance(days(4))
	require.InDelta(t, 2, w.invoices(id)[0]["attempt_count"], 0, "the membership's own card is tried again")
	require.Equal(t, pastDue, w.subscribed(id)["status"])

	w.must("POST", "/v1/subscriptions/"+id, "default_payment_method="+w.given(customer))
	require.Equal(t, pastDue, w.subscribed(id)["status"])
	w.Advance(days(6))
	require.Equal(t, active, w.subscribed(id)["status"], "the next attempt is with the new one")
	status, _ := w.ask("POST", "/v1/subscriptions/"+id, "", "default_payment_method=pm_nobody")
	require.Equal(t, 400, status)
}

func TestAnInvoiceIsPaidOutOfItsTurnOnce(t *testing.T) {
	t.Parallel()
	w := described(t)
	id, customer := w.member("month", FailsAtRenewal)
	w.Advance(days(32))
	due, bill := w.subscribed(id), w.invoices(id, "expand[0]=data.payments")[0]
	pay, open := "/v1/invoices/"+bill["id"].(string)+"/pay", bill["payments"].(object)["data"].([]any)[0].(object)
	require.Equal(t, "open", open["status"])
	tried := func() any {
		of := open["payment"].(object)["payment_intent"].(string)
		return w.must("GET", "/v1/payment_intents/"+of, "expand[0]=latest_charge")["latest_charge"].(object)["payment_method"]
	}
	require.Equal(t, due["default_payment_method"], tried(), "a failed attempt says which card it was")

	require.NoError(t, w.ChangeCard(customer, FailsAtRenewal), "it is taken, and not charged")
	for _, again := range []bool{false, true} {
		status, answer := w.ask("POST", pay, "pay-1", "payment_method="+w.given(customer))
		require.Equal(t, 402, status, again)
		require.Equal(t, "card_error", answer["error"].(object)["type"])
	}
	require.Equal(t, w.given(customer), tried())
	require.Equal(t, 2, count(w, "invoice.payment_failed"))
	require.Equal(t, bill["next_payment_attempt"], w.invoices(id)[0]["next_payment_attempt"], "what is planned stays")
	require.InDelta(t, 1, w.invoices(id)[0]["attempt_count"], 0)
	require.Equal(t, pastDue, w.subscribed(id)["status"])

	require.NoError(t, w.ChangeCard(customer, Accepted))
	require.Equal(t, paid, w.must("POST", pay, "payment_method="+w.given(customer))["status"])
	mended := w.subscribed(id)
	require.Equal(t, active, mended["status"])
	require.Equal(t, period(due), period(mended), "the period is the one that was owed")
	bill = w.invoices(id, "expand[0]=data.payments")[0]
	require.Nil(t, bill["next_payment_attempt"])
	require.Len(t, bill["payments"].(object)["data"], 1)
	status, _ := w.ask("POST", pay, "", "payment_method="+w.given(customer))
	require.Equal(t, 400, status)
	w.Advance(days(20))
	require.Len(t, w.invoices(id), 2, "and is charged once")
	for _, fields := range [][]string{{"payment_method=pm_nobody"}, {"source=card"}} {
		status, _ = w.ask("POST", pay, "", fields...)
		require.Equal(t, 400, status)
	}
}

func TestAnAccountsPortalCanPayWhatIsPastDue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{PortalPays: true})
	id, customer := w.member("month", FailsAtRenewal)
	w.Advance(days(32))
	require.NoError(t, w.ChangeCard(customer, FailsAtRenewal))
	require.Equal(t, pastDue, w.subscribed(id)["status"])
	require.NoError(t, w.ChangeCard(customer, Accepted))
	require.Equal(t, active, w.subscribed(id)["status"])
	require.Equal(t, w.given(customer), w.subscribed(id)["default_payment_method"])
}

func TestWhyAMembershipIsCancelledIsKeptAndForgottenWithTheCancellation(t *testing.T) {
	t.Parallel()
	w := described(t)
	id, _ := w.member("month", Accepted)
	path := "/v1/subscriptions/" + id
	why := func(details any) []any { return []any{details.(object)["reason"], details.(object)["feedback"]} }
	require.Equal(t, []any{nil, nil}, why(w.subscribed(id)["cancellation_details"]))
	said := w.must("POST", path, "cancel_at_period_end=true", "cancellation_details[feedback]=too_expensive")
	require.Equal(t, []any{"cancellation_requested", "too_expensive"}, why(said["cancellation_details"]))
	require.Equal(t, said, w.subscribed(id))
	told := count(w, "customer.subscription.updated")
	kept := w.must("POST", path, "cancel_at_period_end=false", "cancellation_details[feedback]=")
	require.Equal(t, []any{nil, nil}, why(kept["cancellation_details"]))
	require.Equal(t, told+1, count(w, "customer.subscription.updated"))
	again := w.must("POST", path, "cancel_at_period_end=true", "cancellation_details[feedback]=")
	require.Equal(t, []any{"cancellation_requested", nil}, why(again["cancellation_details"]))
	w.Advance(days(31))
	require.Equal(t, []any{"cancellation_requested", nil}, why(w.subscribed(id)["cancellation_details"]))
	other, _ := w.member("month", Accepted)
	for _, fields := range [][]string{
		{"cancel_at_period_end=true", "cancellation_details[feedback]=dull"},
		{"cancel_at_period_end=true", "cancellation_details[comment]=Dull"},
		{"cancellation_details[feedback]=unused"},
	} {
		status, _ := w.ask("POST", "/v1/subscriptions/"+other, "", fields...)
		require.Equal(t, http.StatusBadRequest, status, fields)
	}
	require.Equal(t, false, w.subscribed(other)["cancel_at_period_end"])
}

func TestACancelledMembershipEndsWithItsPeriodUnlessItIsKept(t *testing.T) {
	t.Parallel()
	w := described(t)
	id, _ := w.member("month", Accepted)
	path, end := "/v1/subscriptions/"+id, period(w.subscribed(id))[1]
	off := w.must("POST", path, "cancel_at_period_end=true")
	require.Equal(t, true, off["cancel_at_period_end"])
	require.InDelta(t, end, off["cancel_at"], 0)
	require.NotNil(t, off["canceled_at"])
	require.Equal(t, off, w.must("POST", path, "cancel_at_period_end=true"), "again changes nothing")
	require.Equal(t, 1, count(w, "customer.subscription.updated"))
	kept := w.must("POST", path, "cancel_at_period_end=false")
	require.Equal(t, false, kept["cancel_at_period_end"])
	require.Nil(t, kept["cancel_at"])
	require.Nil(t, kept["canceled_at"])
	w.Advance(days(32))
	require.Equal(t, active, w.subscribed(id)["status"])

	w.must("POST", path, "cancel_at_period_end=true")
	end = period(w.subscribed(id))[1]
	w.Advance(days(32))
	over := w.subscribed(id)
	require.Equal(t, canceled, over["status"])
	require.InDelta(t, end, over["ended_at"], 0)
	require.Len(t, w.invoices(id), 2, "its next period is not charged")
	status, _ := w.ask("POST", path, "", "cancel_at_period_end=false")
	require.Equal(t, 400, status)
}

// The day of the first payment is kept over months that do not have it, in UTC whatever the clocks of countries do.
func TestPeriodsKeepTheDayTheyBeganOn(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		interval, began string
		ends            []string
	}{
		{"month", "2027-01-31 09:30:00", []string{"2027-02-28 09:30:00", "2027-03-31 09:30:00", "2027-04-30 09:30:00"}},
		{"month", "2028-01-30 00:00:00", []string{"2028-02-29 00:00:00", "2028-03-30 00:00:00", "2028-04-30 00:00:00"}},
		{"month", "2027-03-28 01:30:00", []string{"2027-04-28 01:30:00"}},
		{"month", "2027-12-31 23:59:59", []string{"2028-01-31 23:59:59", "2028-02-29 23:59:59", "2028-03-31 23:59:59"}},
		{"year", "2028-02-29 12:00:00", []string{"2029-02-28 12:00:00", "2030-02-28 12:00:00", "2031-02-28 12:00:00", "2032-02-29 12:00:00"}},
	} {
		t.Run(one.interval+" "+one.began, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, Config{})
			began, err := time.Parse(time.DateTime, one.began)
			require.NoError(t, err)
			w.clock.Move(began.Sub(w.clock.Now()))
			id, _ := w.member(one.interval, Accepted)
			for _, end := range one.ends {
				now := period(w.subscribed(id))
				require.Equal(t, end, dateOf(now[1]))
				w.clock.Move(time.Duration(now[1]-now[0]) * time.Second)
			}
		})
	}
}

func TestARenewalsMoneyGoesBackAndIsAskedBack(t *testing.T) {
	t.Parallel()
	w := described(t)
	id, _ := w.member("month", Accepted)
	w.Advance(days(70))
	bills := w.invoices(id, "expand[0]=data.payments")
	require.Len(t, bills, 3)
	payment := func(i int) string {
		of := bills[i]["payments"].(object)["data"].([]any)[0].(object)["payment"].(object)
		return of["payment_intent"].(string)
	}
	w.must("POST", "/v1/refunds", "payment_intent="+payment(0), "amount=500")
	require.NoError(t, w.Refund(payment(0), 0))
	require.NoError(t, w.Dispute(payment(1)))
	require.Equal(t, 2, count(w, "charge.refunded"))
	require.Equal(t, 1, count(w, "charge.dispute.created"))
	charge := w.must("GET", "/v1/payment_intents/"+payment(0), "expand[0]=latest_charge")["latest_charge"].(object)
	require.Equal(t, true, charge["refunded"])
}

func TestTimePassesForOneCustomerAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	mine, me := w.member("month", Accepted)
	other, _ := w.member("month", Accepted)
	require.Equal(t, 200, w.control("advance", testKey, object{"milliseconds": days(32).Milliseconds(), "customer": me}))
	require.Len(t, w.invoices(mine), 2)
	require.Len(t, w.invoices(other), 1)
	require.Equal(t, 404, w.control("advance", testKey, object{"milliseconds": 1, "customer": "cus_nobody"}))
	require.Equal(t, 200, w.control("card", testKey, object{"customer": me, "card": FailsAtRenewal}))
	require.Equal(t, 400, w.control("card", testKey, object{"customer": me, "card": Declined}))
	w.must("POST", "/v1/subscriptions/"+mine, "default_payment_method="+w.given(me))
	require.Equal(t, 200, w.control("advance", testKey, object{"milliseconds": days(32).Milliseconds(), "customer": me}))
	require.Equal(t, pastDue, w.subscribed(mine)["status"])
	require.Equal(t, active, w.subscribed(other)["status"])
}

func TestWhatFallsDueIsDoneInTheOrderOfTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for range 5 {
		w.member("month", FailsAtRenewal)
		w.clock.Move(days(2))
		w.member("week", Accepted)
		w.clock.Move(time.Hour)
	}
	before := len(w.state.Events.Items)
	w.Advance(days(90))
	var last int64
	for _, e := range w.state.Events.Items[before:] {
		if e.Type != "invoice.paid" {
			continue
		}
		var bill struct {
			Transitions struct {
				PaidAt int64 `json:"paid_at"`
			} `json:"status_transitions"`
			Subscription struct {
				Details struct {
					ID string `json:"subscription"`
				} `json:"subscription_details"`
			} `json:"parent"`
		}
		require.NoError(t, json.Unmarshal(e.object(), &bill))
		of, _ := w.state.Subscriptions.get(bill.Subscription.Details.ID)
		require.GreaterOrEqual(t, bill.Transitions.PaidAt-of.Ahead, last)
		last = bill.Transitions.PaidAt - of.Ahead
	}
	require.NotZero(t, last)
}

func TestSubscriptionsAreListedByPagesWithoutThoseThatEnded(t *testing.T) {
	t.Parallel()
	w := described(t)
	var made []string
	for range 5 {
		id, _ := w.member("month", Accepted)
		made = append(made, id)
	}
	ids := func(fields ...string) (found []string, more any) {
		list := w.must("GET", "/v1/subscriptions", fields...)
		for _, one := range list["data"].([]any) {
			found = append(found, one.(object)["id"].(string))
		}
		return found, list["has_more"]
	}
	first, more := ids("limit=2")
	require.Equal(t, []string{made[4], made[3]}, first)
	require.Equal(t, true, more)
	w.must("DELETE", "/v1/subscriptions/"+made[3])
	rest, more := ids("limit=3", "starting_after="+made[3])
	require.Equal(t, []string{made[2], made[1], made[0]}, rest, "also behind one that has ended meanwhile")
	require.Equal(t, false, more)
	newer, _ := ids("limit=2", "ending_before="+made[0])
	require.Equal(t, []string{made[2], made[1]}, newer)
	for status, n := range map[string]int{"all": 5, "ended": 1, "canceled": 1, "active": 4, "past_due": 0} {
		found, _ := ids("status=" + status)
		require.Len(t, found, n, status)
	}
	code, _ := w.ask("GET", "/v1/subscriptions", "", "starting_after=sub_nobody")
	require.Equal(t, 400, code)
}

// A file keeps what falls due, and what is found in another order than it was made.
func TestAFileIsGoneOnWithWhereItWasLeft(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/payments.json"
	before := newWorld(t, Config{File: file})
	id, customer := before.member("month", FailsAtRenewal)
	before.Advance(days(32))
	require.NoError(t, before.Close())
	after := newWorld(t, Config{File: file})
	require.Len(t, after.invoices(id), 2)
	after.Advance(days(4))
	require.InDelta(t, 2, after.invoices(id)[0]["attempt_count"], 0)
	after.uses(id, customer, Accepted)
	after.Advance(days(6))
	require.Equal(t, active, after.subscribed(id)["status"])
	after.Advance(days(25))
	require.Len(t, after.invoices(id), 3)
}

// A file of the release before has one card for each customer: their subscription's, or that of all that they pay for.
func TestAFileOfBeforeKeepsItsCards(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/payments.json"
	require.NoError(t, os.WriteFile(file, []byte(`{"customers": {"items": [
		{"id": "cus_1", "card": "4242424242424242", "method": "pm_1"}, {"id": "cus_2", "card": "5555555555554444", "everywhere": true}, {"id": "cus_3"}
	]}, "subscriptions": {"items": [{"id": "sub_1", "customer": "cus_1"}, {"id": "sub_2", "customer": "cus_2"}, {"id": "sub_3", "customer": "cus_3"}]}}`), 0o600))
	s, err := load(file)
	require.NoError(t, err)
	w := &Sandbox{state: s}
	for i, last4 := range []string{"4242", "4444", ""} {
		require.Equal(t, last4, w.charged(s.Subscriptions.Items[i]).Card.last4())
		require.Equal(t, i == 0, s.Subscriptions.Items[i].Default != "")
	}
}

func TestAnEventShowsWhatItIsAboutAsItWasThen(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/payments.json"
	w := newWorld(t, Config{File: file})
	id, customer := w.member("month", FailsAtRenewal)
	w.Advance(days(31))
	w.uses(id, customer, Accepted)
	w.must("POST", "/v1/invoices/"+w.invoices(id)[0]["id"].(string)+"/pay")
	w.must("POST", "/v1/subscriptions/"+id, "cancel_at_period_end=true")
	events := w.must("GET", "/v1/events", "limit=100")
	shown := func(kind string) []object {
		var found []object
		for _, one := range events["data"].([]any) {
			if e := one.(object); e["type"] == kind {
				found = append(found, e["data"].(object)["object"].(object))
			}
		}
		return found
	}
	failed := shown("invoice.payment_failed")[0]
	require.Equal(t, open, failed["status"])
	require.NotNil(t, failed["next_payment_attempt"])
	require.Equal(t, failed["id"], shown("invoice.paid")[0]["id"])
	var told []any
	for _, s := range shown("customer.subscription.updated") {
		told = append(told, s["status"], s["cancel_at_period_end"], s["default_payment_method"] == w.given(customer))
	}
	require.Equal(t, []any{active, true, true, active, false, true, pastDue, false, true, pastDue, false, false}, told, "the newest first")
	require.NoError(t, w.Close())
	require.Equal(t, events, newWorld(t, Config{File: file}).must("GET", "/v1/events", "limit=100"))
}
