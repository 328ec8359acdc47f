package tracks

import (
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"serein.app/services/platform/blob"
)

var fileName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*-[0-9a-f]{16}\.mp3$`)

// ServeHTTP answers GET …/{file} with ranges. The name holds the content's hash, so whoever has a
// copy never needs to ask again. Older files stay reachable for players that still hold their name.
func (s *Shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	if !fileName.MatchString(name) {
		refuse(w, http.StatusNotFound)
		return
	}
	file, _, err := s.store.Open(r.Context(), key(name))
	switch {
	case errors.Is(err, blob.ErrNotFound):
		refuse(w, http.StatusNotFound)
		return
	case err != nil:
		s.log.ErrorContext(r.Context(), "ambient track cannot be read", "file", name, "error", err)
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
