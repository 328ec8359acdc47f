package seclog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/seclog"
)

// The lines of a log and its figures of left-out lines add up to the number of events.
func TestLinesThatWereLeftOutAreToldOnce(t *testing.T) {
	t.Parallel()
	j := start(t, secret)
	failure := seclog.Event{Kind: seclog.SignIn, Outcome: seclog.Failure}
	for range 30 {
		j.Record(t.Context(), failure)
	}
	require.Len(t, j.lines(t), 20)
	j.clock.Move(1e9)
	j.Record(t.Context(), failure)
	j.Record(t.Context(), failure)
	lines := j.lines(t)
	require.Len(t, lines, 2)
	require.EqualValues(t, 10, lines[0]["lines_left_out"])
	require.NotContains(t, lines[1], "lines_left_out")
}
