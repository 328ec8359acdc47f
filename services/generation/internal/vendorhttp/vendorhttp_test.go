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

func TestAnAddressSaysByItsFormWhetherItIsInside(t *testing.T) {
	t.Parallel()
	for _, inside := range []string{
		"http://vllm:8000/v1", "http://speech.voices.svc", "http://speech.voices.svc.cluster.local:80/v1", "http://gpu.office.internal", "http://LOCALHOST",
		"http://127.0.0.1:1/v1", "http://[::1]/v1", "http://10.2.3.4", "http://192.168.1.9/v1", "http://[fd00::1]",
	} {
		require.True(t, vendorhttp.Inside(inside), inside)
	}
	for _, outside := range []string{"https://api.openai.com/v1", "http://speech.voices", "http://8.8.8.8", "http://svc.example.com", "http://local.", "vllm", "", "http://[2001:db8::1]"} {
		require.Equal(t, outside == "http://local.", vendorhttp.Inside(outside), outside)
	}
}
