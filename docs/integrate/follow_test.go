package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFailuresWaitTwiceAsLongEachTimeUpToABoundAndNotAfterAWhileThatWentWell(t *testing.T) {
	t.Parallel()
	var pauses []time.Duration
	for pause := nextPause(0, 0); len(pauses) < 9; pause = nextPause(pause, time.Second) {
		pauses = append(pauses, pause)
	}
	s := time.Second
	require.Equal(t, []time.Duration{s / 2, s, 2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s, 30 * s}, pauses)
	require.Equal(t, firstPause, nextPause(longestPause, time.Minute))
}

func TestNobodyIsLetInByWhatIsNoKeyAndNoKeyIsPrinted(t *testing.T) {
	t.Parallel()
	for _, seed := range []string{"hunter2", "SUAHUNTER2HUNTER2HUNTER2"} {
		_, err := connect("nats://127.0.0.1:1", seed, certificates{})
		require.ErrorContains(t, err, "NATS_NKEY")
		require.NotContains(t, err.Error(), seed)
	}
}
