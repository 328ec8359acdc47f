package roles

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/errs"
)

func fixed() time.Time { return time.Unix(1_763_000_000, 0) }

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	m, err := newMemory[int](fixed)
	require.NoError(t, err)
	for i := range remembered + 1 {
		m.put(strconv.Itoa(i), i, fixed())
	}
	_, ok := m.recent("0", time.Second)
	require.False(t, ok, "the oldest made room")
	last, ok := m.recent(strconv.Itoa(remembered), time.Second)
	require.True(t, ok)
	require.Equal(t, remembered, last)
	require.Equal(t, remembered, m.answers.Len())
}

func TestARuleThatNamesNoRoleLetsNobodyIn(t *testing.T) {
	t.Parallel()
	r, err := New(nil, nil, fixed)
	require.NoError(t, err)
	_, err = r.As(t.Context(), "0192f0c1-0000-7000-8000-00000000000a", 0, "")
	require.ErrorIs(t, err, errs.ErrInternal)
	_, err = r.As(t.Context(), "0192f0c1-0000-7000-8000-00000000000a", Members, "")
	require.NoError(t, err)
}
