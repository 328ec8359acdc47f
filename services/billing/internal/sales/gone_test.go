package sales_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
)

// A dispute's state says what it takes, and nothing else does.
func TestADisputeTakesWhatWasWithdrawnUntilItIsWon(t *testing.T) {
	t.Parallel()
	for status, takes := range map[sales.DisputeStatus]int64{
		sales.InquiryNeedsResponse: 0, sales.InquiryUnderReview: 0, sales.InquiryClosed: 0, sales.DisputeWon: 0, sales.DisputePrevented: 300,
		sales.DisputeNeedsResponse: 300, sales.DisputeUnderReview: 300, sales.DisputeLost: 300, "a word of tomorrow": 0,
	} {
		require.Equal(t, takes, sales.Dispute{Status: status, Amount: 300, Withdrawn: true}.Takes(), status)
		require.Zero(t, sales.Dispute{Status: status, Amount: 300}.Takes(), "%s, and the money is ours", status)
		require.Equal(t, status != "a word of tomorrow", sales.Dispute{Status: status}.Known(), status)
	}
}

func TestARefundTakesItsAmountUntilItHasFailed(t *testing.T) {
	t.Parallel()
	for status, takes := range map[sales.RepaymentStatus]int64{
		sales.RepaymentPending: 300, sales.RepaymentWaits: 300, sales.RepaymentSucceeded: 300, sales.RepaymentFailed: 0, sales.RepaymentCanceled: 0,
		"a word of tomorrow": 0, "": 0,
	} {
		require.Equal(t, takes, sales.Repayment{Status: status, Amount: 300}.Takes(), status)
		require.Equal(t, status != "a word of tomorrow" && status != "", sales.Repayment{Status: status}.Known(), status)
	}
}

// If the provider sends a status that billing does not know, billing keeps the amounts it has stored and publishes no event.
func TestAnUnknownRefundStatusChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "core", "month")
	for _, disputed := range []bool{false, true} {
		pack := h.buys(t, uid, "pack-20", "")
		h.deliver(t, h.provider.GiveBack(pack.Payment, 300, disputed))
		before, noted := h.account(t, uid).Balance, h.order(t, pack.ID)
		h.provider.ChangePayment(pack.Payment, func(p *sales.Payment) {
			p.Refunded, p.StrangeRefunds = 0, []string{"a word of tomorrow"}
			if disputed {
				p.StrangeRefunds, p.Disputes[0].Status = nil, "a word of tomorrow"
			}
		})
		h.deliver(t, h.provider.GiveBack(pack.Payment, 0, false)) // billing receives the provider's event
		require.Equal(t, before, h.account(t, uid).Balance)
		require.Equal(t, noted, h.order(t, pack.ID))
	}
	require.Zero(t, h.told(t, "order.restored"))
}

func TestWhatHasGoneOfAPaymentIsNeverMoreThanWasPaid(t *testing.T) {
	t.Parallel()
	dispute := func(amount int64) sales.Dispute {
		return sales.Dispute{Status: sales.DisputeLost, Amount: amount, Withdrawn: true}
	}
	for _, one := range []struct {
		refunded int64
		disputes []sales.Dispute
		want     sales.Gone
	}{
		{0, nil, sales.Gone{}},
		{200, nil, sales.Gone{Refunded: 200}},
		{200, []sales.Dispute{dispute(799)}, sales.Gone{Refunded: 200, Disputed: 599}},
		{799, []sales.Dispute{dispute(799)}, sales.Gone{Refunded: 799}},
		{0, []sales.Dispute{dispute(300), dispute(300)}, sales.Gone{Disputed: 600}},
		{900, nil, sales.Gone{Refunded: 799}},
	} {
		require.Equal(t, one.want, sales.Payment{Amount: 799, Refunded: one.refunded, Disputes: one.disputes}.Gone())
	}
}

// H1: a bank that only asks has taken nothing, though the provider calls the charge disputed.
func TestAnInquiryChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.buys(t, uid, "core", "month")
	before := h.account(t, uid)
	h.deliver(t, h.provider.Inquire(o.Payment))
	for _, status := range []sales.DisputeStatus{sales.InquiryUnderReview, sales.InquiryClosed} {
		h.deliver(t, h.provider.Decide(o.Payment, status))
	}
	require.Equal(t, before, h.account(t, uid))
	require.Zero(t, h.order(t, o.ID).Refunded)
	require.False(t, h.provider.Ended(o.Subscription))
	require.Zero(t, h.told(t, "order.refunded"))
	require.Zero(t, h.told(t, "subscription.cancelled"))
}

