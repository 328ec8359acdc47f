package grounding

import (
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"serein.app/services/platform/blob"
)

var fileName = regexp.MustCompile(`^[0-9a-f]{16}\.mp3$`)

// ServeHTTP answers GET …/{file} with ranges. The name holds the hash of what is said, so a copy
// stays good for ever; an older recording stays reachable for pages that still hold its name.
func (l *Library) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	if !fileName.MatchString(name) {
		refuse(w, http.StatusNotFound)
		return
	}
	file, _, err := l.store.Open(r.Context(), key(name))
	switch {
	case errors.Is(err, blob.ErrNotFound):
		refuse(w, http.StatusNotFound)
		return
	case err != nil:
		l.log.ErrorContext(r.Context(), "grounding cannot be read", "file", name, "error", err)
		refuse(w, http.StatusServiceUnavailable)
		return
	}
	defer func() { _ = file.Close() }()
	w.Header().Set("Content-Type", "audio/mpeg")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("ETag", strconv.Quote(name))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, file)
}

// refuse answers a bare status: only the gateway asks here, and it speaks to people.
func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
}
