package media

import (
	"context"
	"io"
	"log/slog"
	"net/http"

	"serein.app/services/platform/blob"
)

// Recordings are those that belong to no member; see shared.Library.
type Recordings interface {
	Open(ctx context.Context, file string) (io.ReadSeekCloser, error)
}

// Shared answers GET …/{file} with the recording of that name.
func Shared(l Recordings, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("file")
		open := func() (io.ReadSeekCloser, error) { return l.Open(r.Context(), name) }
		serve(w, r, log, open, blob.Served{Type: soundType, Caching: blob.Immutable, Tag: name})
	})
}
