package tracks_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/tracks"
	"serein.app/services/platform/server"
	"serein.app/services/testkit"
)

// ask gives the answer to a request for a track while the test goes on.
func ask(ctx context.Context, s *tracks.Library, id string) <-chan *httptest.ResponseRecorder {
	answer := make(chan *httptest.ResponseRecorder, 1)
	go func() {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		r.SetPathValue("file", s.Entry(id).File)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		answer <- w
	}()
	return answer
}

func TestARequestWaitsForTheSoundThatIsBeingMade(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	synctest.Test(t, func(t *testing.T) {
		m := newSynthesiser("v1")
		m.begin = make(chan struct{})
		library := newLibrary(t, store, m)
		ended := make(chan error, 1)
		go func() { ended <- library.Run(t.Context()) }()
		answer := ask(t.Context(), library, "rain")
		synctest.Wait()
		require.Empty(t, answer)
		close(m.begin)
		w := <-answer
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, "rainv1", w.Body.String())
		require.NoError(t, <-ended)
	})
}

func TestARequestWaitsTwentySecondsAtMost(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	synctest.Test(t, func(t *testing.T) {
		asked := time.Now()
		w := <-ask(t.Context(), newLibrary(t, store, newSynthesiser("v1")), "rain")
		require.Equal(t, 20*time.Second, time.Since(asked))
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.Equal(t, "5", w.Header().Get("Retry-After"))
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	})
}

func TestAStoredTrackIsServedBeforeAnybodyHasLookedForIt(t *testing.T) {
	t.Parallel()
	store, m := newStore(t), newSynthesiser("v1")
	require.NoError(t, newLibrary(t, store, m).Run(t.Context()))
	require.Equal(t, http.StatusOK, (<-ask(t.Context(), newLibrary(t, store, m), "rain")).Code)
}

func TestAShutdownWaitsForNobodysTrack(t *testing.T) {
	t.Parallel()
	library, inside := newLibrary(t, newStore(t), newSynthesiser("v1")), make(chan struct{})
	srv := server.New("test", server.Config{Addr: "127.0.0.1:0"}, testkit.Telemetry(t))
	answer := make(chan *httptest.ResponseRecorder, 1)
	srv.Handle("GET /", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(inside)
		answer <- <-ask(r.Context(), library, "rain")
	}))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()
	addr, err := srv.Addr(t.Context())
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+"/", nil)
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
