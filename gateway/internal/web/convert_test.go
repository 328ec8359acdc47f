package web

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

func TestAPlanSaysWhetherItRenewsAndHowLongItIsOpenAfterAPaymentThatFailed(t *testing.T) {
	t.Parallel()
	ends := timestamppb.New(time.Date(2026, 12, 3, 9, 0, 0, 0, time.UTC))
	until := timestamppb.New(ends.AsTime().Add(14 * 24 * time.Hour))
	paid := &billingv1.Subscription{
		Status: billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ACTIVE, Renews: true, EndsAt: ends, AccessUntil: until,
	}
	require.True(t, plan(paid).GetRenews())
	require.Nil(t, plan(paid).GetGraceUntil(), "no payment has failed")
	paid.Status = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_GRACE
	require.Equal(t, until, plan(paid).GetGraceUntil())
	paid.Status, paid.Renews = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_CANCELLING, false
	require.False(t, plan(paid).GetRenews())
	require.Nil(t, plan(paid).GetGraceUntil())
}
