package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// chromium is what the tests of this package share.
var chromium *Browser

func TestMain(m *testing.M) {
	started, quit, err := Start(context.Background(), blind{})
	code := 1
	if chromium = started; err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	quit()
	os.Exit(code)
}

// site serves pages by their paths, and what else a test answers itself.
func site(t *testing.T, pages map[string]string, answers map[string]http.HandlerFunc) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for path, body := range pages {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>A page</title><body>%s`, body)
		})
	}
	for route, answer := range answers {
		mux.HandleFunc(route, answer)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// counted answers after a time, with a text, and counts how often.
func counted(calls *atomic.Int64, after time.Duration, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		select {
		case <-time.After(after):
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, text)
	}
}

// impatient has a step fail after a second, once the tab is open.
func impatient(tab *Tab) {
	tab.limits = limits{patience: time.Second, answer: 500 * time.Millisecond, long: time.Second, report: time.Second}
}

// recorder is a test that may fail, and what it says then.
type recorder struct {
	testing.TB

	mu       sync.Mutex
	failed   bool
	said     strings.Builder
	cleanups []func()
}

func (r *recorder) Helper() {}

func (r *recorder) Cleanup(do func()) { r.cleanups = append(r.cleanups, do) }

func (r *recorder) Log(words ...any) { r.Errorf("%s", fmt.Sprint(words...)) }

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = true
	fmt.Fprintf(&r.said, format, args...)
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

func (r *recorder) FailNow() { runtime.Goexit() }

// try does something that may end its goroutine.
func (r *recorder) try(do func()) {
	var ended sync.WaitGroup
	ended.Go(do)
	ended.Wait()
}

// fault gives the words of a test that must fail, and how long it took to.
func fault(t *testing.T, do func(testing.TB)) (words string, took time.Duration) {
	t.Helper()
	t.Chdir(t.TempDir()) // the picture is kept there
	r := &recorder{TB: t}
	began := time.Now()
	r.try(func() { do(r) })
	took = time.Since(began)
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.try(r.cleanups[i])
	}
	require.True(t, r.Failed(), "nothing failed")
	return r.said.String(), took
}
