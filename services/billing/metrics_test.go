package billing

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/testkit"
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
	}, testkit.Patience, 10*time.Millisecond, "the trial has begun")
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
	seen := r.metrics(t)
	trial := r.trial(t).GetTrialCredits()
	require.Regexp(t, fmt.Sprintf(`serein_billing_credits[a-z_]*\{change="granted".*\} %d`, trial), seen)
	require.Regexp(t, `serein_billing_credits[a-z_]*\{change="spent".*\} 2`, seen, "a repeated capture spends nothing")
	require.Regexp(t, `serein_billing_credits[a-z_]*\{change="refunded".*\} 2`, seen)
	require.Regexp(t, `serein_billing_holds_open[a-z_]*\{.*\} 1`, seen)
	require.Contains(t, seen, "serein_billing_holds_oldest")
	require.Contains(t, seen, "serein_billing_batch_size")
}

func TestTheMetricsCountBatchesThatWaitInVainForAMembersRow(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := newMember()
	confirm(t, r.bus(t), uid, 1)
	c := r.credits(t, "generation")
	require.Eventually(t, func() bool {
		_, err := c.Hold(t.Context(), holdRequest(uid, 1, "first"))
		return err == nil
	}, testkit.Patience, 10*time.Millisecond, "the trial has begun")
	owner, err := pgx.Connect(t.Context(), r.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	tx, err := owner.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `SELECT FROM balances WHERE uid = $1 FOR UPDATE`, uid)
	require.NoError(t, err)
	require.Eventually(t, func() bool { // on a slow machine one may be over before it waits for the row
		impatient, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		_, err := c.Hold(impatient, holdRequest(uid, 1, "second"))
		require.Error(t, err)
		return regexp.MustCompile(`serein_billing_lock_waits[a-z_]*\{.*\} [1-9]`).MatchString(r.metrics(t))
	}, testkit.Patience, 10*time.Millisecond)
	require.NoError(t, tx.Rollback(t.Context()))
}

// metrics are what the service answers at /metrics.
func (r *harness) metrics(t *testing.T) string {
	t.Helper()
	answer := httptest.NewRecorder()
	r.tel.Handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	return answer.Body.String()
}
