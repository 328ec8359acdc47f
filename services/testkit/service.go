package testkit

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/service"
)

// Serve runs a wired service until the test ends or stop is called, and gives its address.
func Serve(tb testing.TB, s *service.Service) (url string, stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			tb.Errorf("%s: %v", s.Name, err)
		}
	})
	tb.Cleanup(stop)
	addr, err := s.Addr(tb.Context())
	require.NoError(tb, err, s.Name)
	return "http://" + addr, stop
}
