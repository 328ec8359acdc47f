package media

import (
	"log/slog"
	"net/http"
	"strings"

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
		if err != nil {
			fail(w, r, log, err)
			return
		}
		defer func() { _ = file.Close() }()
		blob.Serve(w, r, file, blob.Served{Type: typeOf(name), Caching: blob.Private, Tag: name})
	})
}

// typeOf a narration's file: the sound, or when its sentences are heard.
func typeOf(name string) string {
	if strings.HasSuffix(name, ".vtt") {
		return "text/vtt; charset=utf-8"
	}
	return sound
}
