package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/server"
	"serein.app/services/platform/telemetry"
)

type running struct {
	*server.Server
	log  *journal
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
	log := &journal{}
	tel, err := telemetry.SetupTo(ctx, "test", io.MultiWriter(log, t.Output()))
	require.NoError(t, err)
	r := &running{Server: server.New("test", cfg, tel), log: log, stop: cancel, done: make(chan error, 1)}
	add(r.Server)
	go func() { r.done <- r.Run(ctx) }()
	addr, err := r.Addr(ctx)
	require.NoError(t, err)
	r.url = "http://" + addr
	t.Cleanup(cancel)
	return r
}

// journal is what the server has logged.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, string(line))
	return len(line), nil
}

// about gives the records that mention a word.
func (j *journal) about(word string) (records []map[string]any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, line := range j.lines {
		var record map[string]any
		if strings.Contains(line, word) && json.Unmarshal([]byte(line), &record) == nil {
			records = append(records, record)
		}
	}
	return records
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
