package generation

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// Without more threads, requests, heartbeats and members' streams would wait for each recorder's sentence.
func TestRecordersLeaveThreadsForOtherGoroutines(t *testing.T) { //nolint:paralleltest // it is the process's
	cfg := Config{}
	recorders := cfg.recorderWorkers()
	raiseGOMAXPROCS(recorders)
	require.GreaterOrEqual(t, runtime.GOMAXPROCS(0)-recorders, processors)
	require.Equal(t, recorders, cfg.recorderWorkers(), "more threads are no more processors")
}
