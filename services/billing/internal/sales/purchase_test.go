package sales_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/sales"
)

func TestAMembershipIsPaidOnceAndBeginsWithItsCredits(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.trial(t, uid)
	o := h.begins(t, request(uid, "core", "month"))
	require.Equal(t, sales.Open, o.State)
	require.Equal(t, int64(799), o.Total)
	require.Regexp(t, `^S-1\d{4}$`, o.Number())
	require.Equal(t, o.CreatedAt.Add(time.Hour), o.ExpiresAt)

	same, err := h.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Open, same.State, "the page alone gives nothing")
	require.Equal(t, credits.Balance{PlanAvailable: 8}, h.account(t, uid).Balance)

	paid := h.provider.Pay(o.SessionID)
	for range 3 {
		o, err = h.CompleteCheckout(t.Context(), uid, o.ID)
		require.NoError(t, err)
		require.Equal(t, sales.Completed, o.State)
	}
	h.deliver(t, h.provider.Told()...)
	a := h.account(t, uid)
	require.Equal(t, credits.Balance{PlanAvailable: 20}, a.Balance, "the trial's are replaced")
	require.Equal(t, "core", a.Subscription.PlanID)
	require.Equal(t, "month", a.Subscription.Period)
	require.True(t, a.Subscription.Renews)
	require.True(t, a.Subscription.HadTrial)
	require.Equal(t, begin.AddDate(0, 1, 0), a.Subscription.EndsAt)
	require.Equal(t, paid.Payment, o.Payment)
	require.Equal(t, 1, h.told(t, "order.completed"))
	require.Equal(t, 1, h.told(t, "subscription.started"))
	require.Equal(t, 2, h.told(t, "credits.granted"), "the trial's and the membership's")
}

func TestThingsAndCreditsArePaidTogetherAndSent(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "core", "year")
	r := request(uid, "tee", "M", "pack-20", "", "tote", "")
	r.Items[0].Quantity = 2
	r.Items = append(r.Items, sales.RequestedLine{ProductID: "tote", Quantity: 2})
	o := h.begins(t, r)
	require.Equal(t, int64(2*2400+599+3*1200+395), o.Total, "what is named twice is one line")
	require.Len(t, o.Lines, 3)
	require.Equal(t, int64(395), o.Delivery)
	require.Equal(t, sales.VAT(o.Total, 20), o.VAT())
	h.provider.Pay(o.SessionID)
	o, err := h.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Completed, o.State)
	require.Equal(t, "BA1 1AA", o.Address.PostalCode)
	paid, err := h.provider.Payment(t.Context(), o.Payment)
	require.NoError(t, err)
	require.Equal(t, paid.PaidBy, o.PaidBy)
	require.Equal(t, credits.Balance{PlanAvailable: 240, TopUpAvailable: 20}, h.account(t, uid).Balance)

	orders, err := h.Orders(t.Context(), uid, 1<<40, 10)
	require.NoError(t, err)
	require.Len(t, orders, 2)
	require.Equal(t, o, orders[0], "the newest first")
	h.begins(t, request(uid, "tote", ""))
	orders, err = h.Orders(t.Context(), uid, orders[0].Sequence, 10)
	require.NoError(t, err)
	require.Len(t, orders, 1, "below a number, and paid ones alone")
}

// A11: what is charged is the catalogue's, and what cannot be bought is said.
func TestWhatCannotBeBoughtIsRefusedByItsReason(t *testing.T) {
	t.Parallel()
	h := setup(t)
	trial, visitor, member := newMember(), newMember(), newMember()
	h.trial(t, trial)
	h.buys(t, member, "core", "month")
	many := func(r sales.Request, n int32) sales.Request { r.Items[0].Quantity = n; return r }
	for name, refusal := range map[string]struct {
		r      sales.Request
		reason string
	}{
		"nothing":                       {request(visitor), "CHECKOUT_EMPTY"},
		"an unknown thing":              {request(visitor, "yacht", ""), "ITEM_NOT_SOLD"},
		"an unknown period":             {request(visitor, "core", "week"), "ITEM_NOT_SOLD"},
		"a plan without a period":       {request(visitor, "core", ""), "ITEM_NOT_SOLD"},
		"a plan for enquiries":          {request(visitor, "enquiry", "month"), "ITEM_NOT_SOLD"},
		"the trial":                     {request(visitor, "free-trial", ""), "ITEM_NOT_SOLD"},
		"a size that is none":           {request(visitor, "tee", "XXL"), "ITEM_NOT_SOLD"},
		"no size":                       {request(visitor, "tee", ""), "INVALID_ARGUMENT"},
		"a size of a thing without":     {request(visitor, "tote", "M"), "ITEM_NOT_SOLD"},
		"a size that is sold out":       {request(visitor, "tee", "L"), "ITEM_SOLD_OUT"},
		"a thing that is sold out":      {request(visitor, "socks", ""), "ITEM_SOLD_OUT"},
		"a membership beside something": {request(visitor, "core", "month", "tote", ""), "MEMBERSHIP_ALONE"},
		"two memberships":               {request(visitor, "core", "month", "premium", "month"), "MEMBERSHIP_ALONE"},
		"the membership one has":        {request(member, "core", "year"), "MEMBERSHIP_CURRENT"},
		"another membership":            {request(member, "premium", "month"), "MEMBERSHIP_CURRENT"},
		"credits on trial":              {request(trial, "pack-20", ""), "TOP_UP_NOT_ALLOWED"},
		"credits without a plan":        {request(visitor, "pack-20", ""), "TOP_UP_NOT_ALLOWED"},
		"two of a pack":                 {many(request(member, "pack-20", ""), 2), "INVALID_ARGUMENT"},
		"two years at once":             {many(request(visitor, "core", "year"), 2), "INVALID_ARGUMENT"},
		"too many":                      {many(request(visitor, "tote", ""), 100), "INVALID_ARGUMENT"},
		"fewer than none":               {many(request(visitor, "tote", ""), -1), "INVALID_ARGUMENT"},
		"none":                          {many(request(visitor, "tote", ""), 0), "INVALID_ARGUMENT"},
	} {
		_, err := h.Start(t.Context(), refusal.r)
		t.Log(name)
		requireReason(t, err, refusal.reason)
	}
	require.Equal(t, 1, h.provider.Sessions(), "the member's own")
}

