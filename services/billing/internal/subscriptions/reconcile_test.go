package subscriptions_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/postgres"
)

// S2: whatever event was lost, the provider's list brings billing and the provider to the same state, and billing alerts the operator.
func TestADifferenceThatNothingElseHasMendedIsMendedAndTold(t *testing.T) {
	t.Parallel()
	h := setup(t)
	var uids []uuid.UUID
	var subs []string
	for range 5 {
		uid, sub := h.member(t)
		uids, subs = append(uids, uid), append(subs, sub)
	}
	require.NoError(t, h.Reconcile(t.Context()))
	require.Zero(t, h.mended, "nothing differs")
	h.pass(time.Hour)
	_, err := h.provider.CancelAtPeriodEnd(t.Context(), "", subs[1], true, "")
	require.NoError(t, err)
	require.NoError(t, h.provider.EndSubscription(t.Context(), "", subs[4]))
	items, err := h.store.Items(t.Context())
	require.NoError(t, err)
	for _, item := range items {
		if item.ProductID == "premium" {
			_, err = h.provider.ChangePrice(t.Context(), "k", subs[3], item.PriceID, h.clock())
			require.NoError(t, err)
		}
	}
	h.news() // all of it is lost
	require.NoError(t, h.Reconcile(t.Context()))
	want := []plans.Status{plans.Active, plans.Cancelling, plans.Active, plans.Active, plans.Ended}
	for i, uid := range uids {
		require.Equal(t, want[i], h.status(t, uid), i)
	}
	require.Equal(t, "premium", h.account(t, uids[3]).Subscription.PlanID)
	require.Equal(t, 3, h.mended)
	require.NoError(t, h.Reconcile(t.Context()))
	require.Equal(t, 3, h.mended)
}

// What is billed within the hour, and what is in grace, is no difference.
func TestWhatIsOnItsWayIsNoDifference(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, sub := h.member(t)
	h.fails(t, sub)
	require.NoError(t, h.Reconcile(t.Context()))
	require.Zero(t, h.mended)
}

// S6: what is over here is not charged there, though the job that ends it was lost.
func TestAMembershipThatIsOverHereIsEndedThere(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, sub := h.member(t)
	h.fails(t, sub)
	h.at(begin.AddDate(0, 1, 0).Add(14 * plans.Day))
	require.NoError(t, h.SweepDue(t.Context()))
	h.jobs.Forget()
	require.NoError(t, h.Reconcile(t.Context()))
	require.Zero(t, h.mended, "the job may be on its way")
	h.pass(time.Hour)
	require.NoError(t, h.Reconcile(t.Context()))
	require.True(t, h.provider.Ended(sub))
	require.Equal(t, 1, h.mended)
}

// Another account's key would say so of every membership: nobody loses what is open by it.
func TestAMembershipThatTheProviderHasForgottenIsOverByTheClock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.provider.Forget(sub)
	h.at(begin.AddDate(0, 1, 0).Add(14*plans.Day - time.Minute))
	require.Error(t, h.SweepDue(t.Context()))
	require.Equal(t, plans.Active, h.status(t, uid))
	h.pass(time.Hour)
	require.NoError(t, h.SweepDue(t.Context()))
	require.Equal(t, plans.Ended, h.status(t, uid))
	require.Zero(t, h.count(t, `SELECT count(*) FROM subscriptions WHERE due_at IS NOT NULL`), "nobody looks for it any more")
}

func TestAMembershipThatIsNoneOfOursIsLeftAlone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	known, err := h.Settle(t.Context(), "sub_of_another_shop")
	require.NoError(t, err)
	require.False(t, known)
}

// Billing alerts the operator to a subscription that the provider charges and that is no membership here. It does not for a checkout of a
// moment ago, which is about to be read back.
func TestASubscriptionThatNobodyKnowsIsTold(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.Must(uuid.NewV7())
	o := h.pay(t, uid, "core", "month")
	told := func() int {
		require.NoError(t, h.Reconcile(t.Context()))
		return h.strange
	}
	h.pass(time.Hour - time.Second)
	require.Zero(t, told())
	h.pass(time.Second)
	require.Equal(t, 1, told())
	require.Equal(t, 2, told(), "until somebody has looked")
	_, err := h.seller.CompleteCheckout(t.Context(), uid, o.ID)
	require.NoError(t, err)
	require.Equal(t, 2, told(), "it is a membership now")
	other := h.provider.Pay(h.pay(t, uuid.Must(uuid.NewV7()), "core", "month").SessionID).Subscription
	h.provider.ChangeSubscription(other, func(s *sales.ProviderSubscription) { s.UID = "" })
	h.pass(time.Hour)
	require.Equal(t, 2, told(), "it is another shop's, of the same account")
}

// A deleted account's renewal, paid in the last moment, gives nothing and goes back.
func TestADeletedAccountsRenewalGoesBack(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	h.turn(t, sub)
	require.NoError(t, postgres.InTx(t.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error { return h.store.Depart(ctx, tx, uid) }))
	_, err := h.Settle(t.Context(), sub) // before the job that ends what the account pays for
	require.NoError(t, err)
	h.hear(t)
	h.work(t)
	h.hear(t)
	o := h.orders(t, uid)[0]
	require.Equal(t, sales.Refunding, o.State)
	require.Equal(t, o.Charged(), o.Refunded)
	require.True(t, h.provider.Ended(sub))
	require.Equal(t, begin.AddDate(0, 1, 0), h.account(t, uid).Subscription.EndsAt)
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM entries WHERE from_account = 'issued'`))
}
