package session

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAnEndedSessionStaysEndedHoweverManyAreChecked(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_763_000_000, 0)
	c := newCache(func() time.Time { return now })
	c.end("ended")
	for i := range cacheSize + 1 {
		c.put(strconv.Itoa(i), &Session{}, now.Add(cacheLife))
	}
	c.put("ended", &Session{}, now.Add(cacheLife)) // by a check that was on its way
	s, known := c.get("ended")
	require.True(t, known)
	require.Nil(t, s)
	_, known = c.get("0")
	require.False(t, known, "the least recently checked made room")

	now = now.Add(endedLife)
	_, known = c.get("ended")
	require.False(t, known, "Redis is asked again")
}
