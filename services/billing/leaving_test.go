package billing

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/platform/auth"
	"serein.app/services/testkit"
)

func TestAMemberWhoStaysWhileTheProviderIsAwayIsNotCancelledByTheNextAttempt(t *testing.T) {
	t.Parallel()
	r := start(t)
	s, uid := r.opens(t), newMember()
	ctx := auth.WithMember(t.Context(), uid)
	begun, err := s.StartCheckout(ctx, checkout("serein-core", "year"))
	require.NoError(t, err)
	r.provider.Pay(begun.GetSessionId())
	_, err = s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: begun.GetOrderId()})
	require.NoError(t, err)
	away := make([]providertest.Fault, 100)
	for i := range away {
		away[i] = providertest.Away
	}
	r.provider.Fail("CancelAtPeriodEnd", away...)
	r.publish(t, "identity", uid, &eventsv1.DeletionScheduled{Uid: uid})
	require.Eventually(t, func() bool { return r.provider.Calls("CancelAtPeriodEnd") > 0 }, testkit.Patience, 20*time.Millisecond)
	r.publish(t, "identity", uid, &eventsv1.DeletionUndone{Uid: uid})
	require.Eventually(t, func() bool {
		return count(t, r.Pool, `SELECT count(*)::int FROM inbox`) == 2
	}, testkit.Patience, 20*time.Millisecond)
	r.provider.Heal()
	require.Eventually(t, func() bool {
		_, err := r.Pool.Exec(t.Context(), `UPDATE river_job SET scheduled_at = now() WHERE kind = 'billing.stop_renewal' AND state = 'retryable'`)
		require.NoError(t, err)
		return count(t, r.Pool, `SELECT count(*)::int FROM river_job WHERE kind = 'billing.stop_renewal' AND state = 'completed'`) == 1
	}, testkit.Patience, 20*time.Millisecond)
	res, err := r.subscriptions(t, "gateway").GetSubscription(ctx, &billingv1.GetSubscriptionRequest{})
	require.NoError(t, err)
	require.Equal(t, billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ACTIVE, res.GetSubscription().GetStatus())
}
