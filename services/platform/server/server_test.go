package server_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/server"
	"serein.app/services/testkit"
)

func TestAShutdownFinishesRequestsThenLoopsThenClosesInReverse(t *testing.T) {
	t.Parallel()
	inside, release := make(chan struct{}), make(chan struct{})
	var order []string
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Handle("GET /slow", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			close(inside)
			<-release
			if req.Context().Err() == nil { // what it has begun at the database is not cut either
				_, _ = io.WriteString(w, "finished")
			}
		}))
		s.Go("loop", func(ctx context.Context) error { <-ctx.Done(); close(release); return nil })
		s.Defer(func(ctx context.Context) error { order = append(order, "first opened"); return ctx.Err() })
		s.Defer(func(ctx context.Context) error { order = append(order, "last opened"); return ctx.Err() })
	})
	got := ask(t.Context(), r.url+"/slow")
	<-inside
	r.stop()
	require.NoError(t, <-r.done)
	require.Equal(t, answer{code: http.StatusOK, body: "finished"}, <-got, "the request outlived the signal")
	require.Equal(t, []string{"last opened", "first opened"}, order)
}

// While the load balancer still sends calls, what they ask for is still worked on.
func TestLoopsGoOnWhileTheServerDrains(t *testing.T) {
	t.Parallel()
	const delay = 300 * time.Millisecond
	ended := make(chan time.Time, 1)
	r := start(t, server.Config{DrainDelay: delay}, func(s *server.Server) {
		s.Go("loop", func(ctx context.Context) error { <-ctx.Done(); ended <- time.Now(); return nil })
	})
	begun := time.Now()
	r.stop()
	require.NoError(t, <-r.done)
	require.GreaterOrEqual(t, (<-ended).Sub(begun), delay)
}

func TestStreamsHearOfTheShutdown(t *testing.T) {
	t.Parallel()
	inside := make(chan struct{})
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Handle("GET /stream", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			close(inside)
			<-server.Stopping(req.Context())
			_, _ = io.WriteString(w, "bye")
		}))
	})
	got := ask(t.Context(), r.url+"/stream")
	<-inside
	r.stop()
	require.Equal(t, answer{code: http.StatusOK, body: "bye"}, <-got)
	require.NoError(t, <-r.done)
}

func TestALoopThatFailsEndsTheService(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Go("loop", func(context.Context) error { return broken })
	})
	require.ErrorIs(t, <-r.done, broken)
}

func TestABodyOverTheLimitIsCutOff(t *testing.T) {
	t.Parallel()
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Handle("POST /body", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if _, err := io.Copy(io.Discard, req.Body); err != nil {
				w.WriteHeader(http.StatusRequestEntityTooLarge)
			}
		}))
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+"/body", io.LimitReader(endless{}, 1<<30))
	require.NoError(t, err)
	res, err := (&http.Client{Timeout: testkit.Patience}).Do(req)
	if err == nil {
		require.Equal(t, http.StatusRequestEntityTooLarge, res.StatusCode)
		require.NoError(t, res.Body.Close())
	} else {
		// The server closed the connection while the rest was still being sent.
		require.True(t, strings.Contains(err.Error(), "broken pipe") || strings.Contains(err.Error(), "reset"), err.Error())
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
