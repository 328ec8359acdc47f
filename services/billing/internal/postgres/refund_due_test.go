package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
)

// Nobody has looked at the account since the grant's time was up: the refund itself finds that out, before it gives
// anything back to a pool that has ended.
func TestARefundAfterAnEndThatNobodyHasNoticedYetComesAsTopUps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 0)
	b.grant(t, uid, credits.PlanPool, 2, "trial:"+uid.String(), 24*time.Hour)
	hold := b.spend(t, uid, 2, "work")
	b.now = b.now.Add(24 * time.Hour)
	n, err := b.store.Refund(t.Context(), hold.ID)
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	require.Equal(t, credits.Balance{TopUpAvailable: 2}, b.balance(t, uid))
	requireSound(t, b, uid)
}
