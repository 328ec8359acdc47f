package sales_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

// What was paid otherwise than it was ordered is given to nobody: an operator sends the money back, once.
func TestAnOrderThatWasNotPaidAsItWasOrderedIsCalledOff(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := newMember()
	o := h.begins(t, request(uid, "core", "month"))
	paid := h.provider.Pay(o.SessionID)
	h.provider.Change(o.SessionID, func(s *sales.Session) { s.Amount-- })
	h.deliver(t, h.provider.Told()...)
	require.Equal(t, sales.Open, h.order(t, o.ID).State)

	h.provider.Fail("Refund", providertest.Lost)
	_, err := h.CallOff(t.Context(), o.Sequence)
	require.Error(t, err)
	called, err := h.CallOff(t.Context(), o.Sequence)
	require.NoError(t, err)
	require.Equal(t, sales.Closed, called.State)
	require.Equal(t, o.Total, h.provider.Refunded(paid.Payment))
	require.True(t, h.provider.Ended(paid.Subscription))
	h.deliver(t, h.provider.Told()...)
	require.Nil(t, h.account(t, uid).Subscription)
	_, err = h.CallOff(t.Context(), o.Sequence)
	require.ErrorIs(t, err, sales.ErrNotCalledOff)
}

func TestNothingElseIsCalledOff(t *testing.T) {
	t.Parallel()
	h := setup(t)
	given, open := h.buys(t, newMember(), "tote", ""), h.begins(t, request(newMember(), "tote", ""))
	unheard := h.begins(t, request(newMember(), "tote", ""))
	h.provider.Pay(unheard.SessionID) // and may be given yet
	for _, number := range []int64{given.Sequence, open.Sequence, unheard.Sequence, 1} {
		_, err := h.CallOff(t.Context(), number)
		require.ErrorIs(t, err, sales.ErrNotCalledOff)
	}
	require.Zero(t, h.provider.Refunded(given.Payment))
}
