package memory

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func fixed() time.Time { return time.Unix(1_763_000_000, 0) }

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	m, err := New[int](fixed)
	require.NoError(t, err)
	for i := range size + 1 {
		m.Put(strconv.Itoa(i), i, fixed())
	}
	_, ok := m.Recent("0", time.Second)
	require.False(t, ok, "the oldest made room")
	last, ok := m.Recent(strconv.Itoa(size), time.Second)
	require.True(t, ok)
	require.Equal(t, size, last)
	require.Equal(t, size, m.answers.Len())
}
