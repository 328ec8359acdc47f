package sales_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

func TestAForgedWebhookIsRefusedAndLeavesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	o := h.begins(t, request(newMember(), "core", "month"))
	h.provider.Pay(o.SessionID)
	for _, e := range h.provider.Told() {
		requireReason(t, h.Receive(t.Context(), providertest.Payload(e), "signed by somebody else"), "WEBHOOK_INVALID")
		requireReason(t, h.Receive(t.Context(), providertest.Payload(e), ""), "WEBHOOK_INVALID")
	}
	h.work(t)
	require.Zero(t, h.count(t, `SELECT count(*) FROM webhook_events`))
	require.Equal(t, sales.Open, h.order(t, o.ID).State)
	require.Len(t, h.counts.refused, 12)
}

// A10: an event of another account, or of the other mode, is kept, told and not acted upon.
func TestAnEventThatIsNotOursIsNotActedUpon(t *testing.T) {
	t.Parallel()
	h := setup(t)
	o := h.begins(t, request(newMember(), "core", "month"))
	h.provider.Pay(o.SessionID)
	session := h.provider.Told()[sixEvents-1]
	live, foreign := session, session
	live.ID, live.Live = "evt_live", true
	foreign.ID, foreign.Account = "evt_foreign", "acct_other"
	h.deliver(t, live, foreign, live, foreign)
	require.Equal(t, sales.Open, h.order(t, o.ID).State)
	require.Equal(t, []string{"live", "account"}, h.counts.refused, "told once each")
	require.Equal(t, 2, h.count(t, `SELECT count(*) FROM webhook_events WHERE refused <> ''`))
	h.deliver(t, session)
	require.Equal(t, sales.Completed, h.order(t, o.ID).State)
}

func TestAnEventOfSomethingThatIsNotOursChangesNothingAndIsCounted(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.deliver(t,
		sales.Event{ID: "evt_1", Type: "checkout.session.completed", Object: "checkout.session", ObjectID: "cs_unknown"},
		sales.Event{ID: "evt_2", Type: "customer.subscription.updated", Object: "subscription", ObjectID: "sub_unknown"},
		sales.Event{ID: "evt_3", Type: "charge.refunded", Object: "charge", ObjectID: "ch_unknown", Payment: "pi_unknown"},
		sales.Event{ID: "evt_4", Type: "invoice.paid", Object: "invoice", ObjectID: "in_unknown"},
		sales.Event{ID: "evt_5", Type: "a.kind.of.tomorrow", Object: "tomorrow", ObjectID: "x"},
		sales.Event{ID: "evt_6", Type: "customer.updated", Object: "customer", ObjectID: "cus_unknown"},
	)
	require.Equal(t, 3, h.counts.unknown)
	require.Equal(t, 6, h.count(t, `SELECT count(*) FROM webhook_events WHERE applied_at IS NOT NULL`))

	// Sessions of an account that is shared with another program.
	for i, order := range []string{"", "4711", uuid.NewString()} {
		session, err := h.provider.CreateSession(t.Context(), order, sales.NewSession{OrderID: order, Currency: "gbp"})
		require.NoError(t, err)
		h.provider.Pay(session.ID)
		h.deliver(t, h.provider.Told()[len(h.provider.Told())-1])
		require.Equal(t, 4+i, h.counts.unknown)
	}
}

