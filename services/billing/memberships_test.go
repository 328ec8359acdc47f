package billing

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/testkit"
	"serein.app/services/testkit/paymentsandbox"
)

func (r *harness) subscriptions(tb testing.TB, as string) billingv1connect.SubscriptionServiceClient {
	tb.Helper()
	c, url, options := testkit.Dialer(tb, as).To(Name, r.url)
	return billingv1connect.NewSubscriptionServiceClient(c, url, options)
}

// joins buys Core by the month through the provider's own API.
func (s *selling) joins(t *testing.T) (context.Context, billingv1connect.SubscriptionServiceClient) {
	t.Helper()
	ctx := auth.WithMember(t.Context(), newMember())
	begun := s.begins(t, ctx, "serein-core", "month")
	require.NoError(t, s.sandbox.Pay(begun.GetSessionId(), paymentsandbox.Accepted))
	require.Equal(t, billingv1.OrderState_ORDER_STATE_COMPLETED, s.reads(t, ctx, begun.GetOrderId()).GetState())
	return ctx, s.subscriptions(t, "gateway")
}

func TestAMembershipIsShownWithAllThatItsPageShows(t *testing.T) {
	t.Parallel()
	s := sell(t)
	ctx, lives := s.joins(t)
	res, err := lives.GetSubscription(ctx, &billingv1.GetSubscriptionRequest{})
	require.NoError(t, err)
	require.Equal(t, "4242", res.GetCard().GetLast4())
	require.Nil(t, res.GetNextAttempt())
	sub := res.GetSubscription()
	require.Equal(t, billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ACTIVE, sub.GetStatus())
	require.Equal(t, int64(799), sub.GetAmount())
	require.Equal(t, "gbp", sub.GetCurrency())
	require.Equal(t, int64(20), sub.GetPeriodCredits())
	require.Equal(t, int64(20), sub.GetGrantedCredits())
	require.NotEmpty(t, sub.GetPriceId())
	require.Equal(t, sub.GetEndsAt().AsTime().Add(14*24*time.Hour), sub.GetAccessUntil().AsTime())
	require.Nil(t, sub.GetPaymentFailedAt())
	account := s.account(t, ctx)
	require.Equal(t, sub.String(), account.GetSubscription().String(), "everywhere the same")

	nobody, err := lives.GetSubscription(auth.WithMember(t.Context(), newMember()), &billingv1.GetSubscriptionRequest{})
	require.NoError(t, err)
	require.Nil(t, nobody.GetSubscription())
}

func TestAMembershipChangesIsCancelledAndKeptThroughTheProvidersOwnAPI(t *testing.T) {
	t.Parallel()
	s := sell(t)
	ctx, lives := s.joins(t)
	quoted, err := lives.PreviewChange(ctx, &billingv1.PreviewChangeRequest{PlanId: "serein-core", Period: "year"})
	require.NoError(t, err)
	quote := quoted.GetQuote()
	require.InDelta(t, 7990-799, quote.GetAmount(), 1)
	require.Equal(t, int64(240), quote.GetPlanCredits(), "less all of the month's, or all but one")
	require.Equal(t, int64(7990), quote.GetNextAmount())
	require.Len(t, quote.GetLines(), 2)
	whole, unused := quote.GetLines()[0], quote.GetLines()[1]
	require.Equal(t, quote.GetAmount(), whole.GetAmount()+unused.GetAmount())
	require.Equal(t, billingv1.ChangeLineKind_CHANGE_LINE_KIND_PLAN, whole.GetKind())
	require.Equal(t, whole.GetDays(), whole.GetPeriodDays())
	require.Equal(t, billingv1.ChangeLineKind_CHANGE_LINE_KIND_UNUSED, unused.GetKind())
	require.NotEmpty(t, unused.GetPlanName())
	req := &billingv1.ChangePlanRequest{
		IdempotencyKey: uuid.NewString(), PlanId: "serein-core", Period: "year", At: quote.GetAt(), Amount: quote.GetAmount() + 1,
	}
	_, err = lives.ChangePlan(ctx, req)
	requireReason(t, err, "VERSION_MISMATCH")
	req.Amount--
	for range 2 {
		changed, err := lives.ChangePlan(ctx, req)
		require.NoError(t, err)
		require.Equal(t, "year", changed.GetSubscription().GetPeriod())
	}
	account := s.account(t, ctx)
	require.Equal(t, quote.GetPlanCredits(), account.GetBalance().GetPlanAvailable())
	require.Equal(t, quote.GetPlanCredits(), account.GetSubscription().GetGrantedCredits())
	orders, err := s.ListOrders(ctx, &billingv1.ListOrdersRequest{})
	require.NoError(t, err)
	require.Len(t, orders.GetOrders(), 2)
	require.Equal(t, quote.GetAmount(), orders.GetOrders()[0].GetTotal())
	require.Equal(t, "change", orders.GetOrders()[0].GetCause())
	require.Equal(t, "checkout", orders.GetOrders()[1].GetCause())
	receipt, err := s.GetReceipt(ctx, &billingv1.GetReceiptRequest{OrderId: orders.GetOrders()[0].GetId()})
	require.NoError(t, err)
	require.NotEmpty(t, receipt.GetPdf())

	_, err = lives.CancelSubscription(ctx, &billingv1.CancelSubscriptionRequest{Reason: 9})
	requireReason(t, err, "INVALID_ARGUMENT")
	cancelled, err := lives.CancelSubscription(ctx, &billingv1.CancelSubscriptionRequest{Reason: billingv1.CancellationReason_CANCELLATION_REASON_UNUSED})
	require.NoError(t, err)
	require.Equal(t, billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_CANCELLING, cancelled.GetSubscription().GetStatus())
	require.Equal(t, cancelled.GetSubscription().GetEndsAt().AsTime(), cancelled.GetSubscription().GetAccessUntil().AsTime())
	kept, err := lives.KeepSubscription(ctx, &billingv1.KeepSubscriptionRequest{})
	require.NoError(t, err)
	require.Equal(t, billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ACTIVE, kept.GetSubscription().GetStatus())
}

func TestOnlyItsMemberThroughTheGatewayChangesAMembership(t *testing.T) {
	t.Parallel()
	r := start(t)
	for _, as := range []string{"generation", "content", "mail"} {
		_, err := r.subscriptions(t, as).CancelSubscription(auth.WithMember(t.Context(), newMember()), &billingv1.CancelSubscriptionRequest{})
		require.Error(t, err, as)
	}
	_, err := r.subscriptions(t, "gateway").CancelSubscription(t.Context(), &billingv1.CancelSubscriptionRequest{})
	requireReason(t, err, "UNAUTHENTICATED")
}
