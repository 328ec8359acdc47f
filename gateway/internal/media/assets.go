package media

import (
	"net/http"
	"net/url"
	"path"
	"regexp"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

var errSignature = errs.New(errs.Forbidden, errorsv1.Reason_REASON_FORBIDDEN, "The signature of this address does not hold, or no longer.")

// An asset's address holds the hash of its bytes, and a name that content gave it by what it holds.
var (
	assetHash = regexp.MustCompile(`^[0-9a-f]{64}$`)
	assetName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,99}\.[a-z0-9]+$`)
)

// assetKinds are what content keeps, by the ending of the name. Nothing else is delivered, and none of these is more to a
// browser than a picture or a sound.
var assetKinds = map[string]string{
	".avif": "image/avif", ".jpg": "image/jpeg", ".png": "image/png", ".webp": "image/webp", ".mp3": mp3,
}

// signature is what an address has that was signed with an asset key; content says whether it holds.
var signature = []string{"token", "policy"}

// Asset answers GET /media/assets/{hash}/{name}, on whatever site: readers of the delivery API show the files on pages of
// their own.
func (m *Media) Asset(w http.ResponseWriter, r *http.Request) {
	hash, name := r.PathValue("hash"), r.PathValue("name")
	kind := assetKinds[path.Ext(name)]
	if kind == "" || !assetHash.MatchString(hash) || !assetName.MatchString(name) {
		guard.Refuse(w, r, errNotFound)
		return
	}
	out, err := m.clients.Track(r, "/media/assets/"+hash+"/"+name)
	if err == nil {
		out.URL.RawQuery = signed(r.URL.Query())
	}
	m.send(w, r, out, err, delivery{kind: kind, caching: unchanging, resource: "cross-origin"})
}

// signed is the signature in a query and nothing else of it.
func signed(query url.Values) string {
	out := url.Values{}
	for _, name := range signature {
		if query.Has(name) {
			out.Set(name, query.Get(name))
		}
	}
	return out.Encode()
}
