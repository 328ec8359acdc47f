package narration

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Who asked for a meditation just now hears something before those who listen already get more.
func TestFirstSegmentsComeBeforeAllOthers(t *testing.T) {
	t.Parallel()
	workers := &prioritySemaphore{free: 1}
	require.NoError(t, workers.acquire(t.Context(), false))
	came := make(chan string)
	wait := func(name string, first bool, before int) {
		go func() {
			if workers.acquire(t.Context(), first) == nil {
				came <- name
			}
		}()
		require.Eventually(t, func() bool { return workers.waiting() == before+1 }, time.Minute, time.Millisecond)
	}
	wait("third", false, 0)
	wait("fourth", false, 1)
	wait("first", true, 2)
	wait("second", true, 3)
	for _, name := range []string{"first", "second", "third", "fourth"} {
		workers.release()
		require.Equal(t, name, <-came)
	}
}

// However callers come, give up and go, no worker is lost and none is there twice.
func TestWorkersAreNeitherLostNorDoubled(t *testing.T) {
	t.Parallel()
	const n = 3
	workers := &prioritySemaphore{free: n}
	var busy atomic.Int32
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range 50 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(200))*time.Microsecond)
				if workers.acquire(ctx, rand.IntN(2) == 0) == nil {
					if busy.Add(1) > n {
						t.Error("more work than workers")
					}
					busy.Add(-1)
					workers.release()
				}
				cancel()
			}
		})
	}
	all.Wait()
	require.Equal(t, n, workers.free)
	require.Zero(t, workers.waiting())
}

func (s *prioritySemaphore) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.high) + len(s.usual)
}
