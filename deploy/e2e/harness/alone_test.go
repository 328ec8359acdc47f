package harness

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOneProcessAtATimeStartsAProduct(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	unlock, err := alone(t.Context(), root)
	require.NoError(t, err)
	left, leave := context.WithCancel(t.Context())
	leave()
	_, err = alone(left, root)
	require.ErrorIs(t, err, context.Canceled)

	next := make(chan error)
	go func() {
		unlock, err := alone(t.Context(), root)
		if err == nil {
			unlock()
		}
		next <- err
	}()
	unlock()
	require.NoError(t, <-next)
}
