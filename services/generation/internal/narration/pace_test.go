package narration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestThePaceIsKnownOnceAsManySegmentsWereMeasuredAsItRemembers(t *testing.T) {
	t.Parallel()
	var p pace
	p.observe(10*time.Second, time.Second) // warms the process up
	for range memory - 2 {
		p.observe(50*time.Millisecond, time.Second)
		require.Zero(t, p.known())
	}
	p.observe(50*time.Millisecond, 0) // says nothing
	require.Zero(t, p.known())
	p.observe(50*time.Millisecond, time.Second)
	require.InDelta(t, (10+15*0.05)/16, p.known().Seconds(), 1e-6, "all count the same")
	for range 10 * memory {
		p.observe(50*time.Millisecond, time.Second)
	}
	require.InDelta(t, 0.05, p.known().Seconds(), 0.001, "it follows the machine")
}