func TestAWonDisputeGivesBackWhatItTook(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.buys(t, uid, "core", "month")
	pack := h.buys(t, uid, "pack-20", "")
	ends := h.account(t, uid).Subscription.EndsAt
	h.spend(t, uid, 5)
	h.pass(time.Minute)
	h.deliver(t, h.provider.GiveBack(o.Payment, 0, true), h.provider.GiveBack(pack.Payment, 0, true))
	require.Equal(t, credits.Balance{}, h.account(t, uid).Balance)
	require.Equal(t, o.Total, h.order(t, o.ID).Disputed, "the order says so")
	require.False(t, h.account(t, uid).Subscription.Active(h.clock()))

	won := h.provider.Decide(pack.Payment, sales.DisputeWon)
	h.deliver(t, won, won, h.provider.Decide(o.Payment, sales.DisputeWon))
	a := h.account(t, uid)
	require.Equal(t, credits.Balance{PlanAvailable: 15, TopUpAvailable: 20}, a.Balance, "what was unspent, once")
	require.Equal(t, plans.Cancelling, a.Subscription.Status(h.clock()), "open again, and charged no more")
	require.Equal(t, ends, a.Subscription.EndsAt, "for all of what it had paid for")
	for _, id := range []uuid.UUID{o.ID, pack.ID} {
		require.Zero(t, h.order(t, id).Refunded)
		require.Zero(t, h.order(t, id).Disputed)
	}
	told := payloads[*eventsv1.OrderRestored](t, h, "order.restored")
	require.Len(t, told, 2)
	require.Equal(t, "dispute_won", told[1].GetReason())
	require.Equal(t, int64(15), told[1].GetCreditsGiven())
	require.Equal(t, ends, told[1].GetAccessUntil().AsTime())
	require.Nil(t, told[0].GetAccessUntil())
	require.Zero(t, h.count(t, `SELECT sum(change)::int FROM legs`), "the book sums to zero")

	_, err := h.memberships.Settle(t.Context(), o.Subscription)
	require.NoError(t, err)
	require.True(t, h.account(t, uid).Subscription.Active(h.clock()), "though it has ended at the provider")
	h.pass(ends.Sub(h.clock()))
	require.NoError(t, h.memberships.SweepDue(t.Context()))
	h.work(t)
	require.Equal(t, credits.Balance{TopUpAvailable: 20}, h.account(t, uid).Balance, "it ends with its period")
	require.Equal(t, plans.Ended, h.account(t, uid).Subscription.Status(h.clock()))
}

func TestALostDisputeTakesNothingFurther(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.buys(t, uid, "core", "month")
	h.deliver(t, h.provider.GiveBack(o.Payment, 0, true), h.provider.Decide(o.Payment, sales.DisputeLost))
	require.Equal(t, o.Total, h.order(t, o.ID).Disputed)
	require.Equal(t, 1, h.told(t, "order.refunded"))
	require.Zero(t, h.told(t, "order.restored"))
}

func TestADisputeOfAPartTakesThatPart(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.buys(t, uid, "core", "month")
	h.deliver(t, h.provider.GiveBack(o.Payment, 400, true))
	a := h.account(t, uid)
	require.True(t, a.Subscription.Active(h.clock()))
	require.False(t, h.provider.Ended(o.Subscription))
	require.Equal(t, credits.Balance{PlanAvailable: 20 - 20*400/799}, a.Balance)
	require.Equal(t, int64(400), h.order(t, o.ID).Disputed)
}

// Another membership was bought meanwhile: what the first had of credits comes back as what never ends.
func TestAWonDisputeOpensNothingBesideAnotherMembership(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.buys(t, uid, "core", "month")
	h.deliver(t, h.provider.GiveBack(o.Payment, 0, true))
	h.pass(time.Minute)
	h.buys(t, uid, "premium", "month")
	h.deliver(t, h.provider.Decide(o.Payment, sales.DisputeWon))
	a := h.account(t, uid)
	require.Equal(t, "premium", a.Subscription.PlanID)
	require.Equal(t, credits.Balance{PlanAvailable: 60, TopUpAvailable: 20}, a.Balance)
}

