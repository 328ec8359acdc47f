package sales_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

// buysFor is buys, for less by a promotion code.
func (h *harness) buysFor(t *testing.T, less int64, uid uuid.UUID, things ...string) sales.Order {
	t.Helper()
	o := h.begins(t, request(uid, things...))
	h.provider.Discount(o.SessionID, less)
	h.provider.Pay(o.SessionID)
	o, err := h.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	return o
}

func TestAPromotionCodeTakesOffWhatIsChargedAndNothingOfWhatIsGiven(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	membership := h.buysFor(t, 799, uid, "core", "month")
	require.Equal(t, sales.Completed, membership.State)
	pack := h.buysFor(t, 599, uid, "pack-100", "")
	require.Equal(t, sales.Completed, pack.State)
	require.Equal(t, int64(2299-599), pack.Charged())
	require.Equal(t, sales.VAT(1700, 20), pack.VAT())
	require.Equal(t, credits.Balance{PlanAvailable: 20, TopUpAvailable: 100}, h.account(t, uid).Balance)
	things := h.buysFor(t, 2400, uid, "tee", "S")
	require.Equal(t, sales.Completed, things.State)
	require.Equal(t, int64(395), things.Charged(), "the delivery is paid")
	require.Equal(t, things, h.order(t, things.ID))

	told := payloads[*eventsv1.OrderCompleted](t, h, "order.completed")
	require.Len(t, told, 3)
	require.Equal(t, int64(1700), told[1].GetTotal())
	require.Equal(t, int64(599), told[1].GetDiscount())
	require.Equal(t, sales.VAT(1700, 20), told[1].GetVat())
}

func TestADiscountThatDoesNotAddUpGivesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for name, change := range map[string]func(*sales.Session){
		"more than the goods":      func(s *sales.Session) { s.Discount, s.Amount = 1201, s.Amount-1201 },
		"less than nothing":        func(s *sales.Session) { s.Discount, s.Amount = -1, s.Amount+1 },
		"told and not taken off":   func(s *sales.Session) { s.Discount = 1 },
		"taken off and not told":   func(s *sales.Session) { s.Amount-- },
		"nothing paid of the rest": func(s *sales.Session) { s.Discount, s.Amount, s.Payment = 1200, 395, "" },
	} {
		uid := newMember()
		o := h.begins(t, request(uid, "tote", ""))
		h.provider.Pay(o.SessionID)
		h.provider.Change(o.SessionID, change)
		before := h.counts.mismatched
		o, err := h.CompleteCheckout(t.Context(), uid, o.ID)
		require.NoError(t, err, name)
		require.Equal(t, sales.Open, o.State, name)
		require.Equal(t, before+1, h.counts.mismatched, name)
	}
	require.Zero(t, h.told(t, "order.completed"))
}

// What was credited before pays a part of a membership's first payment, as its invoice says, and of nothing else.
func TestABalanceThatDoesNotAddUpGivesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for name, one := range map[string]struct {
		things []string
		change func(*sales.Session)
		given  bool
	}{
		"a part":                   {[]string{"core", "month"}, func(s *sales.Session) { s.FromBalance, s.Amount = 500, 299 }, true},
		"all of it":                {[]string{"core", "month"}, func(s *sales.Session) { s.FromBalance, s.Amount, s.Payment = 799, 0, "" }, true},
		"with a code":              {[]string{"core", "month"}, func(s *sales.Session) { s.Discount, s.FromBalance, s.Amount = 99, 500, 200 }, true},
		"what was carried":         {[]string{"core", "month"}, func(s *sales.Session) { s.FromBalance, s.Amount = -29, 828 }, true},
		"more than it comes to":    {[]string{"core", "month"}, func(s *sales.Session) { s.FromBalance, s.Amount, s.Payment = 800, -1, "" }, false},
		"told and not taken off":   {[]string{"core", "month"}, func(s *sales.Session) { s.FromBalance = 500 }, false},
		"taken off and not told":   {[]string{"core", "month"}, func(s *sales.Session) { s.Amount = 299 }, false},
		"nothing paid of the rest": {[]string{"core", "month"}, func(s *sales.Session) { s.FromBalance, s.Amount, s.Payment = 500, 299, "" }, false},
		"of no membership":         {[]string{"tote", ""}, func(s *sales.Session) { s.FromBalance, s.Amount = 500, s.Amount-500 }, false},
	} {
		uid := newMember()
		o := h.begins(t, request(uid, one.things...))
		h.provider.Pay(o.SessionID)
		h.provider.Change(o.SessionID, one.change)
		before := h.counts.mismatched
		o, err := h.CompleteCheckout(t.Context(), uid, o.ID)
		require.NoError(t, err, name)
		require.Equal(t, one.given, o.State == sales.Completed, name)
		require.Equal(t, one.given, h.counts.mismatched == before, name)
		require.Equal(t, o, h.order(t, o.ID), name)
	}
	for _, told := range payloads[*eventsv1.OrderCompleted](t, h, "order.completed") {
		require.Equal(t, int64(799), told.GetTotal()+told.GetDiscount()+told.GetFromBalance())
	}
}

