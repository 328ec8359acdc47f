package subscriptions_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/platform/postgres"
)

// hears brings that a member leaves, or stays after all, as it was told then.
func (h *harness) hears(tb testing.TB, uid uuid.UUID, leaves bool, at time.Time) {
	tb.Helper()
	require.NoError(tb, postgres.InTx(tb.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return h.store.Leave(ctx, tx, uid, leaves, at)
	}))
}

func TestTheMembershipOfAMemberWhoStaysIsNotCancelledInWhateverOrderItIsTold(t *testing.T) {
	t.Parallel()
	wish, stays, again := begin, begin.Add(time.Minute), begin.Add(time.Hour)
	type told struct {
		leaves bool
		at     time.Time
	}
	for name, c := range map[string]struct {
		told []told
		want plans.Status
	}{
		"in order":           {[]told{{true, wish}, {false, stays}}, plans.Active},
		"the other way":      {[]told{{false, stays}, {true, wish}}, plans.Active},
		"the wish repeated":  {[]told{{true, wish}, {false, stays}, {true, wish}}, plans.Active},
		"both repeated":      {[]told{{true, wish}, {false, stays}, {false, stays}, {true, wish}}, plans.Active},
		"a wish after all":   {[]told{{true, wish}, {false, stays}, {true, again}}, plans.Cancelling},
		"its end comes late": {[]told{{true, again}, {true, wish}, {false, stays}}, plans.Cancelling},
		"nothing but a wish": {[]told{{true, wish}}, plans.Cancelling},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			uid, _ := h.member(t)
			for _, e := range c.told {
				h.hears(t, uid, e.leaves, e.at)
			}
			h.work(t)
			require.Equal(t, c.want, h.status(t, uid))
			require.Equal(t, map[bool]int{true: 0, false: 1}[c.want == plans.Active], h.provider.Calls("CancelAtPeriodEnd"))
		})
	}
}

func TestAMemberWhoStaysWhileTheProviderIsAwayKeepsTheMembershipThatTheySaw(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, _ := h.member(t)
	h.hears(t, uid, true, begin)
	h.provider.Fail("CancelAtPeriodEnd", providertest.Away)
	require.Error(t, h.Leave(t.Context(), uid))
	require.Equal(t, plans.Active, h.status(t, uid))
	h.hears(t, uid, false, begin.Add(time.Minute))
	h.work(t)
	require.Equal(t, plans.Active, h.status(t, uid))
}

// The letter says so: a membership that has not ended can be kept.
func TestWhatWasCancelledBeforeAMemberStayedIsTheirsToKeep(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, _ := h.member(t)
	h.hears(t, uid, true, begin)
	h.work(t)
	h.hears(t, uid, false, begin.Add(time.Minute))
	h.work(t)
	require.Equal(t, plans.Cancelling, h.status(t, uid))
	require.NoError(t, h.Keep(t.Context(), uid))
	require.Equal(t, plans.Active, h.status(t, uid))
}

// A deleted account leaves no row, and a late event of it writes none. A job that the previous release queued finds no row and succeeds.
func TestADeletedAccountLeavesNoRowAndAJobOfThePreviousReleaseSucceeds(t *testing.T) {
	t.Parallel()
	h := setup(t)
	gone, _ := h.member(t)
	leaves, _ := h.member(t)
	h.hears(t, gone, true, begin)
	require.NoError(t, postgres.InTx(t.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error { return h.store.Depart(ctx, tx, gone) }))
	h.hears(t, gone, false, begin.Add(time.Minute))
	require.Zero(t, h.count(t, `SELECT count(*) FROM leaving`))
	require.NoError(t, h.Leave(t.Context(), leaves))
	require.Equal(t, plans.Cancelling, h.status(t, leaves))
}

// River retries the job until the provider has answered, however often that is.
func TestWhoLeavesIsNotChargedAgainHoweverLongTheProviderIsAway(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, sub := h.member(t)
	for _, fault := range []providertest.Fault{providertest.Away, providertest.Broken} {
		h.provider.Fail("CancelAtPeriodEnd", fault)
		requireReason(t, h.Leave(t.Context(), uid), "PAYMENT_PROVIDER_UNAVAILABLE")
		require.Equal(t, plans.Active, h.status(t, uid))
	}
	h.provider.Fail("CancelAtPeriodEnd", providertest.Lost)
	require.NoError(t, h.Leave(t.Context(), uid), "an answer that was lost is found again")
	require.NoError(t, h.Leave(t.Context(), uid), "again is the same")
	h.hear(t)
	require.Equal(t, plans.Cancelling, h.status(t, uid))
	require.Len(t, events[*eventsv1.SubscriptionCancellationScheduled](t, h, "subscription.cancellation_scheduled"), 1)
	h.at(begin.AddDate(0, 1, 0))
	h.provider.Turn(sub)
	h.hear(t)
	h.sweep(t)
	require.True(t, h.provider.Ended(sub))
	require.Len(t, h.orders(t, uid), 1, "nothing was charged since")
	require.NoError(t, h.Leave(t.Context(), uid), "it is over")
}

func TestWhoLeavesWithoutAMembershipIsLeftAlone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	onTrial := uuid.New()
	h.trial(t, onTrial)
	for _, uid := range []uuid.UUID{uuid.New(), onTrial} {
		require.NoError(t, h.Leave(t.Context(), uid))
	}
}