// If a payment differs from its order, billing grants nothing and alerts the operator.
func TestWhatWasPaidIsWhatWasOrderedOrNothingIsGiven(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for name, change := range map[string]func(*sales.Session){
		"a smaller amount":         func(s *sales.Session) { s.Amount = 1 },
		"a larger amount":          func(s *sales.Session) { s.Amount++ },
		"another currency":         func(s *sales.Session) { s.Currency = "jpy" },
		"real money":               func(s *sales.Session) { s.Live = true },
		"another member":           func(s *sales.Session) { s.UID = uuid.NewString() },
		"no member":                func(s *sales.Session) { s.UID = "" },
		"another customer":         func(s *sales.Session) { s.Customer = "cus_other" },
		"another order":            func(s *sales.Session) { s.OrderID = uuid.NewString() },
		"another price":            func(s *sales.Session) { s.Lines = []sales.PaidLine{{PriceID: "price_1", Quantity: 1, Amount: 799}} },
		"two of it":                func(s *sales.Session) { s.Lines[0].Quantity = 2 },
		"nothing":                  func(s *sales.Session) { s.Lines = nil },
		"something besides":        func(s *sales.Session) { s.Lines = append(s.Lines, sales.PaidLine{PriceID: "p", Quantity: 1}) },
		"delivery that is not due": func(s *sales.Session) { s.Delivery = 100 },
		"no payment":               func(s *sales.Session) { s.Payment = "" },
		"no subscription":          func(s *sales.Session) { s.Subscription = "" },
	} {
		uid := newMember()
		o := h.begins(t, request(uid, "core", "month"))
		before := len(h.provider.Told())
		paid := h.provider.Pay(o.SessionID)
		h.provider.Change(o.SessionID, func(s *sales.Session) {
			lines := append([]sales.PaidLine{}, s.Lines...)
			s.Lines = lines
			change(s)
		})
		mismatched := h.counts.mismatched
		h.deliver(t, h.provider.Told()[before:]...)
		got, err := h.CompleteCheckout(t.Context(), uid, o.ID)
		require.NoError(t, err, name)
		require.Equal(t, sales.Open, got.State, name)
		require.Greater(t, h.counts.mismatched, mismatched, name)
		a := h.account(t, uid)
		require.Zero(t, a.Balance, name)
		require.Nil(t, a.Subscription, name)

		h.provider.Change(o.SessionID, func(s *sales.Session) { *s = paid })
		got, err = h.CompleteCheckout(t.Context(), uid, o.ID)
		require.NoError(t, err)
		require.Equal(t, sales.Completed, got.State, "once it is mended it is given: %s", name)
	}
	for name, change := range map[string]func(*sales.ProviderSubscription){
		"of another member":   func(s *sales.ProviderSubscription) { s.UID = uuid.NewString() },
		"of another customer": func(s *sales.ProviderSubscription) { s.Customer = "cus_other" },
		"of another price":    func(s *sales.ProviderSubscription) { s.PriceID = "price_other" },
		"without a period":    func(s *sales.ProviderSubscription) { s.PeriodEnd = s.PeriodStart },
	} {
		uid := newMember()
		o := h.begins(t, request(uid, "core", "month"))
		h.provider.ChangeSubscription(h.provider.Pay(o.SessionID).Subscription, change)
		got, err := h.CompleteCheckout(t.Context(), uid, o.ID)
		require.NoError(t, err, name)
		require.Equal(t, sales.Open, got.State, name)
		require.Zero(t, h.account(t, uid).Balance, name)
	}
}

func TestAThingIsPaidByItsMembersOwnCustomer(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.begins(t, request(uid, "tote", ""))
	h.provider.Pay(o.SessionID)
	h.provider.Change(o.SessionID, func(s *sales.Session) { s.Customer = "cus_other" })
	o, err := h.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Open, o.State)
	require.Equal(t, 1, h.counts.mismatched)
}

// A session that somebody made with an order of ours in its data is not the order's.
func TestASecondSessionOfAnOrderIsNotBelieved(t *testing.T) {
	t.Parallel()
	h := setup(t)
	victim, thief := newMember(), newMember()
	cheap := h.begins(t, request(thief, "tote", ""))
	o := h.begins(t, request(victim, "core", "month"))
	h.provider.Pay(cheap.SessionID)
	h.provider.Change(cheap.SessionID, func(s *sales.Session) { s.OrderID, s.UID = o.ID.String(), victim.String() })
	h.deliver(t, h.provider.Told()...)
	require.Equal(t, sales.Open, h.order(t, o.ID).State)
	require.Equal(t, credits.Account{}, h.account(t, victim))
	require.Positive(t, h.counts.mismatched)
}
