package outbox_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/testkit"
)

// follower is somebody who keeps copies and hears what becomes of them.
type follower struct {
	mu     sync.Mutex
	heard  map[string]bool
	upto   time.Time
	missed int
}

func (b *bundle) follow() *follower {
	b.t.Helper()
	f := &follower{heard: map[string]bool{}}
	conn, err := bus.Connect(b.broker.URL, "gateway", testkit.Logger(b.t))
	require.NoError(b.t, err)
	b.t.Cleanup(conn.Close)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = conn.Follow(ctx, bus.Follower{Service: "identity", Handle: f.handle, Upto: f.progress})
	}()
	b.t.Cleanup(func() { cancel(); <-ended })
	return f
}

func (f *follower) handle(e *eventsv1.Envelope) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heard[e.GetUid()] = true
}

func (f *follower) progress(then time.Time, whole bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.upto = then
	if !whole {
		f.missed++
	}
}

// misses is how often the follower was told that it may have missed something.
func (f *follower) misses() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.missed
}

// told waits until a watermark says that the follower has all changes made by now.
func (b *bundle) told(f *follower) {
	b.t.Helper()
	now := time.Now()
	require.Eventually(b.t, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.upto.After(now)
	}, patience, look)
}

func TestAFollowerIsToldUpToWhenItHasHeardOfEveryChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.follow()
	b.told(f)
	require.Equal(t, 1, f.misses(), "whatever was before")
	for _, uid := range []string{"one", "two", "three"} {
		b.register(uid)
		b.told(f)
		f.mu.Lock()
		require.True(t, f.heard[uid], "its change was made before")
		f.mu.Unlock()
	}
	require.Equal(t, 1, f.misses())
}

func TestAFollowerIsToldThatItMayHaveMissedSomething(t *testing.T) {
	t.Parallel()
	t.Run("while the broker was away", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := b.follow()
		b.told(f)
		b.broker.Stop()
		b.register("one")
		b.broker.Start()
		b.told(f)
		require.Greater(t, f.misses(), 1)
	})
	t.Run("while another relay led", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := b.follow()
		b.told(f)
		b.halt()
		b.work()
		b.told(f)
		require.Equal(t, 2, f.misses())
	})
	t.Run("of what somebody else published", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := b.follow()
		b.told(f)
		other, err := bus.Connect(b.broker.URL, "identity", testkit.Logger(t))
		require.NoError(t, err)
		t.Cleanup(other.Close)
		require.Eventually(t, func() bool {
			_, err := other.Publish(t.Context(), bus.StreamName("identity"), []bus.Message{{ID: "x", Subject: subject, Data: []byte("no event")}})
			return err == nil
		}, patience, look)
		b.told(f)
		require.Greater(t, f.misses(), 1)
	})
}
