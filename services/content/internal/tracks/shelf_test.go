package tracks_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/tracks"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/testkit"
)

// maker counts what it makes and fails as often as it is told.
type maker struct {
	recipe string
	mu     sync.Mutex
	made   map[string]int
	fail   int
}

func (m *maker) Recipe() string { return m.recipe }

func (m *maker) Make(_ context.Context, id string) (tracks.Sound, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if id == "rain" && m.fail > 0 {
		m.fail--
		return tracks.Sound{}, errors.New("the disk is full")
	}
	m.made[id]++
	return tracks.Sound{MP3: []byte(id + m.recipe), LoopStart: time.Second, LoopLength: time.Minute}, nil
}

func newMaker(recipe string) *maker { return &maker{recipe: recipe, made: map[string]int{}} }

func newStore(t *testing.T) blob.Store {
	t.Helper()
	store, err := blob.Open("file://" + t.TempDir())
	require.NoError(t, err)
	return store
}

func newShelf(t *testing.T, store blob.Store, m *maker) *tracks.Shelf {
	t.Helper()
	return tracks.NewShelf(store, m, []string{"ocean", "rain"}, testkit.Logger(t))
}

func TestTracksAreMadeOnceAndFoundAgain(t *testing.T) {
	t.Parallel()
	store, m := newStore(t), newMaker("v1")
	first := newShelf(t, store, m)
	require.Error(t, first.Ready(t.Context()))
	require.NoError(t, first.Run(t.Context()))
	require.NoError(t, first.Ready(t.Context()))
	second := newShelf(t, store, m)
	require.NoError(t, second.Run(t.Context()))
	require.Equal(t, map[string]int{"ocean": 1, "rain": 1}, m.made)
	one, _ := first.Entry("rain")
	two, ok := second.Entry("rain")
	require.True(t, ok)
	require.Equal(t, one, two)
	require.EqualValues(t, 1000, two.LoopStartMs)
	require.EqualValues(t, 60000, two.LoopLengthMs)
}

func TestAnotherRecipeMakesOtherFilesAndKeepsTheOld(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	old, anew := newShelf(t, store, newMaker("v1")), newShelf(t, store, newMaker("v2"))
	require.NoError(t, old.Run(t.Context()))
	require.NoError(t, anew.Run(t.Context()))
	before, _ := old.Entry("rain")
	after, _ := anew.Entry("rain")
	require.NotEqual(t, before.File, after.File)
	file, _, err := store.Open(t.Context(), "tracks/"+before.File)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

func TestALostFileOrABrokenNoteIsMadeAgain(t *testing.T) {
	t.Parallel()
	store, m := newStore(t), newMaker("v1")
	shelf := newShelf(t, store, m)
	require.NoError(t, shelf.Run(t.Context()))
	e, _ := shelf.Entry("rain")
	require.NoError(t, store.Delete(t.Context(), "tracks/"+e.File))
	require.NoError(t, store.Put(t.Context(), "tracks/notes/ocean.v1.json", strings.NewReader("{"), 1))
	require.NoError(t, newShelf(t, store, m).Run(t.Context()))
	require.Equal(t, map[string]int{"ocean": 2, "rain": 2}, m.made)
}

func TestATrackThatFailsIsTriedAgainAndKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	synctest.Test(t, func(t *testing.T) {
		m := newMaker("v1")
		m.fail = 2
		shelf := newShelf(t, store, m)
		ended := make(chan error, 1)
		go func() { ended <- shelf.Run(t.Context()) }()
		synctest.Wait()
		require.NoError(t, shelf.Ready(t.Context()))
		_, ok := shelf.Entry("rain")
		require.False(t, ok)
		_, ok = shelf.Entry("ocean")
		require.True(t, ok)
		require.NoError(t, <-ended)
		_, ok = shelf.Entry("rain")
		require.True(t, ok)
	})
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	m := newMaker("v1")
	m.fail = 1 << 20
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, newShelf(t, newStore(t), m).Run(ctx), context.Canceled)
}
