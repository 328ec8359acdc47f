package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	webv1 "serein.app/proto/gen/serein/web/v1"
)

func TestMoneyIsInTheAppsWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, "£1,204.00", words(&webv1.Money{Amount: 120_400, Currency: "gbp"}))
	require.Equal(t, "£0.00", words((*webv1.Money)(nil)), "nothing")
}
