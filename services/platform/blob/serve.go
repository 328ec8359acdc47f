package blob

import (
	"io"
	"net/http"
	"strconv"
	"time"
)

// What a cache may do with a file (Cache-Control).
const (
	// Immutable files have a name that holds the hash of how they are made, or of their bytes: everybody may keep them.
	Immutable = "public, max-age=31536000, immutable"
	// Private files are kept by their reader alone, who asks before each use, so that nobody uses one that has been taken away.
	Private = "private, no-cache"
	// Unkept files are kept nowhere.
	Unkept = "private, no-store"
)

// Served describes a file to those who read it over HTTP.
type Served struct {
	// Type is the media type, Caching the Cache-Control.
	Type, Caching string
	// Tag is the ETag, without quotes: another one for other bytes.
	Tag string
	// ChangedAt is when the file was last changed; zero if the tag alone says so.
	ChangedAt time.Time
}

// Serve answers a GET or HEAD with the file: whole, in ranges, or not at all if the reader has it. The caller closes the file.
func Serve(w http.ResponseWriter, r *http.Request, file io.ReadSeeker, s Served) {
	h := w.Header()
	h.Set("Content-Type", s.Type)
	h.Set("Cache-Control", s.Caching)
	h.Set("ETag", strconv.Quote(s.Tag))
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", s.ChangedAt, file)
}
