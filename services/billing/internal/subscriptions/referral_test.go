package subscriptions_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/postgres"
)

// joins is a new member of a mailbox of their own, by an invitation or uuid.Nil.
func (h *harness) joins(tb testing.TB, invitedBy uuid.UUID) uuid.UUID {
	tb.Helper()
	uid := uuid.Must(uuid.NewV7())
	require.NoError(tb, postgres.InTx(tb.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return h.store.StartTrial(ctx, tx, uid, append(bytes.Repeat([]byte{1}, 16), uid[:]...), invitedBy)
	}))
	return uid
}

// free is a membership whose first period a promotion code has paid.
func (h *harness) free(tb testing.TB, uid uuid.UUID) string {
	tb.Helper()
	o, err := h.seller.Start(tb.Context(), sales.Request{
		UID: uid, Key: uuid.NewString(), Email: "ada@example.com", Items: []sales.RequestedLine{{ProductID: "core", Size: "month", Quantity: 1}},
	})
	require.NoError(tb, err)
	h.provider.Discount(o.SessionID, o.Total)
	h.provider.Pay(o.SessionID)
	o, err = h.seller.CompleteCheckout(tb.Context(), uid, o.ID)
	require.NoError(tb, err)
	h.hear(tb)
	return o.Subscription
}

func TestAFriendWhoseFirstPeriodWasFreeIsRewardedByTheRenewal(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	friend := h.joins(t, member)
	sub := h.free(t, friend)
	topUps := func() [2]int64 {
		return [2]int64{h.account(t, friend).Balance.TopUpAvailable, h.account(t, member).Balance.TopUpAvailable}
	}
	require.Zero(t, topUps())
	h.turn(t, sub)
	h.hear(t)
	require.Equal(t, [2]int64{5, 5}, topUps())
	renewed := h.orders(t, friend)[0]
	h.turn(t, sub)
	h.hear(t)
	require.Equal(t, [2]int64{5, 5}, topUps(), "once")
	later := h.orders(t, friend)[0]
	h.deliver(t, h.provider.GiveBack(renewed.Payment, renewed.Charged(), false))
	require.Zero(t, topUps(), "the order that brought it went back whole")
	h.requireSound(t, friend)
	h.requireSound(t, member)
	require.NotEqual(t, renewed.ID, later.ID)
}

func TestARenewalThatIsPaidByTheReferrersCardRewardsNobody(t *testing.T) {
	t.Parallel()
	h := setup(t)
	member := h.joins(t, uuid.Nil)
	h.provider.PayBy(member.String(), "gold")
	h.buys(t, member, "core", "month")
	friend := h.joins(t, member)
	h.provider.PayBy(friend.String(), "gold")
	sub := h.free(t, friend)
	h.turn(t, sub)
	h.hear(t)
	require.Zero(t, h.account(t, friend).Balance.TopUpAvailable+h.account(t, member).Balance.TopUpAvailable)
}
