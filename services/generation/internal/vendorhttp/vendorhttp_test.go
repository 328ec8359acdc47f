package vendorhttp_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/vendorhttp"
)

func TestAVendorSaysHowLongToWait(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]time.Duration{
		"": 0, "0": 0, "-5": 0, "x": 0, "NaN": 0, "7": 7 * time.Second, "0.5": 500 * time.Millisecond, "Mon, 02 Jan 2006 15:04:05 GMT": 0, "1e300": 1 << 20 * time.Second,
	} {
		require.Equal(t, want, vendorhttp.RetryAfter(http.Header{"Retry-After": {given}}), given)
	}
	at := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	require.InDelta(t, time.Hour, vendorhttp.RetryAfter(http.Header{"Retry-After": {at}}), float64(time.Minute))
}
