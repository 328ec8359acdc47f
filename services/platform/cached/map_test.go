package cached_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/cached"
)

func TestAValueIsKeptUntilItsMoment(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_763_000_000, 0)
	m := cached.NewMap[string, int](4, func() time.Time { return now })
	m.Put("a second", 1, now.Add(time.Second))
	m.Keep("for ever", 2)
	m.Put("over", 3, now)
	m.Put("no moment", 4, time.Time{})
	found := func(key string) bool { _, ok := m.Get(key); return ok }
	require.True(t, found("a second"))
	require.True(t, found("for ever"))
	require.False(t, found("over"))
	require.False(t, found("no moment"))
	require.False(t, found("never put"))
	now = now.Add(time.Second - 1)
	require.True(t, found("a second"))
	now = now.Add(1)
	require.False(t, found("a second"))
	now = now.Add(1000 * time.Hour)
	require.True(t, found("for ever"))

	m.Put("a second", 5, now.Add(time.Second))
	got, ok := m.Get("a second")
	require.True(t, ok)
	require.Equal(t, 5, got, "the last that was put")
}

func TestTheLeastRecentlyUsedValueMakesRoom(t *testing.T) {
	t.Parallel()
	m := cached.NewMap[int, int](2, time.Now)
	for key := range 3 {
		m.Keep(key, key)
		_, ok := m.Get(0)
		require.True(t, ok, "it was used just now")
	}
	_, ok := m.Get(1)
	require.False(t, ok)
	_, ok = m.Get(2)
	require.True(t, ok)
	require.Panics(t, func() { cached.NewMap[int, int](0, time.Now) })
}

func TestWhatWasDroppedIsForgotten(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_763_000_000, 0)
	m := cached.NewMap[string, int](2, func() time.Time { return now })
	m.Keep("kept", 1)
	m.Put("over", 2, now)
	require.True(t, m.Drop("kept"))
	require.True(t, m.Drop("over"))
	require.False(t, m.Drop("kept"))
	_, ok := m.Get("kept")
	require.False(t, ok)
}
