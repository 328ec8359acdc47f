package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/textproto"
	"path"
	"strconv"
	"strings"
	"time"
)

// file is one asset with its precompressed siblings.
type file struct {
	kind      string
	immutable bool
	plain     *variant
	encoded   []*variant // the best first
}

type variant struct {
	encoding string
	body     []byte
	etag     string
}

// encodings are the siblings a build may put beside a file; the best first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

func readAll(fsys fs.FS) (map[string]*file, error) {
	bodies := map[string][]byte{}
	total := 0
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && hidden(entry.Name()) && entry.IsDir() {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || hidden(entry.Name()) {
			return err
		}
		body, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if total += len(body); total > maxAssets {
			return errors.New("there is more than an app could need; is it the right folder?")
		}
		bodies["/"+name] = body
		return nil
	})
	if err != nil {
		return nil, err
	}
	return group(bodies), nil
}

// hidden files are the build's own notes, not the app's.
func hidden(name string) bool { return len(name) > 1 && name[0] == '.' && name != ".well-known" }

// group puts siblings beside their file. A compressed file without a plain one is no sibling.
func group(bodies map[string][]byte) map[string]*file {
	files := map[string]*file{}
	for name, body := range bodies {
		if sibling(name, bodies) {
			continue
		}
		f := &file{kind: contentType(name), immutable: hashed(name), plain: newVariant("", body)}
		for _, e := range encodings {
			if small, ok := bodies[name+e.suffix]; ok {
				f.encoded = append(f.encoded, newVariant(e.name, small))
			}
		}
		files[name] = f
	}
	return files
}

func sibling(name string, bodies map[string][]byte) bool {
	for _, e := range encodings {
		if plain, ok := strings.CutSuffix(name, e.suffix); ok && bodies[plain] != nil {
			return true
		}
	}
	return false
}

func newVariant(encoding string, body []byte) *variant {
	sum := sha256.Sum256(body)
	return &variant{encoding: encoding, body: body, etag: `"` + hex.EncodeToString(sum[:12]) + `"`}
}

// hashed files carry a hash of their content in their name: the build puts them in /assets/.
func hashed(name string) bool { return strings.HasPrefix(name, "/assets/") }

// types that the machine's own table may not know.
var types = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".woff2": "font/woff2", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml",
	".avif": "image/avif", ".webp": "image/webp", ".mp3": "audio/mpeg", ".txt": "text/plain; charset=utf-8",
	".xml": "application/xml", ".ico": "image/x-icon", ".map": "application/json", ".json": "application/json",
}

func contentType(name string) string {
	extension := path.Ext(name)
	if kind, ok := types[extension]; ok {
		return kind
	}
	if kind := mime.TypeByExtension(extension); kind != "" {
		return kind
	}
	return "application/octet-stream"
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", f.caching())
	v := f.plain
	if len(f.encoded) > 0 {
		h.Set("Vary", "Accept-Encoding")
		v = f.choose(r.Header.Get("Accept-Encoding"))
	}
	h.Set("ETag", v.etag)
	if v.encoding != "" {
		h.Set("Content-Encoding", v.encoding)
		// ServeContent leaves the length of encoded content to us.
		if r.Header.Get("Range") == "" {
			h.Set("Content-Length", strconv.Itoa(len(v.body)))
		}
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(v.body))
}

func (f *file) caching() string {
	if f.immutable {
		return fmt.Sprintf("public, max-age=%d, immutable", int((365 * 24 * time.Hour).Seconds()))
	}
	return "public, no-cache"
}

// choose takes the best variant that the browser accepts.
func (f *file) choose(accept string) *variant {
	for _, v := range f.encoded {
		if accepts(accept, v.encoding) {
			return v
		}
	}
	return f.plain
}

// accepts reads Accept-Encoding (RFC 9110, 12.4.2 and 12.5.3): the coding must be named, and not with a weight
// of 0 or one that cannot be read.
func accepts(header, coding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, parameters, weighted := strings.Cut(part, ";")
		if !strings.EqualFold(textproto.TrimString(name), coding) {
			continue
		}
		if !weighted {
			return true
		}
		q, value, _ := strings.Cut(textproto.TrimString(parameters), "=")
		weight, err := strconv.ParseFloat(value, 64)
		return strings.EqualFold(q, "q") && err == nil && weight > 0 && weight <= 1
	}
	return false
}
