package money_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/money"
)

func TestAmountsAreFormattedAsInTheApp(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]struct {
		amount   int64
		currency string
	}{
		"£7.99":     {799, "gbp"},
		"£0.05":     {5, "gbp"},
		"£28.00":    {2800, "gbp"},
		"£1,204.00": {120_400, "gbp"},
		"−£6.13":    {-613, "gbp"},
		"EUR 7.99":  {799, "eur"},
		"£0.00":     {},
	} {
		require.Equal(t, want, money.Format(m.amount, m.currency))
	}
}
