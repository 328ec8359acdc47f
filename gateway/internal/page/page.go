// Package page serves the built app: its HTML with the boot block, and its assets. Everything
// is read once at start, so that no request ever touches the file system.
//
// It owns: which addresses are pages and who may open them (the app's own list, pages.json), the
// content security policy, the choice of the precompressed file, and caching. It refuses
// everything that was not there at start.
package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/metric"
	"google.golang.org/protobuf/proto"
)

// App is what a page must know of the product.
type App interface {
	// Caller finds out who asks, once for everything that a page then wants to know of them.
	Caller(ctx context.Context, header http.Header) Caller
}

// Caller is who asks for a page.
type Caller interface {
	// Boot gives the JSON for the page's boot block. It never fails: what is not known in time
	// is left out.
	Boot(ctx context.Context) []byte
	// MayOpen says whether the caller may open a page that is not for everyone.
	MayOpen(ctx context.Context, access Access, entitlement string) Admission
	// Exists says whether the page's id names something of the caller's. Where that cannot be
	// found out soon it says yes, and the page itself shows that there is nothing.
	Exists(ctx context.Context, id string) bool
	// Leads says whether the token of a page's address leads anywhere; yes too where that cannot be found out soon.
	Leads(ctx context.Context, token string) bool
	// Answer gives what a page shows everybody who may open it; nothing in it depends on the caller. Errors: errs.NotFound for a page
	// that does not exist.
	Answer(ctx context.Context, q Question) (*Answer, error)
	// Own gives what a page shows the caller, asked for in their name and within AnswerTime; nil for visitors, and where it
	// shows them what it shows others.
	Own(ctx context.Context, q Question) (*Answer, error)
}

// Admission is whether somebody may open a page.
type Admission int

// The admissions. Where it cannot be found out now the app's own frame is shown: it holds nothing, and the calls of
// the app are guarded.
const (
	Refused Admission = iota
	Unknown
	Admitted
)

// Build is the built app as it was read.
type Build struct {
	manifest  Manifest
	files     map[string]*file
	documents map[string]*document // by file
	templates map[string]*filler   // by file
}

// document is an HTML file, cut around its boot block.
type document struct {
	before, after []byte
	policy        []string // one header line
	// packing is the document compressed; nil for one that only its reader gets, whom compressing it would keep waiting.
	packing *packing
}

// indexFile is the app's own document, for every page that is not prerendered.
const indexFile = "index.html"

// maxAssets bounds what is read at start, in bytes: ten times a large build of the app.
const maxAssets = 256 << 20

// originToken stands in the build's pages for the address at which browsers find the product.
const originToken = "%ORIGIN%"

// Read reads the built app from dir, to be found at that origin ("https://serein.example"). answers are those that its templates may be filled with, by RPC, each of its
// own type and empty. A template that cannot be filled with its answer is an error. Without debug there is none of the pages that are for that alone.
func Read(dir, origin string, answers map[string]proto.Message, debug bool) (*Build, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("ASSETS_DIR: the built app is not there (run \"make build\" or \"npm run build\" in frontend): %w", err)
	}
	defer func() { _ = root.Close() }()
	files, err := readAll(root.FS())
	if err != nil {
		return nil, fmt.Errorf("ASSETS_DIR %s: %w", dir, err)
	}
	b := &Build{files: files, documents: map[string]*document{}, templates: map[string]*filler{}}
	if err := b.readPages(origin, answers, debug); err != nil {
		return nil, fmt.Errorf("ASSETS_DIR %s: %w", dir, err)
	}
	return b, nil
}

