package media

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
	"serein.app/services/testkit"
)

// named is a store with one meditation of one member, under a title that may change.
type named struct {
	ready
	title string
	state meditation.State
}

func (n *named) Get(ctx context.Context, uid, id uuid.UUID) (meditation.Meditation, error) {
	m, err := n.ready.Get(ctx, uid, id)
	m.Title, m.NarratorName, m.Expected, m.State = "Rain", "Maren", 215*time.Second, n.state
	m.NewTitle = n.title
	return m, err
}

// downloads answers requests for the download of the one meditation.
func downloads(t *testing.T, sound sound) (store *named, get func(uid, id uuid.UUID, headers ...string) *httptest.ResponseRecorder) {
	t.Helper()
	store = &named{ready: ready{uid: uuid.New(), id: uuid.New()}, state: meditation.Ready}
	mux := http.NewServeMux()
	for pattern, h := range Routes(meditation.New(meditation.Ports{Store: store, Blobs: sound}), testkit.Logger(t)) {
		mux.Handle(pattern, h)
	}
	return store, func(uid, id uuid.UUID, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(auth.WithMember(t.Context(), uid.String()), http.MethodGet, "/v1/meditations/"+id.String()+"/download", nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w
	}
}

func TestDownloadIsTheSoundBehindItsTag(t *testing.T) {
	t.Parallel()
	mp3 := bytes.Repeat([]byte("0123456789abcdef"), 12)
	store, get := downloads(t, sound{mp3: mp3})
	whole := get(store.uid, store.id)
	require.Equal(t, http.StatusOK, whole.Code)
	require.Equal(t, "audio/mpeg", whole.Header().Get("Content-Type"))
	require.Equal(t, blob.Private, whole.Header().Get("Cache-Control"))
	require.Equal(t, `attachment; filename="Rain - Serein.mp3"; filename*=UTF-8''Rain%20%E2%80%93%20Serein.mp3`, whole.Header().Get("Content-Disposition"))
	body := whole.Body.Bytes()
	require.Equal(t, strconv.Itoa(len(body)), whole.Header().Get("Content-Length"))
	require.True(t, bytes.HasPrefix(body, []byte("ID3\x03\x00")))
	require.True(t, bytes.HasSuffix(body, mp3))
	head := len(body) - len(mp3)

	for _, bounds := range [][2]int{{0, 9}, {head - 3, head + 4}, {head + 1, len(body) - 1}} {
		part := get(store.uid, store.id, "Range", "bytes="+strconv.Itoa(bounds[0])+"-"+strconv.Itoa(bounds[1]))
		require.Equal(t, http.StatusPartialContent, part.Code)
		require.Equal(t, body[bounds[0]:bounds[1]+1], part.Body.Bytes())
		require.Equal(t, "bytes "+strconv.Itoa(bounds[0])+"-"+strconv.Itoa(bounds[1])+"/"+strconv.Itoa(len(body)), part.Header().Get("Content-Range"))
	}
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable, get(store.uid, store.id, "Range", "bytes="+strconv.Itoa(len(body))+"-").Code)
	tag := whole.Header().Get("Etag")
	require.Equal(t, http.StatusNotModified, get(store.uid, store.id, "If-None-Match", tag).Code)

	// A download that goes on after the member has renamed the meditation begins again.
	store.title = "The long rain"
	again := get(store.uid, store.id, "Range", "bytes=5-", "If-Range", tag)
	require.Equal(t, http.StatusOK, again.Code)
	require.NotEqual(t, tag, again.Header().Get("Etag"))
	require.Contains(t, again.Header().Get("Content-Disposition"), `"The long rain - Serein.mp3"`)
}

func TestOnlyTheOwnerDownloadsAndOnlyWhatIsReady(t *testing.T) {
	t.Parallel()
	store, get := downloads(t, sound{mp3: []byte("0123456789abcdef")})
	foreign, none := get(uuid.New(), store.id), get(store.uid, uuid.New())
	require.Equal(t, http.StatusNotFound, foreign.Code)
	require.Equal(t, none.Header(), foreign.Header())
	require.Equal(t, none.Body, foreign.Body)
	for _, state := range []meditation.State{meditation.Narrating, meditation.Finishing, meditation.Cancelled, meditation.Refunded, meditation.Deleted} {
		store.state = state
		require.Equal(t, http.StatusNotFound, get(store.uid, store.id).Code, state)
	}
}
