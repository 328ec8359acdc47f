package paymentsandbox

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyCoupon takes off anything from a hundredth of a percent to all, or any amount.
func anyCoupon(t *rapid.T) *coupon {
	if rapid.Bool().Draw(t, "percentage") {
		return &coupon{Percent: rapid.Int64Range(1, allOf).Draw(t, "hundredths of a percent")}
	}
	return &coupon{Amount: rapid.Int64Range(1, 99_999_999).Draw(t, "amount")}
}

func TestTheLinesDiscountsComeToTheDiscountAndNothingCostsLessThanNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amounts := rapid.SliceOfN(rapid.Int64Range(0, 99_999_999*1000), 1, 100).Draw(t, "amounts")
		var goods int64
		for _, amount := range amounts {
			goods += amount
		}
		off := anyCoupon(t).off(goods)
		require.GreaterOrEqual(t, off, int64(0))
		require.LessOrEqual(t, off, goods)
		var given int64
		for i, part := range spread(off, amounts) {
			given += part
			require.GreaterOrEqual(t, part, int64(0))
			require.LessOrEqual(t, part, amounts[i])
			exact := float64(off) * float64(amounts[i]) / max(1, float64(goods))
			require.InDelta(t, exact, part, 1, "in proportion")
		}
		require.Equal(t, off, given)
	})
}

func TestAPercentageIsRoundedHalfUpOfTheSumOfTheGoods(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ percent, goods, off int64 }{
		{10_00, 1999, 200}, {10_00, 1994, 199}, {10_00, 1995, 200}, {12_50, 100, 13}, {100_00, 1999, 1999}, {33_33, 300, 100}, {1, 49_99, 0}, {1, 50_00, 1},
	} {
		require.Equal(t, one.off, (&coupon{Percent: one.percent}).off(one.goods), one)
	}
	require.Equal(t, []int64{16, 17, 17}, spread(50, []int64{100, 100, 100}))
}
