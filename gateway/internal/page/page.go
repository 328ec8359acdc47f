// Package page serves the built app: its HTML with the boot block, and its assets. Everything
// is read once at start, so that no request ever touches the file system.
//
// It owns: which addresses are pages and who may open them (the app's own list, pages.json), the
// content security policy, the choice of the precompressed file, and caching. It refuses
// everything that was not there at start.
package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// App is what a page must know of who asks for it.
type App interface {
	// Boot gives the JSON for the page's boot block. It never fails: what is not known in time
	// is left out.
	Boot(ctx context.Context, header http.Header) []byte
	// MayOpen says whether the caller may open a page that is not for everyone. Where that cannot
	// be found out now it says yes: the page itself holds nothing, and its calls are guarded.
	MayOpen(ctx context.Context, header http.Header, access Access, entitlement string) bool
	// Exists says whether the page's id names something of the caller's. Where that cannot be
	// found out soon it says yes, and the page itself shows that there is nothing.
	Exists(ctx context.Context, header http.Header, id string) bool
}

// Build is the built app as it was read.
type Build struct {
	manifest  Manifest
	files     map[string]*file
	documents map[string]*document // by file
}

// document is an HTML file, cut around its boot block.
type document struct {
	before, after []byte
	policy        string
}

// indexFile is the app's own document, for every page that is not prerendered.
const indexFile = "index.html"

// maxAssets bounds what is read at start, in bytes: ten times a large build of the app.
const maxAssets = 256 << 20

// Read reads the built app from dir.
func Read(dir string) (*Build, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("ASSETS_DIR: the built app is not there (run \"make build\" or \"npm run build\" in frontend): %w", err)
	}
	defer func() { _ = root.Close() }()
	files, err := readAll(root.FS())
	if err != nil {
		return nil, fmt.Errorf("ASSETS_DIR %s: %w", dir, err)
	}
	b := &Build{files: files, documents: map[string]*document{}}
	if err := b.readPages(); err != nil {
		return nil, fmt.Errorf("ASSETS_DIR %s: %w", dir, err)
	}
	return b, nil
}

// readPages takes the list of pages and their documents out of the files: they are not assets.
func (b *Build) readPages() error {
	raw, err := b.take(manifestFile)
	if err != nil {
		return err
	}
	if b.manifest, err = parseManifest(raw); err != nil {
		return err
	}
	names := []string{indexFile, b.manifest.NotFound}
	for _, p := range b.manifest.Pages {
		names = append(names, p.HTML)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name == "" {
			continue
		}
		html, err := b.take(name)
		if err != nil {
			return err
		}
		if b.documents[name], err = newDocument(html); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (b *Build) take(name string) ([]byte, error) {
	f, ok := b.files["/"+name]
	if !ok {
		return nil, fmt.Errorf("there is no %s", name)
	}
	delete(b.files, "/"+name)
	return f.plain.body, nil
}

func newDocument(html []byte) (*document, error) {
	d := &document{}
	var err error
	if d.before, d.after, err = splitAtBoot(html); err != nil {
		return nil, err
	}
	d.policy, err = contentPolicy(html)
	return d, err
}

// IsPage says whether the app has a page at this path.
func (b *Build) IsPage(path string) bool {
	_, _, ok := b.manifest.find(path)
	return ok
}

// Texts are the versions of the texts that members agree to, by name: "terms", "privacy".
func (b *Build) Texts() map[string]string { return b.manifest.Texts }

// Site is the app, ready to serve.
type Site struct {
	*Build
	app App
}

// NewSite serves a build.
func NewSite(b *Build, app App) *Site { return &Site{Build: b, app: app} }

// ServeHTTP answers assets and pages, and 404 for the rest. An address with a slash too many leads to its page.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.NotFound(w, r)
		return
	}
	if f, ok := s.files[r.URL.Path]; ok {
		w.Header().Set("Content-Security-Policy", s.documents[indexFile].policy)
		f.serve(w, r)
		return
	}
	page, id, ok := s.manifest.find(r.URL.Path)
	switch without, slash := strings.CutSuffix(r.URL.Path, "/"); {
	case !ok && slash && without != "/" && s.IsPage(without):
		to := url.URL{Path: without, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusMovedPermanently)
	case !ok:
		s.notFound(w, r)
	case page.Access != Everyone && !s.app.MayOpen(r.Context(), r.Header, page.Access, page.Entitlement):
		// Home asks a visitor to sign in, and leads on from there.
		home := url.URL{Path: "/", RawQuery: url.Values{"return_to": {r.URL.RequestURI()}}.Encode()}
		http.Redirect(w, r, home.String(), http.StatusFound)
	case id != "" && !s.app.Exists(r.Context(), r.Header, id):
		s.notFound(w, r)
	default:
		s.html(w, r, http.StatusOK, page.HTML)
	}
}

// notFound answers people with the app's own page, and programs with a line.
func (s *Site) notFound(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.NotFound(w, r)
		return
	}
	s.html(w, r, http.StatusNotFound, s.manifest.NotFound)
}

func (s *Site) html(w http.ResponseWriter, r *http.Request, status int, name string) {
	if name == "" {
		name = indexFile
	}
	d := s.documents[name]
	boot := escapeForScript(s.app.Boot(r.Context(), r.Header))
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", d.policy)
	h.Set("Vary", "Cookie")
	h.Set("Content-Length", strconv.Itoa(len(d.before)+len(boot)+len(d.after)))
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	buffer, _ := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	*buffer = append(append(append((*buffer)[:0], d.before...), boot...), d.after...)
	_, _ = w.Write(*buffer)
}

// buffers hold a page while it is sent: in one piece, as few as there are senders.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

var errNoBoot = errors.New(`there is no <script type="application/json" id="boot"></script>`)
