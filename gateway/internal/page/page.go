// Package page serves the built app: its HTML with the boot data in it, and its assets. All of
// it is read into memory at start, so that no request ever touches the file system.
//
// It owns: which paths are the app's pages, the content security policy, the choice of the
// precompressed file, and caching. It refuses everything that was not there at start.
package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path"
	"strings"
)

// Boot gives the JSON for the page's boot block. It never fails: what cannot be told in time is
// left out.
type Boot func(ctx context.Context, header http.Header) []byte

// Site is the app, ready to serve.
type Site struct {
	boot   Boot
	before []byte
	after  []byte
	policy string
	files  map[string]*file
}

// maxAssets bounds what is read at start, in bytes: ten times a large build of the app.
const maxAssets = 256 << 20

// Load reads the built app from dir.
func Load(dir string, boot Boot) (*Site, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("ASSETS_DIR: the built app is not there (run \"make build\" or \"npm run build\" in frontend): %w", err)
	}
	defer func() { _ = root.Close() }()
	files, err := readAll(root.FS())
	if err != nil {
		return nil, fmt.Errorf("ASSETS_DIR %s: %w", dir, err)
	}
	index, ok := files["/index.html"]
	if !ok {
		return nil, fmt.Errorf("ASSETS_DIR %s: there is no index.html", dir)
	}
	delete(files, "/index.html")
	site := &Site{boot: boot, files: files}
	if site.before, site.after, err = splitAtBoot(index.plain.body); err != nil {
		return nil, fmt.Errorf("index.html: %w", err)
	}
	if site.policy, err = contentPolicy(index.plain.body); err != nil {
		return nil, fmt.Errorf("index.html: %w", err)
	}
	return site, nil
}

// ServeHTTP answers assets and pages, and 404 for the rest.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.NotFound(w, r)
		return
	}
	if f, ok := s.files[r.URL.Path]; ok {
		w.Header().Set("Content-Security-Policy", s.policy)
		f.serve(w, r)
		return
	}
	page := IsPage(r.URL.Path)
	if !page && !acceptsHTML(r) {
		http.NotFound(w, r)
		return
	}
	status := http.StatusOK
	if !page {
		status = http.StatusNotFound
	}
	s.html(w, r, status)
}

func (s *Site) html(w http.ResponseWriter, r *http.Request, status int) {
	boot := escapeForScript(s.boot(r.Context(), r.Header))
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", s.policy)
	h.Set("Vary", "Cookie")
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	page := make([]byte, 0, len(s.before)+len(boot)+len(s.after))
	page = append(append(append(page, s.before...), boot...), s.after...)
	_, _ = w.Write(page) // the browser has gone: nobody to tell
}

func acceptsHTML(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

// pages are the app's routes: those of the specification, and what stands below three of them.
var pages = map[string]bool{
	"/": true, "/about": true, "/contact": true, "/login": true, "/signup": true, "/members": true,
	"/journey": true, "/meditation-library": true, "/admin": true, "/apparel": true,
	"/bespoke-meditation-generator": true, "/checkout": true, "/basket": true, "/order-success": true,
	"/orders": true, "/articles": true, "/memberships": true, "/terms-and-conditions": true,
	"/privacy-policy": true, "/sitemap": true, "/test-payment": true,
}

var below = []string{"/journey/", "/articles/", "/bespoke-meditation-generator/"}

// IsPage says whether the app has a page at this path.
func IsPage(p string) bool {
	if pages[p] {
		return true
	}
	for _, parent := range below {
		if rest, ok := strings.CutPrefix(p, parent); ok && rest != "" && path.Clean(p) == p {
			return true
		}
	}
	return false
}

var errNoBoot = errors.New(`there is no <script type="application/json" id="boot"></script>`)
