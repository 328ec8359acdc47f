package tracks_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/tracks"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/pause"
	"serein.app/services/testkit"
)

// fakeSynthesiser counts the sounds that it makes. A test can make it fail a number of times, or wait.
type fakeSynthesiser struct {
	version string
	begin   chan struct{} // nil: at once
	mu      sync.Mutex
	made    map[string]int
	fail    int
}

func (m *fakeSynthesiser) Version() string { return m.version }

func (*fakeSynthesiser) Window() (start, length time.Duration) { return time.Second, time.Minute }

func (m *fakeSynthesiser) Synthesise(_ context.Context, id string) ([]byte, error) {
	if m.begin != nil {
		<-m.begin
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if id == "ocean" && m.fail > 0 {
		m.fail--
		return nil, errors.New("the disk is full")
	}
	m.made[id]++
	return []byte(id + m.version), nil
}

func newSynthesiser(version string) *fakeSynthesiser {
	return &fakeSynthesiser{version: version, made: map[string]int{}}
}

func newStore(t *testing.T) blob.Store {
	t.Helper()
	store, err := blob.Open("file://" + t.TempDir())
	require.NoError(t, err)
	return store
}

func newLibrary(t *testing.T, store blob.Store, m *fakeSynthesiser) *tracks.Library {
	t.Helper()
	return tracks.NewLibrary(store, m, []string{"ocean", "rain"}, time.Now, testkit.Logger(t))
}

// kept says whether a track's file is in the store.
func kept(t *testing.T, store blob.Store, s *tracks.Library, id string) bool {
	t.Helper()
	file, _, err := store.Open(t.Context(), "tracks/"+s.Entry(id).File)
	if err != nil {
		require.ErrorIs(t, err, blob.ErrNotFound)
		return false
	}
	require.NoError(t, file.Close())
	return true
}

func TestTracksAreMadeOnceAndFoundAgain(t *testing.T) {
	t.Parallel()
	store, m := newStore(t), newSynthesiser("v1")
	first, second := newLibrary(t, store, m), newLibrary(t, store, m)
	require.NoError(t, first.Provide(t.Context()))
	require.True(t, kept(t, store, first, "rain"))
	require.NoError(t, second.Provide(t.Context()))
	require.Equal(t, map[string]int{"ocean": 1, "rain": 1}, m.made)
	require.Equal(t, first.Entry("rain"), second.Entry("rain"))
}

func TestATrackIsKnownBeforeItIsMade(t *testing.T) {
	t.Parallel()
	e := newLibrary(t, newStore(t), newSynthesiser("v1")).Entry("rain")
	require.Regexp(t, `^rain-[0-9a-f]{16}\.mp3$`, e.File)
	require.EqualValues(t, 1000, e.LoopStartMs)
	require.EqualValues(t, 60000, e.LoopLengthMs)
}

func TestAnotherVersionMakesOtherFilesAndKeepsTheOld(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	old, renewed := newLibrary(t, store, newSynthesiser("v1")), newLibrary(t, store, newSynthesiser("v2"))
	require.NoError(t, old.Provide(t.Context()))
	require.NoError(t, renewed.Provide(t.Context()))
	require.NotEqual(t, old.Entry("rain").File, renewed.Entry("rain").File)
	require.True(t, kept(t, store, old, "rain"))
}

func TestALostFileIsMadeAgain(t *testing.T) {
	t.Parallel()
	store, m := newStore(t), newSynthesiser("v1")
	library := newLibrary(t, store, m)
	require.NoError(t, library.Provide(t.Context()))
	require.NoError(t, store.Delete(t.Context(), "tracks/"+library.Entry("rain").File))
	require.NoError(t, newLibrary(t, store, m).Provide(t.Context()))
	require.Equal(t, map[string]int{"ocean": 1, "rain": 2}, m.made)
}

// An operator may empty the bucket or replace the disk while the process runs.
func TestLostFileIsMadeAgainOnRequest(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	synctest.Test(t, func(t *testing.T) {
		m := newSynthesiser("v1")
		library := newLibrary(t, store, m)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- library.Run(ctx) }()
		rain := library.Entry("rain").File
		<-library.Stored(rain)
		for again := 2; again < 5; again++ {
			require.NoError(t, store.Delete(t.Context(), "tracks/"+rain))
			lost := time.Now()
			for range 10 {
				_, err := library.Open(t.Context(), rain)
				require.ErrorIs(t, err, tracks.ErrNotYet)
			}
			<-library.Stored(rain)
			require.LessOrEqual(t, time.Since(lost), 30*time.Second)
			require.Equal(t, map[string]int{"ocean": 1, "rain": again}, m.made, "once, however many ask")
			file, err := library.Open(t.Context(), rain)
			require.NoError(t, err)
			require.NoError(t, file.Close())
		}
		stop()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
}

// forgetful keeps nothing.
type forgetful struct{ blob.Store }

func (forgetful) Put(context.Context, string, io.Reader, int64) error { return nil }

func TestAStoreThatKeepsNothingCostsNoMoreThanATryEveryHalfMinute(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	synctest.Test(t, func(t *testing.T) {
		m := newSynthesiser("v1")
		library := newLibrary(t, forgetful{store}, m)
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute+time.Second)
		defer stop()
		ended := make(chan error, 1)
		go func() { ended <- library.Run(ctx) }()
		for pause.For(ctx, time.Second) == nil {
			_, err := library.Open(ctx, library.Entry("rain").File)
			require.ErrorIs(t, err, tracks.ErrNotYet)
		}
		require.ErrorIs(t, <-ended, context.DeadlineExceeded)
		require.LessOrEqual(t, m.made["rain"], 21)
	})
}

func TestATrackThatFailsIsTriedAgainAndHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	synctest.Test(t, func(t *testing.T) {
		m := newSynthesiser("v1")
		m.fail = 2
		library := newLibrary(t, store, m)
		ended := make(chan error, 1)
		go func() { ended <- library.Provide(t.Context()) }()
		synctest.Wait()
		require.False(t, kept(t, store, library, "ocean"))
		require.True(t, kept(t, store, library, "rain"))
		require.NoError(t, <-ended)
		require.True(t, kept(t, store, library, "ocean"))
	})
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	m := newSynthesiser("v1")
	m.fail = 1 << 20
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, newLibrary(t, newStore(t), m).Run(ctx), context.Canceled)
}
