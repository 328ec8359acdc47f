//go:build full

package faults

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/purchases"
	"serein.app/deploy/e2e/wait"
)

// The soak does the same for hundreds of purchases. This test runs a separate product, whose processes kill themselves at the worst moments.
func TestNoPurchaseIsLostOrDoubledWhilePartsDie(t *testing.T) { // not parallel: it needs the processors
	ctx := t.Context()
	const bought = 14
	report, err := purchases.Run(ctx, purchases.Options{
		Purchases: bought, Members: 3, Returning: 10, OutageEvery: 4 * time.Second, SettleTime: wait.Patience, Dir: t.TempDir(), Say: t.Logf,
	})
	t.Log(report)
	require.NoError(t, err)
	require.EqualValues(t, bought, report.Paid)
	require.Less(t, len(report.Unused()), len(report.Failpoints), "no failpoint has killed")
}
