package sales_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/postgres"
)

// joins is a new member of a mailbox of their own, by an invitation or uuid.Nil.
func (h *harness) joins(tb testing.TB, invitedBy uuid.UUID) uuid.UUID {
	tb.Helper()
	uid := newMember()
	h.joinsAs(tb, uid, append(bytes.Repeat([]byte{1}, 16), uid[:]...), invitedBy)
	return uid
}

func (h *harness) joinsAs(tb testing.TB, uid uuid.UUID, mailbox []byte, invitedBy uuid.UUID) {
	tb.Helper()
	require.NoError(tb, postgres.InTx(tb.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return h.store.StartTrial(ctx, tx, uid, mailbox, invitedBy)
	}))
}

// trialDays are those of a member's trial.
func (h *harness) trialDays(tb testing.TB, uid uuid.UUID) int {
	tb.Helper()
	sub := h.account(tb, uid).Subscription
	return int(sub.EndsAt.Sub(sub.StartsAt) / (24 * time.Hour))
}

func (h *harness) topUps(tb testing.TB, uid uuid.UUID) int64 {
	tb.Helper()
	return h.account(tb, uid).Balance.TopUpAvailable
}

func (h *harness) referrals(tb testing.TB, uid uuid.UUID) credits.Referrals {
	tb.Helper()
	r, err := h.store.Referrals(tb.Context(), uid)
	require.NoError(tb, err)
	return r
}

func TestWhoComesByAnInvitationHasTheLongerTrial(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := h.joins(t, member)
	require.Equal(t, 7, h.trialDays(t, member))
	require.Equal(t, 14, h.trialDays(t, friend))
	told := payloads[*eventsv1.TrialStarted](t, h, "trial.started")
	require.False(t, told[0].GetInvited())
	require.True(t, told[1].GetInvited())
	require.Equal(t, credits.Referrals{Invited: 1}, h.referrals(t, member))
	require.Equal(t, 7, h.trialDays(t, h.joins(t, newMember())), "nobody whom billing knows")
	h.departs(t, member)
	require.Equal(t, 7, h.trialDays(t, h.joins(t, member)), "nor who has gone")
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM referrals`))
}

func TestAnInvitationOfOnesOwnIsTheUsualTrial(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	h.joinsAs(t, uid, bytes.Repeat([]byte{7}, 32), uid)
	require.Equal(t, 7, h.trialDays(t, uid))
	again := newMember()
	h.joinsAs(t, again, bytes.Repeat([]byte{7}, 32), uid)
	require.Zero(t, h.account(t, again).Balance, "a mailbox has one trial, no matter which member invites it")
	require.Zero(t, h.count(t, `SELECT count(*) FROM referrals`))
}

func TestTheFirstMembershipAFriendPaysForRewardsBothOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := h.joins(t, member)
	require.Zero(t, h.topUps(t, friend)+h.topUps(t, member), "joining alone is worth nothing")
	o := h.buys(t, friend, "core", "month")
	require.EqualValues(t, 5, h.topUps(t, friend))
	require.EqualValues(t, 5, h.topUps(t, member))
	require.Equal(t, credits.Referrals{Invited: 1, Rewarded: 1, Credits: 5}, h.referrals(t, member))
	want := []*eventsv1.ReferralRewarded{
		{Uid: friend.String(), Credits: 5, Friend: true}, {Uid: member.String(), Credits: 5},
	}
	for i, told := range payloads[*eventsv1.ReferralRewarded](t, h, "referral.rewarded") {
		require.True(t, proto.Equal(want[i], told), told)
	}
	entries, err := h.store.Entries(t.Context(), member, credits.Top, 1)
	require.NoError(t, err)
	require.Equal(t, credits.ReferrerCause(friend), entries[0].Cause)
	require.Equal(t, "referral", entries[0].Of())
	require.Empty(t, entries[0].Reference, "what the friend ordered is the friend's own business")

	h.pass(60 * 24 * time.Hour)
	h.buys(t, friend, "premium", "month")
	h.buys(t, friend, "pack-20", "")
	require.EqualValues(t, 25, h.topUps(t, friend), "a friend brings one reward for ever")
	require.EqualValues(t, 5, h.topUps(t, member))
	require.Equal(t, 2, h.told(t, "referral.rewarded"))
	require.NotZero(t, o.Total)
}

func TestNothingIsRewardedUntilMoneyHasCome(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := h.joins(t, member)
	free := h.begins(t, request(friend, "core", "month"))
	h.provider.Discount(free.SessionID, free.Total)
	h.provider.Pay(free.SessionID)
	free, err := h.CompleteCheckout(t.Context(), friend, free.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Completed, free.State)
	require.Zero(t, free.Charged())
	require.Zero(t, h.topUps(t, friend)+h.topUps(t, member), "the membership was free")
	h.pass(60 * 24 * time.Hour)
	h.buys(t, friend, "core", "month")
	require.EqualValues(t, 5, h.topUps(t, friend))
	require.EqualValues(t, 5, h.topUps(t, member))
}

func TestNobodyIsRewardedForOneselfByTheirMailbox(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := h.joins(t, member)
	// Identity's key of an address changes with its secret: by then the two are seen to be one.
	_, err := h.Pool.Exec(t.Context(), `DELETE FROM mailboxes WHERE uid = $1`, friend)
	require.NoError(t, err)
	_, err = h.Pool.Exec(t.Context(), `INSERT INTO mailboxes SELECT $1, mailbox_key FROM mailboxes WHERE uid = $2`, friend, member)
	require.NoError(t, err)
	h.buys(t, friend, "core", "month")
	require.Zero(t, h.topUps(t, friend)+h.topUps(t, member))
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM referrals WHERE refused = 'mailbox'`))
}