// M9: money that did not reach the member is ours again, and they are told; when it is sent again they are told again.
func TestARefundThatFailsIsUndoneAndTold(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.buys(t, uid, "core", "month")
	pack := h.buys(t, uid, "pack-20", "")
	all := h.account(t, uid).Balance
	for i := range 2 {
		h.deliver(t, h.provider.GiveBack(pack.Payment, pack.Total, false))
		require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance)
		h.deliver(t, h.provider.FailRefund(pack.Payment, pack.Total))
		require.Equal(t, all, h.account(t, uid).Balance)
		require.Zero(t, h.order(t, pack.ID).Refunded)
		require.Equal(t, i+1, h.told(t, "order.restored"))
	}
	told := payloads[*eventsv1.OrderRestored](t, h, "order.restored")
	want := &eventsv1.OrderRestored{
		Uid: uid.String(), OrderId: pack.ID.String(), Number: pack.Number(), Amount: pack.Total, Currency: "gbp", CreditsGiven: 20, Total: pack.Total,
		Reason: "refund_failed", Restored: 1, Lines: told[0].GetLines(),
	}
	require.True(t, proto.Equal(want, told[0]), "%v", told[0])
	refunds := payloads[*eventsv1.OrderRefunded](t, h, "order.refunded")
	require.Equal(t, []int32{0, 1}, []int32{refunds[0].GetRestored(), refunds[1].GetRestored()}, "by which two letters are told apart")
	h.deliver(t, h.provider.GiveBack(pack.Payment, pack.Total, false))
	require.Equal(t, credits.Balance{PlanAvailable: 20}, h.account(t, uid).Balance, "sent once more")
}

// H3: a payment that fails days after its checkout leaves no order that waits for ever.
func TestAPaymentThatFailsDaysLaterClosesItsOrder(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.begins(t, request(uid, "tote", ""))
	h.provider.PayLater(o.SessionID)
	h.deliver(t, h.provider.Told()...)
	require.Equal(t, sales.Processing, h.order(t, o.ID).State)
	h.pass(5 * 24 * time.Hour)
	h.deliver(t, h.provider.Arrive(o.SessionID, false))
	require.Equal(t, sales.Closed, h.order(t, o.ID).State)
	unpaid := payloads[*eventsv1.OrderUnpaid](t, h, "order.unpaid")
	require.Len(t, unpaid, 1)
	require.Equal(t, o.Number(), unpaid[0].GetNumber())
	require.Equal(t, o.Total, unpaid[0].GetTotal())
	require.Len(t, unpaid[0].GetLines(), 1)
	h.departs(t, uid)
	h.work(t)
	require.False(t, h.provider.Knows(uid.String()), "the account's customer can go")
}

// A debit that fails days later would leave a subscription that nobody has paid for, and each renewal by one would count as failed first.
func TestAMembershipIsPaidByCardWhateverElseIsTaken(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Terms.PaymentMethods = []string{"card", "bacs_debit"}
	require.Equal(t, []string{"card", "bacs_debit"}, h.provider.Methods(h.begins(t, request(newMember(), "tote", "")).SessionID))
	require.Equal(t, []string{"card"}, h.provider.Methods(h.begins(t, request(newMember(), "core", "month")).SessionID))
}

func TestAPaymentThatComesDaysLaterIsGiven(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.begins(t, request(uid, "tote", ""))
	h.provider.PayLater(o.SessionID)
	h.deliver(t, h.provider.Told()...)
	h.pass(5 * 24 * time.Hour)
	h.deliver(t, h.provider.Arrive(o.SessionID, true))
	require.Equal(t, sales.Completed, h.order(t, o.ID).State)
}

func TestAPaymentIsOnItsWayForTenDaysAtMost(t *testing.T) {
	t.Parallel()
	h := setup(t)
	o := h.begins(t, request(newMember(), "tote", ""))
	h.provider.PayLater(o.SessionID)
	h.deliver(t, h.provider.Told()...)
	h.pass(10*24*time.Hour - time.Minute)
	require.NoError(t, h.PollPendingOrders(t.Context()))
	require.Equal(t, sales.Processing, h.order(t, o.ID).State)
	h.pass(10 * time.Minute)
	require.NoError(t, h.PollPendingOrders(t.Context()))
	require.Equal(t, sales.Closed, h.order(t, o.ID).State)

	h.deliver(t, h.provider.Arrive(o.SessionID, true))
	require.Equal(t, sales.Completed, h.order(t, o.ID).State, "money that comes all the same is given")
}
