package media

import (
	"log/slog"
	"net/http"
	"time"

	"serein.app/services/generation/internal/meditation"
)

// ShareHeader names the link whose recording is asked for. It is no part of the address, which logs and traces may hold.
const ShareHeader = "Serein-Share"

// cacheNever: what is shared is gone for everybody at the moment when its link is ended.
const cacheNever = "private, no-store"

// OfShare answers GET /v1/shares/audio with what a link leads to. Nothing of the answer names the meditation.
func OfShare(s *meditation.Service, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, err := s.OpenSharedAudio(r.Context(), r.Header.Get(ShareHeader))
		if err != nil {
			refuse(w, r, log, err)
			return
		}
		defer func() { _ = file.Close() }()
		head(w, cacheNever, "shared")
		http.ServeContent(w, r, "", time.Time{}, file)
	})
}
