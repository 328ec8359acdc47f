package rest

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheWaitLeavesTimeForTheAnswerWithinTheMinuteThatIsPromised(t *testing.T) {
	t.Parallel()
	api, err := New(Config{Log: slog.New(slog.DiscardHandler), Now: time.Now})
	require.NoError(t, err)
	require.Equal(t, time.Minute, api.Wait+answerTime)
	require.GreaterOrEqual(t, answerTime, 5*time.Second)
}
