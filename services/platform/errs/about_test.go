package errs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/errs"
)

func TestAWaitingTimeIsNeverSaidShorterThanItIs(t *testing.T) {
	t.Parallel()
	for wait, words := range map[time.Duration]string{
		time.Millisecond: "a few seconds", 10 * time.Second: "a few seconds",
		10*time.Second + 1: "about 20 seconds", 50 * time.Second: "about 50 seconds",
		50*time.Second + 1: "about a minute", time.Minute: "about a minute",
		time.Minute + 1: "about 2 minutes", 90 * time.Minute: "about 90 minutes",
		90*time.Minute + 1: "about 2 hours", 5*time.Hour + time.Second: "about 6 hours",
	} {
		require.Equal(t, words, errs.About(wait), wait)
	}
}
