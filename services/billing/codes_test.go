package billing

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/testkit/paymentsandbox"
)

func nextMonth() time.Time { return time.Now().UTC().AddDate(0, 1, 0) }

// lastDay is one that a code can have.
func lastDay() string { return nextMonth().Format(time.DateOnly) }

func TestACodeThatAnOperatorMakesIsTakenUntilItIsUsedUpOrEnded(t *testing.T) {
	t.Parallel()
	s := sell(t)
	said, err := s.command(t, "add-code", "--percent", "25", "--most", "1", "--until", lastDay(), "SPRING")
	require.NoError(t, err)
	require.Equal(t, "SPRING takes 25% off the first payment.\n", said)
	_, err = s.command(t, "add-code", "--percent", "50", "--until", lastDay(), "SPRING")
	require.ErrorContains(t, err, "taken already")
	_, err = s.command(t, "add-code", "--amount", "500", "--months", "3", "--until", lastDay(), "FIVE")
	require.NoError(t, err)
	said, err = s.command(t, "codes")
	require.NoError(t, err)
	ends := nextMonth().AddDate(0, 0, 1).Format(time.DateOnly) + "T00:00:00Z"
	require.Regexp(t, `SPRING +25% +the first payment +once +0 of 1 +`+ends+`\n`, said)
	require.Regexp(t, `FIVE +£5.00 +3 months +once +0 +`+ends+`\n`, said)

	prices, err := s.ListPrices(t.Context(), &billingv1.ListPricesRequest{})
	require.NoError(t, err)
	require.True(t, prices.GetPromotionCodes(), "so that the checkout can say it")
	ctx := auth.WithMember(t.Context(), newMember())
	begun := s.begins(t, ctx, "tote", "")
	require.NoError(t, s.sandbox.Apply(begun.GetSessionId(), "spring"))
	require.NoError(t, s.sandbox.Pay(begun.GetSessionId(), paymentsandbox.Accepted))
	done, err := s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: begun.GetOrderId()})
	require.NoError(t, err)
	require.Equal(t, billingv1.OrderState_ORDER_STATE_COMPLETED, done.GetOrder().GetState())
	require.Equal(t, int64(300), done.GetOrder().GetDiscount(), "a quarter of the things, and nothing of the delivery")
	require.Equal(t, int64(900+395), done.GetOrder().GetTotal())
	other := s.begins(t, auth.WithMember(t.Context(), newMember()), "tote", "")
	require.ErrorIs(t, s.sandbox.Apply(other.GetSessionId(), "SPRING"), paymentsandbox.ErrCode, "it was for one")

	said, err = s.command(t, "end-code", "FIVE")
	require.NoError(t, err)
	require.Equal(t, "FIVE is taken no more.\n", said)
	_, err = s.command(t, "end-code", "FIVE")
	require.ErrorContains(t, err, "no code FIVE is taken")
	require.ErrorIs(t, s.sandbox.Apply(other.GetSessionId(), "FIVE"), paymentsandbox.ErrCode)
}

// M14: a code is for a member once, unless its maker says otherwise.
func TestAMemberUsesACodeOnceUnlessItIsMadeForMore(t *testing.T) {
	t.Parallel()
	s := sell(t)
	for _, args := range [][]string{{"--percent", "100", "--until", lastDay(), "ONCE"}, {"--percent", "100", "--until", lastDay(), "--per-member", "0", "ALWAYS"}} {
		_, err := s.command(t, "add-code", args...)
		require.NoError(t, err)
	}
	ctx := auth.WithMember(t.Context(), newMember())
	uses := func(ctx context.Context, code string) error {
		begun := s.begins(t, ctx, "tote", "")
		if err := s.sandbox.Apply(begun.GetSessionId(), code); err != nil {
			return err
		}
		require.NoError(t, s.sandbox.Pay(begun.GetSessionId(), paymentsandbox.Accepted))
		_, err := s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: begun.GetOrderId()})
		return err
	}
	require.NoError(t, uses(ctx, "ALWAYS"))
	require.NoError(t, uses(ctx, "ALWAYS"))
	require.NoError(t, uses(ctx, "ONCE"))
	require.ErrorIs(t, uses(ctx, "ONCE"), paymentsandbox.ErrCode)
	require.NoError(t, uses(auth.WithMember(t.Context(), newMember()), "ONCE"), "somebody else may")
	_, err := s.command(t, "end-code", "ONCE")
	require.NoError(t, err)
	require.NoError(t, uses(ctx, "ALWAYS"), "codes are asked for again once that one has ended")
}

func TestACodeThatIsTakenLeavesNoCouponBehind(t *testing.T) {
	t.Parallel()
	s := sell(t)
	_, err := s.command(t, "add-code", "--percent", "25", "--until", lastDay(), "SPRING")
	require.NoError(t, err)
	_, err = s.command(t, "add-code", "--percent", "50", "--until", lastDay(), "SPRING")
	require.EqualError(t, err, "SPRING is taken already; `billing codes` lists them")
	_, err = s.command(t, "add-code", "--percent", "50", "--until", "2099-01-01", "LATE")
	require.Error(t, err)
	made := slices.DeleteFunc(s.sandbox.Events(), func(e paymentsandbox.EventType) bool { return e.Type != "coupon.created" })
	require.Len(t, made, 1)
}

func TestACodeThatTakesAllGivesAMembershipThatNobodyPaid(t *testing.T) {
	t.Parallel()
	s := sell(t)
	_, err := s.command(t, "add-code", "--percent", "100", "--until", lastDay(), "GIFT")
	require.NoError(t, err)
	ctx := auth.WithMember(t.Context(), newMember())
	begun := s.begins(t, ctx, "serein-core", "month")
	require.NoError(t, s.sandbox.Apply(begun.GetSessionId(), "GIFT"))
	require.NoError(t, s.sandbox.Pay(begun.GetSessionId(), paymentsandbox.Accepted))
	done, err := s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: begun.GetOrderId()})
	require.NoError(t, err)
	require.Equal(t, billingv1.OrderState_ORDER_STATE_COMPLETED, done.GetOrder().GetState())
	require.Zero(t, done.GetOrder().GetTotal())
	require.Equal(t, "serein-core", s.account(t, ctx).GetSubscription().GetPlanId())
}

func TestACodeThatCannotBeIsRefusedBeforeTheProviderIsAsked(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"nothing off":       {"SPRING"},
		"both":              {"--percent", "20", "--amount", "500", "SPRING"},
		"more than all":     {"--percent", "101", "SPRING"},
		"less than nothing": {"--percent", "-1", "SPRING"},
		"an amount below":   {"--amount", "-500", "SPRING"},
		"small letters":     {"--percent", "20", "spring"},
		"a short one":       {"--percent", "20", "AB"},
		"a day gone by":     {"--percent", "20", "--until", "2020-01-01", "SPRING"},
		"no day":            {"--percent", "20", "--until", "soon", "SPRING"},
		"months below":      {"--percent", "20", "--months", "-1", "SPRING"},
		"a member's below":  {"--percent", "20", "--per-member", "-1", "SPRING"},
		"times below":       {"--percent", "20", "--most", "-1", "SPRING"},
		"no last day":       {"--percent", "20", "SPRING"},
	} {
		if name != "no last day" && !slices.Contains(args, "--until") {
			args = append([]string{"--until", lastDay()}, args...)
		}
		_, err := output(t, Program().Commands["add-code"], nil, args...)
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "configuration", name)
	}
	_, err := output(t, Program().Commands["end-code"], nil, "spring")
	require.ErrorIs(t, err, errCode)
}
