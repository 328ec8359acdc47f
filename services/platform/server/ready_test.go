package server_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/server"
)

func TestReadinessNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	fault := errors.New("away")
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Ready("database", func(context.Context) error { return fault })
	})
	code, body := get(t, r.url+"/readyz")
	require.Equal(t, http.StatusServiceUnavailable, code)
	require.Contains(t, body, "database")
	code, _ = get(t, r.url+"/healthz")
	require.Equal(t, http.StatusOK, code)
}

func TestReadinessIsLoggedWhenItChangesAndNotWhenItIsAsked(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Ready("database", func(context.Context) error {
			if away.Load() {
				return errors.New("connection refused")
			}
			return nil
		})
	})
	for _, down := range []bool{true, false, true} {
		away.Store(down)
		for range 3 {
			get(t, r.url+"/readyz")
		}
	}
	logged := r.log.about("database")
	require.Len(t, logged, 3)
	for i, level := range []string{"WARN", "INFO", "WARN"} {
		require.Equal(t, level, logged[i]["level"])
	}
	require.Equal(t, "connection refused", logged[0]["error"])
}

func TestAnAskerWhoHasGoneSaysNothingAboutReadiness(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Ready("database", func(ctx context.Context) error {
			close(asked)
			<-ctx.Done()
			return ctx.Err()
		})
	})
	ctx, leave := context.WithCancel(t.Context())
	gone := ask(ctx, r.url+"/readyz")
	<-asked
	leave()
	require.ErrorIs(t, (<-gone).err, context.Canceled)
	r.stop()
	require.NoError(t, <-r.done)
	require.Empty(t, r.log.about("database"))
}