func TestNobodyIsRewardedForOneselfByTheirCard(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	h.provider.PayBy(member.String(), "gold")
	h.buys(t, member, "core", "month")
	friend := h.joins(t, member)
	h.provider.PayBy(friend.String(), "gold")
	h.buys(t, friend, "core", "month")
	require.Zero(t, h.topUps(t, friend)+h.topUps(t, member))
	h.pass(60 * 24 * time.Hour)
	h.provider.PayBy(friend.String(), "silver")
	h.buys(t, friend, "core", "month")
	require.Zero(t, h.topUps(t, friend)+h.topUps(t, member), "another card does not change who it was")
	require.Zero(t, h.referrals(t, member).Rewarded)
	require.Zero(t, h.count(t, `SELECT count(*) FROM cards WHERE encode(card, 'escape') LIKE '%gold%'`), "what the provider says of a card is not kept")
}

func TestARewardIsTakenBackByTheWholeRefundOfThatOrderAlone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := h.joins(t, member)
	o := h.buys(t, friend, "core", "month")
	pack := h.buys(t, friend, "pack-20", "")
	h.deliver(t, h.provider.GiveBack(pack.Payment, pack.Total, false))
	h.deliver(t, h.provider.GiveBack(o.Payment, o.Total-1, false))
	require.EqualValues(t, 5, h.topUps(t, friend), "a part is not the whole, and a pack is not the membership")
	require.EqualValues(t, 5, h.topUps(t, member))
	h.spend(t, member, 8+3) // of the trial's first
	last := h.provider.GiveBack(o.Payment, 1, false)
	h.deliver(t, last, last)
	require.Zero(t, h.topUps(t, friend))
	require.Zero(t, h.topUps(t, member), "what was spent stays spent, and nothing falls below zero")
	require.Equal(t, credits.Referrals{Invited: 1, Credits: 3}, h.referrals(t, member))
	told := payloads[*eventsv1.ReferralTakenBack](t, h, "referral.taken_back")
	require.Len(t, told, 2)
	require.EqualValues(t, 5, told[0].GetCredits())
	require.EqualValues(t, 2, told[1].GetCredits())
	require.Equal(t, member.String(), told[1].GetUid())
	require.Zero(t, h.count(t, `SELECT sum(change)::int FROM legs`))

	h.pass(time.Hour)
	h.buys(t, friend, "core", "month")
	require.Zero(t, h.topUps(t, friend)+h.topUps(t, member), "who buys again is no new friend")
	require.Equal(t, 2, h.told(t, "referral.rewarded"))
}

func TestBothAreToldOfARewardThatIsTakenBackWhereNothingIsLeftOfIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := h.joins(t, member)
	o := h.buys(t, friend, "core", "month")
	h.spend(t, member, 8+5)
	h.spend(t, friend, 20+5)
	last := h.provider.GiveBack(o.Payment, o.Total, false)
	h.deliver(t, last, last)
	told := payloads[*eventsv1.ReferralTakenBack](t, h, "referral.taken_back")
	require.Len(t, told, 2, "each once")
	for i, uid := range []uuid.UUID{friend, member} {
		require.Equal(t, uid.String(), told[i].GetUid())
		require.Zero(t, told[i].GetCredits())
		entries, err := h.store.Entries(t.Context(), uid, credits.Top, 1)
		require.NoError(t, err)
		require.Equal(t, credits.Kind("reward_taken_back"), entries[0].Kind)
		require.Equal(t, credits.TopUpPool, entries[0].Pool)
		require.Empty(t, entries[0].Of(), "the entry does not name the friend")
		require.Empty(t, entries[0].Reference)
	}
	require.Equal(t, credits.Referrals{Invited: 1, Credits: 5}, h.referrals(t, member))
}

