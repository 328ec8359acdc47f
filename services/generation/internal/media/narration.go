package media

import (
	"io"
	"log/slog"
	"net/http"

	"serein.app/services/generation/internal/publication"
	"serein.app/services/platform/blob"
)

// Narration answers GET /v1/narrations/{id}/audio for the content service, which keeps it.
func Narration(s *publication.Service, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		open := func() (io.ReadSeekCloser, error) { return s.OpenAudio(r.Context(), id) }
		serve(w, r, log, open, blob.Served{Type: soundType, Caching: blob.Private, Tag: id})
	})
}

// NarrationWords answers GET /v1/narrations/{id}/words for the content service: WebVTT.
func NarrationWords(s *publication.Service, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		open := func() (io.ReadSeekCloser, error) { return s.OpenWords(r.Context(), id) }
		serve(w, r, log, open, blob.Served{Type: wordsType, Caching: blob.Private, Tag: id})
	})
}