// readPages takes the list of pages and their documents out of the files: they are not assets.
func (b *Build) readPages(origin string, answers map[string]proto.Message, debug bool) error {
	raw, err := b.take(manifestFile)
	if err != nil {
		return err
	}
	if b.manifest, err = parseManifest(raw, debug); err != nil {
		return err
	}
	names := []string{indexFile, b.manifest.NotFound}
	for i := range b.manifest.Pages {
		p := &b.manifest.Pages[i]
		if err := p.checkAnswers(answers); err != nil {
			return err
		}
		if p.Variant != nil {
			names = append(names, p.Variant.HTML)
		}
		if p.Template == nil {
			names = append(names, p.HTML)
		} else if err := b.readTemplates(p, answers); err != nil {
			return err
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name == "" {
			continue
		}
		written, err := b.take(name)
		if err != nil {
			return err
		}
		written = bytes.ReplaceAll(written, []byte(originToken), []byte(html.EscapeString(origin)))
		if b.documents[name], err = newDocument(written); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// readTemplates reads a page's templates: its own, and that by its filter.
func (b *Build) readTemplates(p *Page, answers map[string]proto.Message) error {
	names := []string{p.HTML}
	if p.Template.Filter != nil {
		names = append(names, p.Template.Filter.HTML)
	}
	for _, name := range names {
		if err := b.readTemplate(name, p.Template.RPC, answers); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// readTemplate reads one. Several pages may have the same.
func (b *Build) readTemplate(name, rpc string, answers map[string]proto.Message) error {
	if b.templates[name] != nil {
		return nil
	}
	answer, ok := answers[rpc]
	if !ok {
		return fmt.Errorf("is to be filled by %q, which answers no page", rpc)
	}
	html, err := b.take(name)
	if err != nil {
		return err
	}
	b.templates[name], err = newFiller(name, html, answer)
	return err
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
	d := &document{packing: new(packing)}
	var err error
	if d.before, d.after, err = splitAtBoot(html); err != nil {
		return nil, err
	}
	policy, err := contentPolicy(html)
	d.policy = []string{policy}
	return d, err
}

// IsPage says whether the app has a page at this path.
func (b *Build) IsPage(path string) bool {
	_, _, ok := b.manifest.find(path)
	return ok
}

// IsRoute says whether a page of the app has that pattern, such as "/journey/:id".
func (b *Build) IsRoute(pattern string) bool {
	return slices.ContainsFunc(b.manifest.Pages, func(p Page) bool { return p.Path == pattern })
}

// Site is the app, ready to serve.
type Site struct {
	*Build
	app    App
	copies *copies
}

// NewSite serves a build.
func NewSite(b *Build, app App, meter metric.Meter, log *slog.Logger, now func() time.Time) (*Site, error) {
	count, err := newCounts(meter, now)
	if err != nil {
		return nil, err
	}
	return &Site{Build: b, app: app, copies: newCopies(count, log, now)}, nil
}

// ServeHTTP answers assets and pages, and 404 for the rest. An address with a slash too many leads to its page.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.NotFound(w, r)
		return
	}
	if f, ok := s.files[r.URL.Path]; ok {
		w.Header()["Content-Security-Policy"] = s.documents[indexFile].policy
		f.serve(w, r)
		return
	}
	page, id, ok := s.manifest.find(r.URL.Path)
	caller := s.app.Caller(r.Context(), r.Header)
	admission := admission(r, caller, page)
	switch without, slash := strings.CutSuffix(r.URL.Path, "/"); {
	case !ok && slash && without != "/" && s.IsPage(without):
		to := url.URL{Path: without, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusMovedPermanently)
	case !ok:
		s.notFound(w, r, caller)
	case admission == Refused:
		// Home asks a visitor to sign in, and leads on from there.
		home := url.URL{Path: "/", RawQuery: url.Values{"return_to": {r.URL.RequestURI()}}.Encode()}
		http.Redirect(w, r, home.String(), http.StatusFound)
	case page.Secret && !s.secret(w, r, caller, page):
		s.notFound(w, r, caller)
	case id != "" && !caller.Exists(r.Context(), id):
		s.notFound(w, r, caller)
	case page.Template != nil && admission == Admitted:
		s.fill(w, r, caller, page)
	case page.Template != nil:
		s.html(w, r, caller, http.StatusOK, indexFile)
	case page.Variant.shows(r.URL):
		s.html(w, r, caller, http.StatusOK, page.Variant.HTML)
	case len(page.Answers) > 0 && admission == Admitted:
		s.begin(w, r, caller, page)
	default:
		s.html(w, r, caller, http.StatusOK, page.HTML)
	}
}

// secret keeps the address of a page to those who have it, and says whether it leads anywhere.
func (s *Site) secret(w http.ResponseWriter, r *http.Request, caller Caller, page *Page) bool {
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("X-Robots-Tag", "noindex, nofollow")
	return caller.Leads(r.Context(), page.params(r.URL.Path)["token"])
}

// admission is to a page that there is; nobody is refused what is for everyone.
func admission(r *http.Request, caller Caller, page *Page) Admission {
	if page == nil || page.Access == Everyone {
		return Admitted
	}
	return caller.MayOpen(r.Context(), page.Access, page.Entitlement)
}

// notFound answers people with the app's own page, and programs with a line.
func (s *Site) notFound(w http.ResponseWriter, r *http.Request, caller Caller) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.NotFound(w, r)
		return
	}
	s.html(w, r, caller, http.StatusNotFound, s.manifest.NotFound)
}

func (s *Site) html(w http.ResponseWriter, r *http.Request, caller Caller, status int, name string) {
	if name == "" {
		name = indexFile
	}
	s.documents[name].send(w, r, status, escapeForScript(caller.Boot(r.Context())))
}

// Header lines that are the same on many pages: shared, and never changed.
var (
	typeHTML    = []string{"text/html; charset=utf-8"}
	varyCookie  = []string{"Cookie"}
	varyBoth    = []string{"Cookie", "Accept-Encoding"}
	encodedGzip = []string{"gzip"}
)

// send sends the document with a boot block, compressed where it may be.
func (d *document) send(w http.ResponseWriter, r *http.Request, status int, boot []byte) {
	h := w.Header()
	h["Content-Type"], h["Content-Security-Policy"], h["Vary"] = typeHTML, d.policy, varyCookie
	buffer, _ := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	*buffer = d.appendTo((*buffer)[:0], h, r.Header.Get("Accept-Encoding"), boot)
	h.Set("Content-Length", strconv.Itoa(len(*buffer)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(*buffer)
	}
}

// appendTo appends the body for a reader who accepts such encodings, and says which it has.
func (d *document) appendTo(out []byte, h http.Header, accept string, boot []byte) []byte {
	if d.packing != nil {
		h["Vary"] = varyBoth
		if accepts(accept, "gzip") {
			h["Content-Encoding"] = encodedGzip
			return d.packing.appendTo(out, d, boot)
		}
	}
	return append(append(append(out, d.before...), boot...), d.after...)
}

// buffers hold a page while it is sent: in one piece, as few as there are senders.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

var errNoBoot = errors.New(`there is no <script type="application/json" id="boot"></script>`)