func TestWhoWasNotRewardedIsToldOfNothingThatIsTakenBack(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	var o sales.Order
	for range credits.RewardsAMonth + 1 {
		o = h.buys(t, h.joins(t, member), "core", "month")
	}
	h.deliver(t, h.provider.GiveBack(o.Payment, o.Total, false))
	require.Equal(t, 1, h.told(t, "referral.taken_back"), "the friend alone had one")
	require.Zero(t, h.count(t, `SELECT count(*) FROM notes WHERE uid = $1`, member))
	require.EqualValues(t, 5*credits.RewardsAMonth, h.topUps(t, member))
}

func TestADisputeTakesNoRewardAndAFullRefundThatCameBeforeItDoes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	disputed, both := h.joins(t, member), h.joins(t, member)
	o, refunded := h.buys(t, disputed, "core", "month"), h.buys(t, both, "core", "month")
	h.deliver(t, h.provider.GiveBack(o.Payment, 100, false))
	h.deliver(t, h.provider.GiveBack(o.Payment, 0, true))
	require.Equal(t, o.Total, h.order(t, o.ID).Refunded)
	require.EqualValues(t, 5, h.topUps(t, disputed))
	require.EqualValues(t, 10, h.topUps(t, member))
	require.Zero(t, h.told(t, "referral.taken_back"))
	require.Equal(t, credits.Referrals{Invited: 2, Rewarded: 2, Credits: 10}, h.referrals(t, member))

	h.provider.GiveBack(refunded.Payment, refunded.Total, false) // nobody hears of it before the bank's word
	h.deliver(t, h.provider.GiveBack(refunded.Payment, 0, true))
	require.Zero(t, h.topUps(t, both))
	require.EqualValues(t, 5, h.topUps(t, member))
	told := payloads[*eventsv1.OrderRefunded](t, h, "order.refunded")
	require.Equal(t, []string{"refund", "dispute", "refund"}, []string{told[0].GetReason(), told[1].GetReason(), told[2].GetReason()})
}

