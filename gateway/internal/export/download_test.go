package export

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestADownloadHasAnEndThatALineOfOneMegabitReaches(t *testing.T) {
	t.Parallel()
	require.Equal(t, 30*time.Minute, (&archive{}).sendTime())
	all := &archive{sound: []*meditation{{bytes: 128 << 20}, {bytes: 128 << 20}}}
	require.Equal(t, 30*time.Minute+2*1024*time.Second, all.sendTime())

	ctx, end := context.WithCancel(t.Context())
	var got bytes.Buffer
	_, err := untilDone{ctx, &got}.Write([]byte("a"))
	require.NoError(t, err)
	end()
	_, err = untilDone{ctx, &got}.Write([]byte("b"))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "a", got.String())
}
