package subscriptions_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/operators"
	"serein.app/services/billing/internal/plans"
)

func (h *harness) operates(tb testing.TB, uid uuid.UUID, kind operators.Kind) {
	tb.Helper()
	_, err := h.store.Operate(tb.Context(), operators.Act{Key: uuid.New(), UID: uid, Actor: uuid.New(), Kind: kind, Reason: "to see it"})
	require.NoError(tb, err)
	h.work(tb)
}

func TestATrialThatAnOperatorHasBegunAnewRunsAndEndsAsAnyDoes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	trial, member := h.joins(t, uuid.Nil), h.joins(t, uuid.Nil)
	paid := h.buys(t, member, "core", "month").Subscription
	unpaid := h.joins(t, uuid.Nil)
	failed := h.buys(t, unpaid, "core", "month").Subscription
	h.fails(t, failed)
	require.Equal(t, plans.InGrace, h.status(t, unpaid))
	over := h.joins(t, uuid.Nil)
	h.operates(t, over, operators.EndSubscription)
	require.Equal(t, plans.Ended, h.status(t, over))
	for _, uid := range []uuid.UUID{trial, member, unpaid, over} {
		h.operates(t, uid, operators.ResetToTrial)
		require.Equal(t, plans.OnTrial, h.status(t, uid))
		require.EqualValues(t, 8, h.account(t, uid).Balance.PlanAvailable)
		h.requireSound(t, uid)
	}
	require.True(t, h.provider.Ended(paid))
	require.True(t, h.provider.Ended(failed))
	h.hear(t)
	ending := len(events[*eventsv1.TrialEnding](t, h, "trial.ending"))
	h.pass(5*24*time.Hour + time.Minute)
	h.sweep(t)
	require.Len(t, events[*eventsv1.TrialEnding](t, h, "trial.ending"), ending+4)
	ended := len(events[*eventsv1.TrialEnded](t, h, "trial.ended"))
	h.pass(3 * 24 * time.Hour)
	h.sweep(t)
	require.Len(t, events[*eventsv1.TrialEnded](t, h, "trial.ended"), ended+4)
	require.Equal(t, plans.Ended, h.status(t, member))
}

func TestAnOperatorEndsAMembershipWhereverItStands(t *testing.T) {
	t.Parallel()
	h := setup(t)
	active, activeSub := h.member(t)
	cancelling, cancellingSub := h.member(t)
	require.NoError(t, h.Cancel(t.Context(), cancelling, ""))
	unpaid, unpaidSub := h.member(t)
	h.fails(t, unpaidSub)
	for uid, sub := range map[uuid.UUID]string{active: activeSub, cancelling: cancellingSub, unpaid: unpaidSub} {
		before := len(events[*eventsv1.SubscriptionCancelled](t, h, "subscription.cancelled"))
		h.operates(t, uid, operators.EndSubscription)
		require.Equal(t, plans.Ended, h.status(t, uid))
		require.Zero(t, h.account(t, uid).Balance.PlanAvailable)
		require.True(t, h.provider.Ended(sub))
		h.hear(t)
		h.operates(t, uid, operators.EndSubscription)
		told := events[*eventsv1.SubscriptionCancelled](t, h, "subscription.cancelled")
		require.Len(t, told, before+1, "it ends once")
		require.Equal(t, "operator", told[before].GetReason())
		require.Equal(t, "Core", told[before].GetPlanName())
		h.requireSound(t, uid)
	}
}
