package meditation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The queue may have been looked at a moment before what was accepted stood in it.
func TestWhatWasAcceptedWhileTheQueueWasLookedAtIsNotForgotten(t *testing.T) {
	t.Parallel()
	a := &admission{}
	see := func(waits time.Duration) { a.look(Load{Known: true, Rate: time.Second, Sound: waits}) }
	see(0)
	running, _ := a.admit(5 * time.Minute)
	require.Positive(t, running)
	a.release(5*time.Minute, true)

	see(0) // it was not there yet
	running, wait := a.admit(5 * time.Minute)
	require.Zero(t, running, "ten minutes are more than there is time for")
	require.Positive(t, wait)

	see(5 * time.Minute)
	see(5 * time.Minute)
	running, _ = a.admit(time.Minute)
	require.Equal(t, MaxRunning, running, "and it is counted once")
}
