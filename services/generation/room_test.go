package generation

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// What each recorder's sentence would keep waiting: requests, heartbeats, the stream of who listens.
func TestRecordersLeaveRoomForEverythingElse(t *testing.T) { //nolint:paralleltest // it is the process's
	cfg := Config{}
	recorders := cfg.recorderWorkers()
	leaveRoom(recorders)
	require.GreaterOrEqual(t, runtime.GOMAXPROCS(0)-recorders, processors)
	require.Equal(t, recorders, cfg.recorderWorkers(), "more threads are no more processors")
}
