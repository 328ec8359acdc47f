package narration

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// Who asked for a meditation just now hears something before those who listen already get more.
func TestFirstSegmentsComeBeforeAllOthers(t *testing.T) {
	t.Parallel()
	workers := newPrioritySemaphore(1)
	require.NoError(t, workers.acquire(t.Context(), false))
	came := make(chan string)
	wait := func(name string, first bool, before int) {
		go func() {
			if workers.acquire(t.Context(), first) == nil {
				came <- name
			}
		}()
		require.Eventually(t, func() bool { return workers.waiting() == before+1 }, testkit.Patience, time.Millisecond)
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

// A narration in the background leaves one worker free for a member who presses Generate, and is served after all who wait.
func TestSpareWorkerIsGivenOnlyWhenAnotherStaysFree(t *testing.T) {
	t.Parallel()
	workers := newPrioritySemaphore(2)
	require.NoError(t, workers.acquireSpare(t.Context()), "one is left")
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.ErrorIs(t, workers.acquireSpare(ctx), context.DeadlineExceeded, "the last one is no spare one")
	require.NoError(t, workers.acquire(t.Context(), true), "a member finds it free")

	came := make(chan string)
	go func() {
		if workers.acquireSpare(t.Context()) == nil {
			came <- "spare"
		}
	}()
	require.Eventually(t, func() bool { return workers.waiting() == 1 }, testkit.Patience, time.Millisecond)
	go func() {
		if workers.acquire(t.Context(), false) == nil {
			came <- "member"
		}
	}()
	require.Eventually(t, func() bool { return workers.waiting() == 2 }, testkit.Patience, time.Millisecond)
	workers.release()
	require.Equal(t, "member", <-came)
	workers.release()
	require.Equal(t, 1, workers.waiting(), "one free is not enough")
	workers.release()
	require.Equal(t, "spare", <-came)

	alone := newPrioritySemaphore(1)
	require.NoError(t, alone.acquireSpare(t.Context()), "the only one there is")
}

// However callers come, give up and go, no worker is lost and none is there twice.
func TestWorkersAreNeitherLostNorDoubled(t *testing.T) {
	t.Parallel()
	const n = 3
	workers := newPrioritySemaphore(n)
	var busy atomic.Int32
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range 50 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(200))*time.Microsecond)
				acquire := func(ctx context.Context) error { return workers.acquire(ctx, rand.IntN(2) == 0) }
				if rand.IntN(3) == 0 {
					acquire = workers.acquireSpare
				}
				if acquire(ctx) == nil {
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
	return len(s.high) + len(s.usual) + len(s.spare)
}
