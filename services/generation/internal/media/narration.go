package media

import (
	"log/slog"
	"net/http"
	"time"

	"serein.app/services/generation/internal/publication"
)

// Narration answers GET /v1/narrations/{id}/audio for the content service, which keeps it.
func Narration(s *publication.Service, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		file, err := s.OpenAudio(r.Context(), id)
		if err != nil {
			refuse(w, r, log, err)
			return
		}
		defer func() { _ = file.Close() }()
		head(w, cacheOwn, id)
		http.ServeContent(w, r, "", time.Time{}, file)
	})
}

// NarrationWords answers GET /v1/narrations/{id}/words for the content service: WebVTT.
func NarrationWords(s *publication.Service, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		file, err := s.OpenWords(r.Context(), id)
		if err != nil {
			refuse(w, r, log, err)
			return
		}
		defer func() { _ = file.Close() }()
		head(w, cacheOwn, id)
		w.Header().Set("Content-Type", "text/vtt; charset=utf-8")
		http.ServeContent(w, r, "", time.Time{}, file)
	})
}
