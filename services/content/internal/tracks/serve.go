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
	// waitTime is how long a request waits for a sound that is being made: all three take about
	// half of it on a free core.
	waitTime = 20 * time.Second
	// retryAfterSeconds is when to ask again after that, in seconds.
	retryAfterSeconds = "5"
)

// ServeHTTP answers GET …/{file} with ranges. The name holds the version's hash, so whoever has a
// copy never needs to ask again. Older files stay reachable for players that still hold their name.
func (l *Library) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	if !fileName.MatchString(name) {
		refuse(w, http.StatusNotFound)
		return
	}
	file, err := l.open(r.Context(), name)
	if err != nil {
		l.fail(w, r, err)
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

// open gives a file of the store. One of the library's own that is not there yet is waited for.
func (l *Library) open(ctx context.Context, file string) (io.ReadSeekCloser, error) {
	found, _, err := l.store.Open(ctx, key(file))
	stored, ours := l.stored[file]
	if !ours || !errors.Is(err, blob.ErrNotFound) {
		return found, err
	}
	select {
	case <-stored:
		found, _, err = l.store.Open(ctx, key(file))
		return found, err
	case <-time.After(waitTime):
	case <-server.Stopping(ctx): // a shutdown waits for nobody's track
	case <-ctx.Done():
	}
	return nil, errNotYet
}

func (l *Library) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, blob.ErrNotFound) {
		refuse(w, http.StatusNotFound)
		return
	}
	if !errors.Is(err, errNotYet) {
		l.log.ErrorContext(r.Context(), "ambient track cannot be read", "file", r.PathValue("file"), "error", err)
	}
	w.Header().Set("Retry-After", retryAfterSeconds)
	refuse(w, http.StatusServiceUnavailable)
}

// refuse answers a bare status: only the gateway asks here, and it speaks to people.
func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
}
