package billing

import (
	"testing"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/testkit/paymentsandbox"
)

func TestAnOrderOfApparelSaysWhenItWasSent(t *testing.T) {
	t.Parallel()
	s := sell(t)
	ctx := auth.WithMember(t.Context(), newMember())
	buys := func(product, size string) *billingv1.Order {
		begun := s.begins(t, ctx, product, size)
		require.NoError(t, s.sandbox.Pay(begun.GetSessionId(), paymentsandbox.Accepted))
		return s.reads(t, ctx, begun.GetOrderId())
	}
	plan, tote := buys("serein-core", "month"), buys("tote", "")
	require.True(t, tote.GetShips())
	require.Nil(t, tote.GetSentAt())
	said, err := s.command(t, "sent", tote.GetNumber())
	require.NoError(t, err)
	require.Contains(t, said, tote.GetNumber()+" was sent on ")
	sent := s.reads(t, ctx, tote.GetId()).GetSentAt()
	require.NotNil(t, sent)
	_, err = s.command(t, "sent", tote.GetNumber())
	require.NoError(t, err)
	require.Equal(t, sent.AsTime(), s.reads(t, ctx, tote.GetId()).GetSentAt().AsTime(), "the first day stays")
	for _, none := range []string{plan.GetNumber(), "S-1", "tote"} {
		_, err = s.command(t, "sent", none)
		require.Error(t, err, none)
	}
}