// Nothing is charged, so that there is no payment; there is an order, a membership and its credits all the same.
func TestWhatCostsNothingByACodeIsGivenOnceWithoutAPayment(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.buysFor(t, 799, uid, "core", "month")
	require.Equal(t, sales.Completed, o.State)
	require.Zero(t, o.Charged())
	require.Empty(t, o.Payment)
	h.deliver(t, h.provider.Told()...)
	h.deliver(t, h.provider.Told()...)
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
	require.Equal(t, 1, h.told(t, "order.completed"))
	require.Zero(t, h.told(t, "order.refunded"))
	require.NoError(t, h.Service.EndSubscription(t.Context(), o.ID), "nothing went back, though nothing is left to go back")
	require.False(t, h.provider.Ended(o.Subscription))
}

// Nothing can be returned of the second, which was not given either: its subscription ends, and is charged no more.
func TestASecondMembershipThatCostNothingEndsWithoutARefund(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.provider.Fail("ExpireSession", providertest.Away)
	first, second, refused := h.openAtOnce(t, uid, "core", "month")
	require.Len(t, refused, 1)
	for _, o := range []sales.Order{first, second} {
		h.provider.Discount(o.SessionID, 799)
		h.provider.Pay(o.SessionID)
	}
	h.deliver(t, h.provider.Told()...)
	kept, back := h.order(t, first.ID), h.order(t, second.ID)
	if kept.State != sales.Completed {
		kept, back = back, kept
	}
	require.Equal(t, sales.Refunding, back.State)
	require.True(t, h.provider.Ended(back.Subscription))
	require.False(t, h.provider.Ended(kept.Subscription))
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM orders WHERE returned_at IS NOT NULL`))
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
	require.Zero(t, h.provider.Calls("Refund"))
}

func TestARefundTakesBackTheShareOfWhatWasCharged(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	membership := h.buysFor(t, 399, uid, "core", "month")
	pack := h.buysFor(t, 1299, uid, "pack-100", "")
	h.deliver(t, h.provider.GiveBack(pack.Payment, 500, false))
	require.Equal(t, int64(50), h.account(t, uid).Balance.TopUpAvailable, "half of the 1000 that were charged")
	require.Equal(t, int64(1000), payloads[*eventsv1.OrderRefunded](t, h, "order.refunded")[0].GetTotal())
	h.deliver(t, h.provider.GiveBack(membership.Payment, 400, false))
	require.Equal(t, credits.Balance{TopUpAvailable: 50}, h.account(t, uid).Balance)
	require.True(t, h.provider.Ended(membership.Subscription), "all of it went back")
}

// However an order was discounted and in whatever steps its money goes back, the credits go back with it, never more than were
// given, and all of them with the last penny.
func TestSharesOfADiscountedOrderComeToItsCredits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := sales.Order{Total: rapid.Int64Range(1, 1_000_000).Draw(t, "total")}
		o.Discount = rapid.Int64Range(0, o.Total-1).Draw(t, "discount")
		given := rapid.Int64Range(0, 100_000).Draw(t, "credits")
		var returned, taken int64
		for returned < o.Charged() {
			next := rapid.Int64Range(returned+1, o.Charged()).Draw(t, "returned")
			share := o.Share(given, returned, next)
			if share < 0 {
				t.Fatalf("%d credits come back when money does", share)
			}
			returned, taken = next, taken+share
			if taken > given*returned/o.Charged() {
				t.Fatalf("%d of %d credits for %d of %d", taken, given, returned, o.Charged())
			}
		}
		if taken != given {
			t.Fatalf("%d of %d credits went back with all of the money", taken, given)
		}
	})
}

// A code that is for once is not asked for a second time: the page that could refuse it is the provider's.
func TestAPageAsksForNoCodeWhileTheMemberHasUsedOneAsOftenAsTheyMay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Terms.PromotionCodes = true
	uid := newMember()
	for _, code := range []string{"promo_always", "promo_once"} {
		again := code == "promo_always"
		o := h.begins(t, request(uid, "tote", ""))
		require.True(t, h.provider.AsksForCodes(o.SessionID), code)
		h.provider.Redeem(o.SessionID, code, 100, map[bool]int64{false: 1}[again])
		h.provider.Pay(o.SessionID)
		done, err := h.CompleteCheckout(t.Context(), uid, o.ID)
		require.NoError(t, err)
		require.Equal(t, sales.Completed, done.State)
		next := h.begins(t, request(uid, "tote", ""))
		require.Equal(t, again, h.provider.AsksForCodes(next.SessionID), code)
	}
}
