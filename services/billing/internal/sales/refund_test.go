package sales_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

// spend holds and captures some of a member's credits.
func (h *harness) spend(t *testing.T, uid uuid.UUID, amount int64) {
	t.Helper()
	hold, _, err := h.store.Hold(t.Context(), credits.HoldRequest{UID: uid, Amount: amount, Key: uuid.NewString(), Reference: "meditation:x", TTL: time.Hour})
	require.NoError(t, err)
	require.NoError(t, h.store.Capture(t.Context(), hold.ID))
}

func TestARefundTakesBackWhatIsUnspentAndNeverMore(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "core", "month")
	pack := h.buys(t, uid, "pack-100", "")
	h.spend(t, uid, 20+30) // the plan's first
	require.Equal(t, credits.Balance{TopUpAvailable: 70}, h.account(t, uid).Balance)
	_, _, err := h.store.Hold(t.Context(), credits.HoldRequest{UID: uid, Amount: 10, Key: "open", Reference: "meditation:y", TTL: time.Hour})
	require.NoError(t, err)

	half := h.provider.GiveBack(pack.Payment, pack.Total/2, false)
	h.deliver(t, half, half)
	require.Equal(t, credits.Balance{TopUpAvailable: 11, Held: 10}, h.account(t, uid).Balance, "49 of 100 for 1149 of 2299")
	rest := h.provider.GiveBack(pack.Payment, pack.Total-pack.Total/2, false)
	h.deliver(t, rest, half, rest)
	require.Equal(t, credits.Balance{Held: 10}, h.account(t, uid).Balance, "what is held or spent is not taken, and nothing below zero")
	o := h.order(t, pack.ID)
	require.Equal(t, pack.Total, o.Refunded)
	require.Equal(t, sales.Completed, o.State)
	require.NoError(t, h.store.NoteGone(t.Context(), pack.ID, sales.Gone{Refunded: pack.Total}, sales.Refund, time.Time{})) // by who read the order before
	require.Equal(t, 2, h.told(t, "order.refunded"))
	entries, err := h.store.Entries(t.Context(), uid, credits.Top, 2)
	require.NoError(t, err)
	require.Equal(t, credits.Reversed, entries[0].Kind)
	require.Equal(t, int64(-11), entries[0].Change)
	require.Equal(t, int64(-49), entries[1].Change)
	require.Equal(t, "order:"+pack.ID.String(), entries[0].Reference)
	require.Zero(t, h.count(t, `SELECT sum(change)::int FROM legs`), "the book sums to zero")
}

func TestAMembershipsRefundTakesThePlansCreditsAndNoTopUps(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.buys(t, uid, "core", "month")
	h.buys(t, uid, "pack-20", "")
	h.spend(t, uid, 5)
	h.deliver(t, h.provider.GiveBack(o.Payment, o.Total, false))
	require.Equal(t, credits.Balance{TopUpAvailable: 20}, h.account(t, uid).Balance)
}

// What is held has begun to be spent: a refund takes none of it, and comes back for none of it.
func TestARefundLeavesWhatIsHeldAndAReleaseGivesItToTheMember(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	holds := func() credits.Hold {
		held, _, err := h.store.Hold(t.Context(), credits.HoldRequest{UID: uid, Amount: 2, Key: uuid.NewString(), Reference: "meditation:x", TTL: time.Hour})
		require.NoError(t, err)
		return held
	}
	o := h.buys(t, uid, "core", "month")
	h.spend(t, uid, 18)
	ofPlan := holds()
	pack := h.buys(t, uid, "pack-20", "")
	ofPack := holds()
	h.deliver(t, h.provider.GiveBack(pack.Payment, pack.Total, false))
	require.Equal(t, credits.Balance{Held: 4}, h.account(t, uid).Balance)
	require.NoError(t, h.store.Release(t.Context(), ofPack.ID))
	require.Equal(t, credits.Balance{TopUpAvailable: 2, Held: 2}, h.account(t, uid).Balance)
	h.deliver(t, h.provider.GiveBack(o.Payment, o.Total, false))
	require.NoError(t, h.store.Release(t.Context(), ofPlan.ID))
	require.Equal(t, credits.Balance{TopUpAvailable: 2}, h.account(t, uid).Balance, "plan credits end with the membership")
	require.Zero(t, h.count(t, `SELECT sum(change)::int FROM legs`))
}

func TestADisputeTakesBackAllAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "core", "month")
	o := h.buys(t, uid, "pack-20", "")
	h.deliver(t, h.provider.GiveBack(o.Payment, 0, true))
	require.Equal(t, o.Total, h.order(t, o.ID).Refunded)
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
}

// A refund may be told before the payment was: what was paid is given first, and then taken.
func TestARefundThatIsToldBeforeThePaymentComesToTheSame(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "core", "month")
	o := h.begins(t, request(uid, "pack-20", ""))
	paid := h.provider.Pay(o.SessionID)
	h.deliver(t, h.provider.GiveBack(paid.Payment, o.Total, false))
	h.deliver(t, h.provider.Told()...)
	o = h.order(t, o.ID)
	require.Equal(t, sales.Completed, o.State)
	require.Equal(t, o.Total, o.Refunded)
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
}

func TestARefundOfAnotherCurrencyIsNotBelieved(t *testing.T) {
	t.Parallel()
	h := setup(t)
	o := h.buys(t, newMember(), "tote", "")
	h.provider.ChangePayment(o.Payment, func(p *sales.Payment) { p.Currency, p.Refunded = "jpy", 100 })
	h.deliver(t, sales.Event{ID: "evt_refund", Type: "charge.refunded", Object: "charge", Payment: o.Payment})
	require.Zero(t, h.order(t, o.ID).Refunded)
	require.Positive(t, h.counts.mismatched)
}

// The mail service writes to the member from the event alone.
func TestARefundTellsWhatItWasOfAndWhy(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "core", "month")
	pack := h.buys(t, uid, "pack-20", "")
	h.deliver(t, h.provider.GiveBack(pack.Payment, 100, false))
	h.deliver(t, h.provider.GiveBack(pack.Payment, 0, true))
	told := payloads[*eventsv1.OrderRefunded](t, h, "order.refunded")
	require.Len(t, told, 2)
	want := &eventsv1.OrderRefunded{
		Uid: uid.String(), OrderId: pack.ID.String(), Number: pack.Number(), Amount: 100, Refunded: 100, Currency: "gbp", CreditsTaken: told[0].GetCreditsTaken(),
		Total: pack.Total, Reason: "refund",
		Lines: []*eventsv1.OrderLine{{
			ProductId: "pack-20", Name: pack.Lines[0].Name, Quantity: 1, UnitAmount: pack.Total, Currency: "gbp", Credits: 20, Kind: "credit_pack",
		}},
	}
	require.True(t, proto.Equal(want, told[0]), "%v", told[0])
	require.Equal(t, "dispute", told[1].GetReason(), "the bank took the rest")
	require.Equal(t, pack.Total-100, told[1].GetAmount())
}

