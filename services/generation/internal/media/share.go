package media

import (
	"io"
	"log/slog"
	"net/http"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/blob"
)

// ShareHeader names the link whose recording is asked for. It is no part of the address, which logs and traces may hold.
const ShareHeader = "Serein-Share"

// OfShare answers GET /v1/shares/audio with what a link leads to. Nothing of the answer names the meditation. No cache keeps it: it
// is gone for everybody when its link is ended.
func OfShare(s *meditation.Service, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		open := func() (io.ReadSeekCloser, error) { return s.OpenSharedAudio(r.Context(), r.Header.Get(ShareHeader)) }
		serve(w, r, log, open, blob.Served{Type: soundType, Caching: blob.Unkept, Tag: "shared"})
	})
}
