package media

import (
	"io"
	"log/slog"
	"net/http"

	"serein.app/services/generation/internal/shared"
	"serein.app/services/platform/blob"
)

// Shared answers GET …/{file} with the recording of that name.
func Shared(l *shared.Library, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("file")
		open := func() (io.ReadSeekCloser, error) { return l.Open(r.Context(), name) }
		serve(w, r, log, open, blob.Served{Type: soundType, Caching: blob.Immutable, Tag: name})
	})
}
