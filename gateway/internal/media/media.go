// Package media delivers sound: a member's meditations from generation, to their owner alone, who
// comes with a session or with an access token, and the ambient tracks from content, the grounding and the sample from generation, to everybody.
//
// It owns no access rule of its own: generation answers for the member that the gateway names,
// and another member's meditation does not exist. It refuses to pass on anything by default, in
// either direction: headers cross by name.
package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"serein.app/gateway/internal/login"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/uid"
	"serein.app/gateway/internal/upstream"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

// scope is what an access token needs.
const scope = "serein.meditation.read"

var errNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_MEDIA_NOT_FOUND, "There is no such recording.")

// Names are checked before anything is asked, so that no path of ours is ever built from
// something else.
var (
	segmentIndex = regexp.MustCompile(`^(0|[1-9][0-9]{0,3})$`)
	sharedFile   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,79}\.mp3$`)
)

// Media answers the routes under /media/.
type Media struct {
	clients  *upstream.Clients
	sessions *session.Sessions
	access   func(ctx context.Context, token string) (login.Access, error)
	log      *slog.Logger
}

// New makes the routes' handlers. access proves access tokens.
func New(c *upstream.Clients, s *session.Sessions, access func(context.Context, string) (login.Access, error), log *slog.Logger) *Media {
	return &Media{clients: c, sessions: s, access: access, log: log}
}

// Audio answers GET /media/meditations/{id}/audio.
func (m *Media) Audio(w http.ResponseWriter, r *http.Request) {
	m.own(w, r, "/audio")
}

// Segment answers GET /media/meditations/{id}/segments/{n}.
func (m *Media) Segment(w http.ResponseWriter, r *http.Request) {
	n := r.PathValue("n")
	if !segmentIndex.MatchString(n) {
		guard.Refuse(w, r, errNotFound)
		return
	}
	m.own(w, r, "/segments/"+n)
}

func (m *Media) own(w http.ResponseWriter, r *http.Request, rest string) {
	member, err := m.member(r)
	if err != nil {
		guard.Refuse(w, r, err)
		return
	}
	id := r.PathValue("id")
	if !uid.IsCanonical(id) {
		guard.Refuse(w, r, errNotFound)
		return
	}
	r = r.WithContext(auth.WithMember(r.Context(), member))
	out, err := m.clients.Audio(r, "/v1/meditations/"+id+rest)
	// Kept by the browser, but played again only after asking us: so never after a sign-out.
	m.send(w, r, out, err, "private, no-cache")
}

// member is who asks. A request with a token is judged by the token alone; a service account's is
// nobody's own.
func (m *Media) member(r *http.Request) (string, error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		signedIn, err := m.sessions.Check(r.Context(), session.IDFrom(r.Header))
		if err != nil {
			return "", err
		}
		return signedIn.Member.UID, nil
	}
	token, ok := login.Bearer(header)
	if !ok {
		return "", login.ErrCaller
	}
	access, err := m.access(r.Context(), token)
	switch {
	case errors.Is(err, auth.ErrUnauthenticated):
		return "", login.ErrCaller.Because(err)
	case err != nil:
		return "", err
	case access.UID == "" || !slices.Contains(access.Scopes, scope):
		return "", login.ErrScope
	}
	return access.UID, nil
}

// shared is sound for everybody. A file's name holds the hash of how it is made.
const shared = "public, max-age=31536000, immutable"

// Track answers GET /media/tracks/{file}.
func (m *Media) Track(w http.ResponseWriter, r *http.Request) {
	m.share(w, r, "/media/tracks/", m.clients.Track)
}

// Grounding answers GET /media/grounding/{file}.
func (m *Media) Grounding(w http.ResponseWriter, r *http.Request) {
	m.share(w, r, "/media/grounding/", m.clients.Audio)
}

// Sample answers GET /media/sample/{file}.
func (m *Media) Sample(w http.ResponseWriter, r *http.Request) {
	m.share(w, r, "/media/sample/", m.clients.Audio)
}

func (m *Media) share(w http.ResponseWriter, r *http.Request, folder string, ask func(*http.Request, string) (*http.Request, error)) {
	name := r.PathValue("file")
	if !sharedFile.MatchString(name) {
		guard.Refuse(w, r, errNotFound)
		return
	}
	out, err := ask(r, folder+name)
	m.send(w, r, out, err, shared)
}

// What crosses: conditions and ranges one way, what describes the bytes the other.
var (
	requestHeaders  = []string{"Range", "If-Range", "If-None-Match", "If-Modified-Since"}
	responseHeaders = []string{"Content-Length", "Content-Range", "Accept-Ranges", "Etag", "Last-Modified"}
)

func (m *Media) send(w http.ResponseWriter, r *http.Request, out *http.Request, err error, caching string) {
	if err != nil {
		m.fail(w, r, err)
		return
	}
	for _, name := range requestHeaders {
		if value := r.Header.Get(name); value != "" {
			out.Header.Set(name, value)
		}
	}
	res, err := m.clients.HTTP().Do(out) //nolint:gosec // the host is configured, the path is checked
	if err != nil {
		m.fail(w, r, err)
		return
	}
	defer func() { _ = res.Body.Close() }()
	switch res.StatusCode {
	case http.StatusOK, http.StatusPartialContent, http.StatusNotModified, http.StatusRequestedRangeNotSatisfiable:
		m.copy(w, r, res, caching)
	case http.StatusNotFound:
		guard.Refuse(w, r, errNotFound)
	default:
		if after := res.Header.Get("Retry-After"); after != "" {
			w.Header().Set("Retry-After", after)
		}
		m.fail(w, r, fmt.Errorf("%s answered %s", out.URL.Path, res.Status))
	}
}

// buffers bound what one listener costs to 32 KiB.
var buffers = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

func (m *Media) copy(w http.ResponseWriter, r *http.Request, res *http.Response, caching string) {
	for _, name := range responseHeaders {
		if value := res.Header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	w.Header().Set("Content-Type", "audio/mpeg")
	if res.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		w.Header().Set("Cache-Control", caching)
	}
	w.WriteHeader(res.StatusCode)
	if r.Method == http.MethodHead || res.StatusCode == http.StatusNotModified {
		return
	}
	buffer, _ := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	if _, err := io.CopyBuffer(w, res.Body, *buffer); err != nil && r.Context().Err() == nil {
		m.log.DebugContext(r.Context(), "a recording was cut short", "error", err)
	}
}

func (m *Media) fail(w http.ResponseWriter, r *http.Request, err error) {
	if !errors.Is(err, context.Canceled) {
		m.log.WarnContext(r.Context(), "recording not delivered", "error", err)
	}
	guard.Refuse(w, r, errs.ErrUnavailable)
}
