package media

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/tracks"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/server"
	"serein.app/services/testkit"
)

// fakeSynthesiser makes a sound as soon as begin is closed.
type fakeSynthesiser struct{ begin chan struct{} }

func (fakeSynthesiser) Version() string { return "v1" }

func (fakeSynthesiser) Window() (start, length time.Duration) { return time.Second, time.Minute }

func (s fakeSynthesiser) Synthesise(_ context.Context, id string) ([]byte, error) {
	<-s.begin
	return []byte("sound of " + id), nil
}

func newLibrary(t *testing.T, store blob.Store) (l *tracks.Library, begin chan struct{}) {
	t.Helper()
	begin = make(chan struct{})
	return tracks.NewLibrary(store, fakeSynthesiser{begin}, []string{"ocean", "rain"}, time.Now, testkit.Logger(t)), begin
}

func newStore(t *testing.T) blob.Store {
	t.Helper()
	store, err := blob.Open("file://" + t.TempDir())
	require.NoError(t, err)
	return store
}

// ask gives the answer to a request for a track while the test goes on.
func ask(ctx context.Context, t *testing.T, l *tracks.Library, id string) <-chan *httptest.ResponseRecorder {
	t.Helper()
	answer, handler := make(chan *httptest.ResponseRecorder, 1), NewTracks(l, testkit.Logger(t))
	go func() {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		r.SetPathValue("file", l.Entry(id).File)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		answer <- w
	}()
	return answer
}

func TestARequestWaitsForTheSoundThatIsBeingMade(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	synctest.Test(t, func(t *testing.T) {
		library, begin := newLibrary(t, store)
		ended := make(chan error, 1)
		go func() { ended <- library.Provide(t.Context()) }()
		answer := ask(t.Context(), t, library, "rain")
		synctest.Wait()
		require.Empty(t, answer)
		close(begin)
		w := <-answer
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, "sound of rain", w.Body.String())
		require.NoError(t, <-ended)
	})
}

func TestARequestWaitsTwentySecondsAtMost(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	synctest.Test(t, func(t *testing.T) {
		library, _ := newLibrary(t, store)
		asked := time.Now()
		w := <-ask(t.Context(), t, library, "rain")
		require.Equal(t, deadline.Of(20*time.Second), time.Since(asked))
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.Equal(t, "5", w.Header().Get("Retry-After"))
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	})
}

func TestAStoredTrackIsServedBeforeAnybodyHasLookedForIt(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	first, begin := newLibrary(t, store)
	close(begin)
	require.NoError(t, first.Provide(t.Context()))
	second, _ := newLibrary(t, store)
	require.Equal(t, http.StatusOK, (<-ask(t.Context(), t, second, "rain")).Code)
}

func TestShutdownDoesNotWaitForTracks(t *testing.T) {
	t.Parallel()
	library, _ := newLibrary(t, newStore(t))
	inside := make(chan struct{})
	srv := server.New("test", server.Config{Addr: "127.0.0.1:0"}, testkit.Telemetry(t))
	answer := make(chan *httptest.ResponseRecorder, 1)
	srv.Handle("GET /tracks/", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(inside)
		answer <- <-ask(r.Context(), t, library, "rain")
	}))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()
	addr, err := srv.Addr(t.Context())
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+"/tracks/rain", nil)
	require.NoError(t, err)
	go func() {
		if res, err := http.DefaultClient.Do(req); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-inside
	stop()
	require.Equal(t, http.StatusServiceUnavailable, (<-answer).Code)
	require.NoError(t, <-ended)
}

// brokenStore is a store whose disk fails.
type brokenStore struct{ blob.Store }

func (brokenStore) Open(context.Context, string) (io.ReadSeekCloser, blob.Info, error) {
	return nil, blob.Info{}, errors.New("the disk is broken")
}

func TestATrackThatCannotBeReadIsAskedForAgainSoon(t *testing.T) {
	t.Parallel()
	library, _ := newLibrary(t, brokenStore{})
	w := <-ask(t.Context(), t, library, "rain")
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Equal(t, "5", w.Header().Get("Retry-After"))
	require.Empty(t, w.Body.String())
}
