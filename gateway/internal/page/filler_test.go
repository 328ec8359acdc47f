package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	webv1 "serein.app/proto/gen/serein/web/v1"
)

func TestMoneyIsInTheAppsWords(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]*webv1.Money{
		"£7.99":     {Amount: 799, Currency: "gbp"},
		"£0.05":     {Amount: 5, Currency: "gbp"},
		"£28.00":    {Amount: 2800, Currency: "gbp"},
		"£1,204.00": {Amount: 120_400, Currency: "gbp"},
		"−£6.13":    {Amount: -613, Currency: "gbp"},
		"EUR 7.99":  {Amount: 799, Currency: "eur"},
		"£0.00":     nil,
	} {
		require.Equal(t, want, money(m))
	}
}
