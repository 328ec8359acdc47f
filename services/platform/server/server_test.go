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
	"serein.app/services/platform/testkit"
)

type running struct {
	*server.Server
	url  string
	stop context.CancelFunc
	done chan error
}

func start(t *testing.T, cfg server.Config, add func(*server.Server)) *running {
	t.Helper()
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:0"
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{Server: server.New("test", cfg, testkit.Telemetry(t)), stop: cancel, done: make(chan error, 1)}
	add(r.Server)
	go func() { r.done <- r.Run(ctx) }()
	addr, err := r.Addr(ctx)
	require.NoError(t, err)
	r.url = "http://" + addr
	t.Cleanup(cancel)
	return r
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	got := <-ask(t.Context(), url)
	require.NoError(t, got.err)
	return got.code, got.body
}

type answer struct {
	code int
	body string
	err  error
}

// ask sends a request while the test goes on.
func ask(ctx context.Context, url string) <-chan answer {
	answers := make(chan answer, 1)
	go func() {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			answers <- answer{err: err}
			return
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			answers <- answer{err: err}
			return
		}
		body, err := io.ReadAll(res.Body)
		answers <- answer{res.StatusCode, string(body), errors.Join(err, res.Body.Close())}
	}()
	return answers
}

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

func TestAShutdownFinishesRequestsThenLoopsThenClosesInReverse(t *testing.T) {
	t.Parallel()
	inside, release := make(chan struct{}), make(chan struct{})
	var order []string
	r := start(t, server.Config{}, func(s *server.Server) {
		s.Handle("GET /slow", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(inside)
			<-release
			_, _ = io.WriteString(w, "finished")
		}))
		s.Go("loop", func(ctx context.Context) error { <-ctx.Done(); close(release); return nil })
		s.Defer(func(context.Context) error { order = append(order, "first opened"); return nil })
		s.Defer(func(context.Context) error { order = append(order, "last opened"); return nil })
	})
	got := ask(t.Context(), r.url+"/slow")
	<-inside
	r.stop()
	require.NoError(t, <-r.done)
	require.Equal(t, answer{code: http.StatusOK, body: "finished"}, <-got, "the request outlived the signal")
	require.Equal(t, []string{"last opened", "first opened"}, order)
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
		s.Handle("POST /", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if _, err := io.Copy(io.Discard, req.Body); err != nil {
				w.WriteHeader(http.StatusRequestEntityTooLarge)
			}
		}))
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+"/", io.LimitReader(endless{}, 1<<30))
	require.NoError(t, err)
	res, err := (&http.Client{Timeout: 20 * time.Second}).Do(req)
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
