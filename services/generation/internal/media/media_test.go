package media

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
)

// ready is a store with one finished meditation of one member.
type ready struct {
	meditation.Store
	uid, id uuid.UUID
}

func (r ready) Get(_ context.Context, uid, id uuid.UUID) (meditation.Meditation, error) {
	if uid != r.uid || id != r.id {
		return meditation.Meditation{}, meditation.ErrNotFound
	}
	return meditation.Meditation{ID: id, UID: uid, State: meditation.Ready, CreatedAt: time.Unix(0, 0)}, nil
}

func (r ready) SegmentSound(_ context.Context, uid, id uuid.UUID, _ int) (meditation.SegmentSound, error) {
	if uid != r.uid || id != r.id {
		return meditation.SegmentSound{}, meditation.ErrNotFound
	}
	return meditation.SegmentSound{State: meditation.Ready, Bytes: 3}, nil
}

// failing is a blob store whose every answer is an error.
type failing struct {
	blob.Store
	err error
}

func (f failing) Open(context.Context, string) (io.ReadSeekCloser, blob.Info, error) {
	return nil, blob.Info{}, f.err
}

// Only the gateway sends these requests. The status tells it whether to try again, and no cache may keep a failure.
func TestFailedReadAnswersOnlyAnUncachedStatus(t *testing.T) {
	t.Parallel()
	store := ready{uid: uuid.New(), id: uuid.New()}
	for name, c := range map[string]struct {
		err  error
		uid  uuid.UUID
		want int
	}{
		"another member's":      {nil, uuid.New(), http.StatusNotFound},
		"the store is away":     {errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "Away."), store.uid, http.StatusServiceUnavailable},
		"the file has vanished": {blob.ErrNotFound, store.uid, http.StatusNotFound},
		"anything else":         {errors.New("secret path /var/blobs"), store.uid, http.StatusInternalServerError},
	} {
		routes := Routes(meditation.New(meditation.Ports{Store: store, Blobs: failing{err: c.err}}), testkit.Logger(t))
		mux := http.NewServeMux()
		for pattern, handler := range routes {
			mux.Handle(pattern, handler)
		}
		for _, path := range []string{"/audio", "/download", "/segments/0"} {
			r := httptest.NewRequestWithContext(auth.WithMember(t.Context(), c.uid.String()), http.MethodGet, "/v1/meditations/"+store.id.String()+path, nil)
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			require.Equal(t, c.want, w.Code, name+path)
			require.Empty(t, w.Body.String(), name+path)
			require.Equal(t, "no-store", w.Header().Get("Cache-Control"), name+path)
		}
	}
}
