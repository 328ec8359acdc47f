package billing

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
)

const (
	// benchMembers share the load, so that no row lock is hot.
	benchMembers = 2000
	// benchCallers is how many callers wait for an answer at once, for each processor.
	benchCallers = 16
)

// BenchmarkCredits measures one hold and its capture, over many members: through the RPC with
// real HTTP and signed callers, and as the same SQL run directly against the same server by
// as many callers. The broker rests for both, so that both do the same work; a third run has
// the relay publish beside it. It reports operations (a hold or a capture) a second, and the
// ratio. Run with -benchtime 5s.
func BenchmarkCredits(b *testing.B) {
	r := start(b)
	members := make([]string, benchMembers)
	for i := range members {
		members[i] = newMember()
		r.topUp(b, members[i], 1_000_000)
	}
	r.broker.Stop()
	var raw float64
	b.Run("RawSQL", func(b *testing.B) { raw = r.benchmarkRawSQL(b, members) })
	b.Run("HoldCapture", func(b *testing.B) { b.ReportMetric(r.benchmarkRPC(b, members)/raw, "ratio") })
	r.broker.Start()
	b.Run("HoldCapturePublishing", func(b *testing.B) { b.ReportMetric(r.benchmarkRPC(b, members)/raw, "ratio") })
}

// benchmarkRPC is the path that generation takes.
func (r *harness) benchmarkRPC(b *testing.B, members []string) float64 {
	b.Helper()
	c := r.credits(b, "generation")
	return measure(b, members, func(uid, key string) error {
		res, err := c.Hold(b.Context(), holdRequest(uid, 1, key))
		if err != nil {
			return err
		}
		_, err = c.Capture(b.Context(), &billingv1.CaptureRequest{HoldId: res.GetHold().GetId()})
		return err
	})
}

// benchmarkRawSQL is the limit: the same two statements with the same rows and payload sizes.
func (r *harness) benchmarkRawSQL(b *testing.B, members []string) float64 {
	b.Helper()
	held := [][]byte{make([]byte, 330), make([]byte, 330)}
	spent := make([]byte, 330)
	return measure(b, members, func(uid, key string) error {
		now := time.Now()
		hold, event := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
		var outcome string
		err := r.Pool.QueryRow(b.Context(), `SELECT outcome FROM hold_credits($1, $2, 1, $3, $4, '', $5, $6, $7, $8)`,
			hold, uid, key, "meditation:"+key, now, now.Add(10*time.Minute), []uuid.UUID{event, uuid.Must(uuid.NewV7())}, held).Scan(&outcome)
		if err != nil || outcome != "held" {
			return fmt.Errorf("hold: %s %w", outcome, err)
		}
		return r.Pool.QueryRow(b.Context(), `SELECT spend_hold($1, $2, $3, $4, $5, 2, NULL, NULL, NULL)`,
			hold, uid, time.Now(), uuid.Must(uuid.NewV7()), spent).Scan(&outcome)
	})
}

func measure(b *testing.B, members []string, pair func(uid, key string) error) float64 {
	b.Helper()
	var n atomic.Int64
	run := uuid.NewString()
	b.SetParallelism(benchCallers)
	b.ResetTimer()
	began := time.Now()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := n.Add(1)
			if err := pair(members[i%benchMembers], fmt.Sprint(run, i)); err != nil {
				b.Error(err)
				return
			}
		}
	})
	rate := float64(2*n.Load()) / time.Since(began).Seconds()
	b.ReportMetric(rate, "ops/s")
	require.NoError(b, b.Context().Err())
	return rate
}