func TestAKeyIsOneOrderWhateverBecameOfIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	r := request(uid, "core", "month")
	o := h.begins(t, r)
	again := h.begins(t, r)
	require.Equal(t, o.ID, again.ID)
	require.Equal(t, o.SessionURL, again.SessionURL)
	other := r
	other.Items = wants("core", "year")
	_, err := h.Start(t.Context(), other)
	requireReason(t, err, "IDEMPOTENCY_KEY_REUSED")
	h.provider.Pay(o.SessionID)
	_, err = h.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	again, err = h.Start(t.Context(), r)
	require.NoError(t, err, "though a second membership would be refused")
	require.Equal(t, o.ID, again.ID)
	require.Equal(t, sales.Completed, again.State)
	require.Equal(t, 1, h.provider.Sessions())

	stranger := request(newMember(), "core", "month")
	stranger.Key = r.Key
	require.NotEqual(t, o.ID, h.begins(t, stranger).ID, "a key is a member's own")
}

func TestAnotherMembersOrderIsNotThere(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, other := newMember(), newMember()
	o := h.begins(t, request(uid, "tote", ""))
	_, err := h.CompleteCheckout(t.Context(), other, o.ID)
	requireReason(t, err, "ORDER_NOT_FOUND")
	_, err = h.CompleteCheckout(t.Context(), uid, newMember())
	requireReason(t, err, "ORDER_NOT_FOUND")
	_, err = h.Receipt(t.Context(), uid, o.ID)
	requireReason(t, err, "ORDER_NOT_FOUND")
	h.provider.Pay(o.SessionID)
	_, err = h.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	_, err = h.Receipt(t.Context(), other, o.ID)
	requireReason(t, err, "ORDER_NOT_FOUND")
	_, err = h.Receipt(t.Context(), uid, o.ID)
	require.NoError(t, err)
	orders, err := h.Orders(t.Context(), other, 1<<40, 10)
	require.NoError(t, err)
	require.Empty(t, orders)
}

func TestWhatWasNotPaidIsClosedAndGivesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.begins(t, request(uid, "core", "month"))
	h.provider.Change(o.SessionID, func(s *sales.Session) { s.State = sales.SessionComplete })
	o, err := h.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Processing, o.State, "the money is on its way")
	require.Nil(t, h.account(t, uid).Subscription)
	h.provider.Change(o.SessionID, func(s *sales.Session) { s.State = sales.SessionExpired })
	o, err = h.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Closed, o.State)
	require.Zero(t, h.told(t, "order.completed"))
	require.Equal(t, 1, h.told(t, "order.unpaid"))
	again := h.begins(t, request(uid, "core", "month"))
	h.provider.Change(again.SessionID, func(s *sales.Session) { s.State = sales.SessionExpired })
	_, err = h.CompleteCheckout(t.Context(), uid, again.ID)
	require.NoError(t, err)
	require.Equal(t, 1, h.told(t, "order.unpaid"), "a checkout that was left is no news to its member")
}

// A12: a member who visits the page after the checkout without paying gets nothing.
func TestThePageAfterTheCheckoutGivesNothingByItself(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "core", "month")
	o := h.begins(t, request(uid, "pack-100", ""))
	for range 2 {
		got, err := h.CompleteCheckout(t.Context(), uid, o.ID)
		require.NoError(t, err)
		require.Equal(t, sales.Open, got.State)
	}
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
}

// A change that is undone tells nobody.
func TestACompletionThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.begins(t, request(uid, "core", "month"))
	paid := h.provider.Pay(o.SessionID)
	_, err := h.store.Complete(t.Context(), o.ID, sales.Paid{Session: paid}) // without its subscription
	require.Error(t, err)
	require.Equal(t, sales.Open, h.order(t, o.ID).State)
	require.Nil(t, h.account(t, uid).Subscription)
	require.Zero(t, h.count(t, `SELECT count(*) FROM outbox`))
	require.Zero(t, h.count(t, `SELECT count(*) FROM entries`))
}

func TestTheTrialThatComesAfterAPurchaseTakesNothingAway(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "premium", "month")
	h.trial(t, uid)
	a := h.account(t, uid)
	require.Equal(t, credits.Balance{PlanAvailable: 60}, a.Balance)
	require.Equal(t, "premium", a.Subscription.PlanID)
	require.True(t, a.Subscription.HadTrial)
}

func TestACardIsMendedAtTheProviderByWhoHasOneThere(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	_, err := h.Portal(t.Context(), uid)
	requireReason(t, err, "CUSTOMER_NOT_FOUND")
	h.buys(t, uid, "core", "month")
	address, err := h.Portal(t.Context(), uid)
	require.NoError(t, err)
	require.Contains(t, address, "https://pay.example/portal/cus_")

	h.provider.Delete(uid.String())
	for range 2 {
		_, err = h.Portal(t.Context(), uid)
		requireReason(t, err, "CUSTOMER_NOT_FOUND")
	}
	require.Equal(t, 2, h.provider.Calls("PortalURL"), "what is gone is asked for once")
}
