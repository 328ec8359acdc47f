package billing

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

func TestTheMetricsCountWhatBecameOfCredits(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := newMember()
	confirm(t, r.bus(t), uid, 1)
	c := r.credits(t, "generation")
	var captured string
	require.Eventually(t, func() bool {
		hold, err := c.Hold(t.Context(), holdRequest(uid, 2, "spent"))
		captured = hold.GetHold().GetId()
		return err == nil
	}, 20*time.Second, 10*time.Millisecond, "the trial has begun")
	for range 2 {
		_, err := c.Capture(t.Context(), &billingv1.CaptureRequest{HoldId: captured})
		require.NoError(t, err)
	}
	_, err := c.Hold(t.Context(), holdRequest(uid, 1, "open"))
	require.NoError(t, err)
	for range 2 {
		_, err = c.Refund(t.Context(), &billingv1.RefundRequest{HoldId: captured})
		require.NoError(t, err)
	}
	answer := httptest.NewRecorder()
	r.tel.Handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	seen := answer.Body.String()
	trial := r.trial(t).GetTrialCredits()
	require.Regexp(t, fmt.Sprintf(`serein_billing_credits[a-z_]*\{change="granted".*\} %d`, trial), seen)
	require.Regexp(t, `serein_billing_credits[a-z_]*\{change="spent".*\} 2`, seen, "a repeated capture spends nothing")
	require.Regexp(t, `serein_billing_credits[a-z_]*\{change="refunded".*\} 2`, seen)
	require.Regexp(t, `serein_billing_holds_open[a-z_]*\{.*\} 1`, seen)
	require.Contains(t, seen, "serein_billing_holds_oldest")
	require.Contains(t, seen, "serein_billing_batch_size")
}
