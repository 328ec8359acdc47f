package media

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/shared"
	"serein.app/services/platform/blob"
	"serein.app/services/testkit"
)

// oneSegment records the same few bytes whatever is to be said.
type oneSegment struct{}

func (oneSegment) DefaultNarrator(bool) recording.Narrator { return recording.Narrator{ID: "maren"} }

func (oneSegment) Record(_ context.Context, _ string, _ recording.Script, _ int, _ time.Duration,
	emit func(recording.Segment, []byte) error,
) error {
	return emit(recording.Segment{Duration: time.Second}, []byte("maren"))
}

func getGrounding(t *testing.T, store blob.Store, file, ranges string) *httptest.ResponseRecorder {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("GET /media/grounding/{file}", Shared(shared.New(shared.Grounding, store, oneSegment{}, time.Now, testkit.Logger(t)), testkit.Logger(t)))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/media/grounding/"+file, nil)
	if ranges != "" {
		r.Header.Set("Range", ranges)
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w
}

func TestTheGroundingIsServedInRangesAndNothingElseIs(t *testing.T) {
	t.Parallel()
	store, err := blob.Open("file://" + t.TempDir())
	require.NoError(t, err)
	l := shared.New(shared.Grounding, store, oneSegment{}, time.Now, testkit.Logger(t))
	require.NoError(t, l.Provide(t.Context()))
	made, err := l.Recording()
	require.NoError(t, err)

	whole := getGrounding(t, store, made.File, "")
	require.Equal(t, "maren", whole.Body.String())
	require.Equal(t, "audio/mpeg", whole.Header().Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", whole.Header().Get("Cache-Control"))
	part := getGrounding(t, store, made.File, "bytes=1-3")
	require.Equal(t, http.StatusPartialContent, part.Code)
	require.Equal(t, "are", part.Body.String())
	for _, other := range []string{"0000000000000000.mp3", "x.mp3", "..%2fsecret.mp3"} {
		require.Equal(t, http.StatusNotFound, getGrounding(t, store, other, "").Code, other)
	}
}

func TestAGroundingThatCannotBeReadIsABareStatusThatNobodyCaches(t *testing.T) {
	t.Parallel()
	w := getGrounding(t, failing{err: errors.New("secret path /var/blobs")}, "0123456789abcdef.mp3", "")
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.Empty(t, w.Body.String())
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
}
