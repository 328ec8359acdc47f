package media

import (
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"serein.app/services/content/internal/narrate"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
)

// Narrations answers GET …/{file} with ranges, to callers who may hear the narration. Only the listener's own cache may keep the
// answer, and it revalidates before each use, because a member who cancels may no longer hear it.
func Narrations(s *narrate.Service, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("file")
		file, err := s.Open(r.Context(), auth.SubjectFrom(r.Context()), name)
		switch {
		case errors.Is(err, blob.ErrNotFound):
			refuse(w, http.StatusNotFound)
			return
		case err != nil:
			if !errors.Is(err, narrate.ErrNotYet) {
				log.ErrorContext(r.Context(), "narration cannot be read", "file", name, "error", err)
			}
			w.Header().Set("Retry-After", retryAfterSeconds)
			refuse(w, http.StatusServiceUnavailable)
			return
		}
		defer func() { _ = file.Close() }()
		w.Header().Set("Content-Type", typeOf(name))
		w.Header().Set("Cache-Control", "private, no-cache")
		w.Header().Set("ETag", strconv.Quote(name))
		w.Header().Set("X-Content-Type-Options", "nosniff")
		http.ServeContent(w, r, "", time.Time{}, file)
	})
}

// typeOf a narration's file: the sound, or when its sentences are heard.
func typeOf(name string) string {
	if strings.HasSuffix(name, ".vtt") {
		return "text/vtt; charset=utf-8"
	}
	return "audio/mpeg"
}
