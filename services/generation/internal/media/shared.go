package media

import (
	"log/slog"
	"net/http"
	"time"

	"serein.app/services/generation/internal/shared"
)

// Shared answers GET …/{file} with the recording of that name.
func Shared(l *shared.Library, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("file")
		file, err := l.Open(r.Context(), name)
		if err != nil {
			refuse(w, r, log, err)
			return
		}
		defer func() { _ = file.Close() }()
		head(w, cacheShared, name)
		http.ServeContent(w, r, "", time.Time{}, file)
	})
}
