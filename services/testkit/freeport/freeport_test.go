package freeport_test

import (
	"fmt"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit/freeport"
)

func TestAPortIsFreeAndBelowThoseThatSystemsGive(t *testing.T) {
	t.Parallel()
	for range 20 {
		port, err := freeport.New()
		require.NoError(t, err)
		require.GreaterOrEqual(t, port, 10000)
		require.Less(t, port, 20000)
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		require.NoError(t, err)
		require.NoError(t, listener.Close())
	}
}
