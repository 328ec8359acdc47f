package media

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"

	"serein.app/services/content/internal/assets"
	"serein.app/services/content/internal/delivery"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/blob"
)

// Published knows which files readers have.
type Published interface {
	HasFile(ctx context.Context, environment, url string) (bool, error)
}

// Keys prove signed addresses; see delivery.AssetKeys.
type Keys interface {
	Check(path string, query url.Values) (environment string, err error)
}

// Assets serves the files of published assets.
type Assets struct {
	published Published
	files     blob.Store
	keys      Keys // nil where no keys are issued
	log       *slog.Logger
}

// NewAssets makes the handler. Without keys no signed address is good.
func NewAssets(published Published, files blob.Store, keys Keys, log *slog.Logger) *Assets {
	return &Assets{published, files, keys, log}
}

// ServeHTTP answers GET …/{hash}/{name} with ranges. The address holds the hash of the bytes, so a client never needs to
// revalidate its copy. A file that only a draft names is not found.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	hash, name := r.PathValue("hash"), r.PathValue("name")
	address := entry.AssetURL(hash, name)
	if _, _, kept := entry.AssetOf(address); !kept {
		refuse(w, http.StatusNotFound)
		return
	}
	environment, ok := a.admit(r)
	if !ok {
		refuse(w, http.StatusForbidden)
		return
	}
	there, err := a.published.HasFile(r.Context(), environment, address)
	if err != nil || !there {
		a.fail(w, r, err)
		return
	}
	file, _, err := a.files.Open(r.Context(), assets.Key(hash, name))
	if err != nil {
		a.fail(w, r, err)
		return
	}
	defer func() { _ = file.Close() }()
	blob.Serve(w, r, file, blob.Served{Type: assets.TypeOf(name), Caching: blob.Immutable, Tag: hash})
}

// admit gives the environment whose assets may be read, empty for all. A signature must hold where there is one.
func (a *Assets) admit(r *http.Request) (environment string, ok bool) {
	query := r.URL.Query()
	if !delivery.Signed(query) {
		return "", true
	}
	if a.keys == nil {
		return "", false
	}
	environment, err := a.keys.Check(r.URL.Path, query)
	return environment, err == nil
}

// fail answers 404. It also does so when readers have an asset whose bytes the blob store has lost, and logs that error.
func (a *Assets) fail(w http.ResponseWriter, r *http.Request, err error) {
	if err != nil {
		a.log.ErrorContext(r.Context(), "asset cannot be read", "path", r.URL.Path, "error", err)
	}
	if err == nil || errors.Is(err, blob.ErrNotFound) {
		refuse(w, http.StatusNotFound)
		return
	}
	w.Header().Set("Retry-After", retryAfterSeconds)
	refuse(w, http.StatusServiceUnavailable)
}
