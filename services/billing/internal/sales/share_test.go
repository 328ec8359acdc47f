package sales_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/billing/internal/sales"
)

// Credits are whole, and so is what is taken of them: in however many parts the money goes back, it is the floor of the share.
func TestNoPartOfARefundTakesMoreThanItsShareOfTheCredits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := sales.Order{Total: rapid.Int64Range(1, 1<<40).Draw(t, "charged")}
		credits := rapid.Int64Range(0, 10_000).Draw(t, "credits")
		var returned, taken int64
		for returned < o.Total {
			next := rapid.Int64Range(returned+1, o.Total).Draw(t, "returned")
			taken += o.Share(credits, returned, next)
			returned = next
			require.Equal(t, credits*returned/o.Total, taken)
		}
		require.Equal(t, credits, taken, "all of the money takes all of the credits")
	})
}
