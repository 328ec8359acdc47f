// Package media serves the ambient tracks over plain HTTP with ranges. It does not know how they
// are made.
package media

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"serein.app/services/content/internal/narrate"
	"serein.app/services/content/internal/tracks"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/server"
)

// waitTime is how long a request waits for a sound that is being made: all three take about
// two thirds of it on a free core.
var waitTime = deadline.Of(20 * time.Second)

// retryAfterSeconds is when to ask again after that, in seconds.
const retryAfterSeconds = "5"

// sound is the media type of tracks and narrations.
const sound = "audio/mpeg"

// Tracks serves the tracks of a library.
type Tracks struct {
	library *tracks.Library
	log     *slog.Logger
}

// NewTracks makes the handler.
func NewTracks(l *tracks.Library, log *slog.Logger) *Tracks { return &Tracks{library: l, log: log} }

// ServeHTTP answers GET …/{file} with ranges. The name holds the version's hash, so a client never needs to revalidate its copy.
func (t *Tracks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	file, err := t.open(r.Context(), name)
	if err != nil {
		fail(w, r, t.log, err)
		return
	}
	defer func() { _ = file.Close() }()
	blob.Serve(w, r, file, blob.Served{Type: sound, Caching: blob.Immutable, Tag: name})
}

// open waits for a track that is still being made.
func (t *Tracks) open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	file, err := t.library.Open(ctx, name)
	if !errors.Is(err, tracks.ErrNotYet) {
		return file, err
	}
	select {
	case <-t.library.Stored(name):
		return t.library.Open(ctx, name)
	case <-time.After(waitTime):
	case <-server.Stopping(ctx): // a shutdown does not wait for tracks
	case <-ctx.Done():
	}
	return nil, err
}

// fail answers 404 for a sound that does not exist, and asks for another try when it is being made or cannot be read.
func fail(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	if errors.Is(err, blob.ErrNotFound) {
		refuse(w, http.StatusNotFound)
		return
	}
	if !errors.Is(err, tracks.ErrNotYet) && !errors.Is(err, narrate.ErrNotYet) {
		log.ErrorContext(r.Context(), "sound cannot be read", "path", r.URL.Path, "error", err)
	}
	w.Header().Set("Retry-After", retryAfterSeconds)
	refuse(w, http.StatusServiceUnavailable)
}

// refuse answers a bare status: only the gateway asks here, and it speaks to people.
func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
}