func TestWhoHasGoneIsRewardedNothingAndTheOtherKeepsTheirs(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	first, second, third := h.joins(t, member), h.joins(t, member), h.joins(t, member)
	h.buys(t, first, "core", "month")
	h.departs(t, first)
	require.EqualValues(t, 5, h.topUps(t, member), "a friend's leaving takes nothing")
	o := h.begins(t, request(second, "core", "month"))
	h.departs(t, second)
	h.provider.Pay(o.SessionID)
	h.deliver(t, h.provider.Told()...)
	require.Equal(t, sales.Refunding, h.order(t, o.ID).State)
	require.EqualValues(t, 5, h.topUps(t, member))

	h.departs(t, member)
	_, err := h.Pool.Exec(t.Context(), `DELETE FROM departed`) // as it is removed after months
	require.NoError(t, err)
	h.buys(t, third, "core", "month")
	require.EqualValues(t, 5, h.topUps(t, third))
	require.EqualValues(t, 5, h.topUps(t, member))
	require.Zero(t, h.count(t, `SELECT count(*) FROM cards WHERE uid = ANY($1)`, []uuid.UUID{member, first}))
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM mailboxes`), "by what a person can be told goes with them")
}

func TestARefundAfterAFriendHasGoneTakesFromTheOther(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := h.joins(t, member)
	o := h.buys(t, friend, "core", "month")
	h.departs(t, friend)
	h.deliver(t, h.provider.GiveBack(o.Payment, o.Total, false))
	require.Zero(t, h.topUps(t, member))
	require.Equal(t, 1, h.told(t, "referral.taken_back"), "nobody writes to who has gone")
}

func TestAnInvitationThatIsToldAfterThePaymentRewardsAllTheSame(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := newMember()
	h.buys(t, friend, "core", "month")
	require.Zero(t, h.topUps(t, member))
	for range 2 {
		h.joinsAs(t, friend, bytes.Repeat([]byte{9}, 32), member)
	}
	require.EqualValues(t, 5, h.topUps(t, friend))
	require.EqualValues(t, 5, h.topUps(t, member))
	require.Equal(t, credits.Balance{PlanAvailable: 20, TopUpAvailable: 5}, h.account(t, friend).Balance)
}

func TestAnInvitationThatIsToldAfterTheMoneyWentBackRewardsNobody(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := newMember()
	o := h.buys(t, friend, "core", "month")
	h.deliver(t, h.provider.GiveBack(o.Payment, o.Total, false))
	h.joinsAs(t, friend, bytes.Repeat([]byte{9}, 32), member)
	require.Zero(t, h.topUps(t, friend)+h.topUps(t, member))
	require.Zero(t, h.told(t, "referral.rewarded"))
}

func TestTheRefundOfALaterMembershipLeavesTheReward(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := h.joins(t, member)
	h.buys(t, friend, "core", "month")
	h.pass(60 * 24 * time.Hour)
	later := h.buys(t, friend, "premium", "month")
	h.deliver(t, h.provider.GiveBack(later.Payment, later.Total, false))
	require.EqualValues(t, 5, h.topUps(t, friend))
	require.EqualValues(t, 5, h.topUps(t, member))
	require.Zero(t, h.told(t, "referral.taken_back"))
}

func TestAMemberHasTwentyRewardsAMonthAndTheFriendsHaveTheirs(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	var last uuid.UUID
	var o sales.Order
	for n := range credits.RewardsAMonth + 1 {
		last = h.joins(t, member)
		if bought := h.buys(t, last, "core", "month"); n == 0 {
			o = bought
		}
	}
	require.EqualValues(t, 5*credits.RewardsAMonth, h.topUps(t, member))
	require.EqualValues(t, 5, h.topUps(t, last))
	h.deliver(t, h.provider.GiveBack(o.Payment, o.Total, false))
	h.buys(t, h.joins(t, member), "core", "month")
	require.EqualValues(t, 5*credits.RewardsAMonth-5, h.topUps(t, member), "what was taken back was had, and makes no room")
	h.pass(credits.Month)
	h.buys(t, h.joins(t, member), "core", "month")
	require.EqualValues(t, 5*credits.RewardsAMonth, h.topUps(t, member))
}

// By webhook and reading back, of friends of one member and of friends of friends, all at once.
func TestRewardsAtOnceAreGivenOnceEachAndHoldNobodyUp(t *testing.T) {
	t.Parallel()
	h := setup(t)
	members := []uuid.UUID{h.joins(t, uuid.Nil)}
	for i := range 9 {
		members = append(members, h.joins(t, members[i/2])) // a tree: most are friends and have friends
	}
	orders := make([]sales.Order, len(members))
	for i, uid := range members {
		orders[i] = h.begins(t, request(uid, "core", "month"))
		h.provider.Pay(orders[i].SessionID)
	}
	var all errgroup.Group
	for i, uid := range members {
		for range 2 {
			all.Go(func() error {
				_, err := h.CompleteCheckout(t.Context(), uid, orders[i].ID)
				return err
			})
		}
	}
	require.NoError(t, all.Wait())
	require.Equal(t, 2*9, h.told(t, "referral.rewarded"))
	friends := map[uuid.UUID]int64{}
	for i := range 9 {
		friends[members[i/2]]++
	}
	for i, uid := range members {
		want := 5 * friends[uid]
		if i > 0 {
			want += 5
		}
		require.Equal(t, want, h.topUps(t, uid), i)
	}
}

func TestARefundAtOnceWithAnotherFriendsRewardKeepsTheBooks(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	var all errgroup.Group
	for range 4 {
		refunded, bought := h.joins(t, member), h.joins(t, member)
		o, paid := h.buys(t, refunded, "core", "month"), h.begins(t, request(bought, "core", "month"))
		h.provider.Pay(paid.SessionID)
		all.Go(func() error {
			return h.store.NoteGone(t.Context(), o.ID, sales.Gone{Refunded: o.Total}, sales.Refund, time.Time{})
		})
		all.Go(func() error {
			_, err := h.CompleteCheckout(t.Context(), bought, paid.ID)
			return err
		})
	}
	require.NoError(t, all.Wait())
	require.EqualValues(t, 4*5, h.topUps(t, member))
	require.Equal(t, credits.Referrals{Invited: 8, Rewarded: 4, Credits: 20}, h.referrals(t, member))
	require.Zero(t, h.count(t, `SELECT sum(change)::int FROM legs`))
}

func TestAMembershipIsGivenOnceTheProviderSaysWhoseCardItWas(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.begins(t, request(uid, "core", "month"))
	h.provider.Pay(o.SessionID)
	h.provider.Fail("Payment", providertest.Away)
	_, err := h.CompleteCheckout(t.Context(), uid, o.ID)
	require.Error(t, err)
	o, err = h.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	require.Equal(t, sales.Completed, o.State)
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM cards WHERE uid = $1`, uid))
}