// A18: when a membership's payment is returned in full, the membership ends and the provider charges it no more.
func TestAMembershipWhoseMoneyWentBackEndsHereAndAtTheProvider(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for name, disputed := range map[string]bool{"a refund": false, "a dispute": true} {
		uid := newMember()
		o := h.buys(t, uid, "core", "month")
		pack := h.buys(t, uid, "pack-20", "")
		ended := h.told(t, "subscription.cancelled")
		h.deliver(t, h.provider.GiveBack(pack.Payment, pack.Total, false), h.provider.GiveBack(o.Payment, 100, false))
		require.True(t, h.account(t, uid).Subscription.Active(h.clock()), "%s of something else or in part", name)
		require.False(t, h.provider.Ended(o.Subscription), name)

		h.provider.Fail("EndSubscription", providertest.Away, providertest.Lost)
		h.pass(time.Minute)
		rest := h.provider.GiveBack(o.Payment, o.Total-100, disputed)
		require.NoError(t, h.Receive(t.Context(), providertest.Payload(rest), providertest.Signature))
		require.NoError(t, h.Service.ApplyEvent(t.Context(), rest.ID))
		require.False(t, h.account(t, uid).Subscription.Active(h.clock()), "%s: here at once", name)
		require.Empty(t, h.account(t, uid).Subscription.Entitlements(h.clock()), name)
		h.work(t)
		h.deliver(t, rest)
		require.True(t, h.provider.Ended(o.Subscription), "%s: it is charged no more", name)
		require.Equal(t, ended+1, h.told(t, "subscription.cancelled"), name)
		require.Equal(t, "premium", h.order(t, h.buys(t, uid, "premium", "month").ID).Membership().ProductID, "another may be bought")
	}
}

func TestARefundEndsNoSubscriptionOfAnotherOrder(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	first := h.buys(t, uid, "core", "month")
	require.NoError(t, h.memberships.Cancel(t.Context(), uid, ""))
	h.pass(32 * 24 * time.Hour)
	require.NoError(t, h.memberships.SweepDue(t.Context()))
	h.work(t)
	second := h.buys(t, uid, "premium", "month")
	h.deliver(t, h.provider.GiveBack(first.Payment, first.Total, false))
	require.True(t, h.provider.Ended(first.Subscription))
	require.False(t, h.provider.Ended(second.Subscription))
	require.True(t, h.account(t, uid).Subscription.Active(h.clock()))
	require.True(t, h.account(t, uid).Subscription.Renews)
	require.Equal(t, 1, h.told(t, "subscription.cancelled"), "the first, by its member's wish")
	require.Equal(t, credits.Balance{PlanAvailable: 60}, h.account(t, uid).Balance)
}

