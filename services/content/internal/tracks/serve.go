package tracks

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"serein.app/services/platform/blob"
	"serein.app/services/platform/server"
)

var fileName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*-[0-9a-f]{16}\.mp3$`)

const (
	// patience is how long a request waits for a sound that is being made: all three take about
	// half of it on a free core.
	patience = 20 * time.Second
	// comeBack is when to ask again after that, in seconds.
	comeBack = "5"
)

// ServeHTTP answers GET …/{file} with ranges. The name holds the recipe's hash, so whoever has a
// copy never needs to ask again. Older files stay reachable for players that still hold their name.
func (s *Shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	if !fileName.MatchString(name) {
		refuse(w, http.StatusNotFound)
		return
	}
	file, err := s.open(r.Context(), name)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer func() { _ = file.Close() }()
	w.Header().Set("Content-Type", "audio/mpeg")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("ETag", strconv.Quote(name))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, file)
}

var errNotYet = errors.New("this ambient track is still being made")

// open gives a file of the store. One of the shelf's own that is not there yet is waited for.
func (s *Shelf) open(ctx context.Context, file string) (io.ReadSeekCloser, error) {
	found, _, err := s.store.Open(ctx, key(file))
	stored, ours := s.stored[file]
	if !ours || !errors.Is(err, blob.ErrNotFound) {
		return found, err
	}
	select {
	case <-stored:
		found, _, err = s.store.Open(ctx, key(file))
		return found, err
	case <-time.After(patience):
	case <-server.Stopping(ctx): // a shutdown waits for nobody's track
	case <-ctx.Done():
	}
	return nil, errNotYet
}

func (s *Shelf) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, blob.ErrNotFound) {
		refuse(w, http.StatusNotFound)
		return
	}
	if !errors.Is(err, errNotYet) {
		s.log.ErrorContext(r.Context(), "ambient track cannot be read", "file", r.PathValue("file"), "error", err)
	}
	w.Header().Set("Retry-After", comeBack)
	refuse(w, http.StatusServiceUnavailable)
}

// refuse answers a bare status: only the gateway asks here, and it speaks to people.
func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
}