// S6: a deleted account is charged no more, and what it pays at the last moment is returned.
func TestADeletedAccountEndsWhatItPaysFor(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	membership := h.buys(t, uid, "core", "month")
	sent := h.buys(t, uid, "tote", "")
	require.NotNil(t, h.order(t, sent.ID).Address)
	require.Equal(t, "visa", h.order(t, sent.ID).PaidBy.Brand)
	waiting := h.begins(t, request(uid, "tote", ""))
	h.provider.Fail("EndSubscription", providertest.Away, providertest.Lost)
	h.provider.Fail("ExpireSession", providertest.Away, providertest.Lost)
	h.provider.Fail("DeleteCustomer", providertest.Away, providertest.Lost)
	require.True(t, h.provider.Knows(uid.String()))
	h.departs(t, uid)
	require.Nil(t, h.order(t, sent.ID).Address, "at once")
	require.Zero(t, h.order(t, sent.ID).PaidBy)
	h.work(t)
	require.True(t, h.provider.Ended(membership.Subscription))
	require.Equal(t, sales.Closed, h.order(t, waiting.ID).State)
	require.Equal(t, sales.SessionExpired, h.provider.Pay(waiting.SessionID).State)
	require.False(t, h.account(t, uid).Subscription.Active(h.clock().Add(time.Second)))
	require.Zero(t, h.count(t, `SELECT count(*) FROM customers`))
	require.False(t, h.provider.Knows(uid.String()), "the provider forgets them too")
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM departures WHERE done_at IS NOT NULL`))
	require.Equal(t, membership.Total, h.order(t, membership.ID).Total, "the books stay")
	_, err := h.Start(t.Context(), request(uid, "tote", ""))
	requireReason(t, err, "UNAUTHENTICATED")
	h.deliver(t, h.provider.Told()...)
	require.Zero(t, h.provider.Refunded(membership.Payment), "what was given is not returned")
}

// S6: what waits for somebody to look at it must not charge a deleted account meanwhile. The order waits on.
func TestADeletedAccountIsNotChargedForWhatWasNotPaidAsItWasOrdered(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.begins(t, request(uid, "core", "month"))
	paid := h.provider.Pay(o.SessionID)
	h.provider.Change(o.SessionID, func(s *sales.Session) { s.Amount-- })
	other := h.begins(t, request(newMember(), "core", "month"))
	theirs := h.provider.Pay(other.SessionID)
	h.deliver(t, h.provider.Told()...)
	h.departs(t, uid)
	h.provider.Fail("EndSubscription", providertest.Away, providertest.Lost)
	for range 3 {
		require.Error(t, h.Service.EndAccount(t.Context(), uid), "it is not over")
	}
	require.True(t, h.provider.Ended(paid.Subscription))
	require.False(t, h.provider.Ended(theirs.Subscription))
	require.Equal(t, sales.Open, h.order(t, o.ID).State)
	require.True(t, h.provider.Knows(uid.String()), "until somebody has looked")
}

// The answer to the customer's making was lost, and nobody asked again.
func TestACustomerWhoseMakingNobodyHeardOfIsForgottenWithTheAccount(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.provider.Fail("CreateCustomer", providertest.Lost)
	_, err := h.Start(t.Context(), request(uid, "tote", ""))
	requireReason(t, err, "PAYMENT_PROVIDER_UNAVAILABLE")
	require.True(t, h.provider.Knows(uid.String()))
	h.departs(t, uid)
	h.pass(25 * time.Hour) // until no page can be found for the order
	h.work(t)
	require.False(t, h.provider.Knows(uid.String()))
}

func TestWhatADeletedAccountPaidAtTheLastMomentIsReturned(t *testing.T) {
	t.Parallel()
	for name, thing := range map[string][]string{"a membership": {"core", "month"}, "a thing": {"tee", "S"}} {
		for when, deliver := range map[string]func(h *harness, uid uuid.UUID){
			"the webhook first":  func(h *harness, uid uuid.UUID) { h.departs(t, uid); h.deliver(t, h.provider.Told()...) },
			"the deletion first": func(h *harness, uid uuid.UUID) { h.departs(t, uid); h.work(t); h.deliver(t, h.provider.Told()...) },
		} {
			h := setup(t)
			uid := newMember()
			o := h.begins(t, request(uid, thing...))
			paid := h.provider.Pay(o.SessionID)
			h.provider.Fail("Refund", providertest.Away, providertest.Lost)
			deliver(h, uid)
			o = h.order(t, o.ID)
			require.Equal(t, sales.Refunding, o.State, name, when)
			require.Equal(t, o.Total, o.Refunded, name, when)
			require.Nil(t, o.Address)
			require.Zero(t, o.PaidBy)
			require.Equal(t, paid.Amount, h.provider.Refunded(paid.Payment))
			if paid.Subscription != "" {
				require.True(t, h.provider.Ended(paid.Subscription))
			}
			require.Zero(t, h.account(t, uid).Balance)
			require.Zero(t, h.told(t, "order.completed"))
			require.Equal(t, 1, h.told(t, "order.refunded"))
			require.Equal(t, "account_deleted", payloads[*eventsv1.OrderRefunded](t, h, "order.refunded")[0].GetReason())
		}
	}
}

// An operator may look at what is wrong for weeks: a payment that went back by hand meanwhile is not sent twice.
func TestAPaymentIsReturnedOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.begins(t, request(uid, "tote", ""))
	paid := h.provider.Pay(o.SessionID)
	h.departs(t, uid)
	require.NoError(t, h.hear(t.Context(), h.provider.Told()))
	h.provider.GiveBack(paid.Payment, o.Total, false)
	h.work(t)
	require.NoError(t, h.Service.ReturnPayment(context.WithoutCancel(t.Context()), o.ID))
	require.Equal(t, o.Total, h.provider.Refunded(paid.Payment))
	require.Zero(t, h.provider.Calls("Refund"))
	require.Equal(t, o.Total, h.order(t, o.ID).Refunded)
}
