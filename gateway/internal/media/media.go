// Package media delivers sound and pictures. A member's meditations come from generation and go to their owner alone, with a session or
// an access token. The narrations of articles and of the library come from content and go to every caller who may listen to them. The
// ambient tracks and the files of assets from content, and the grounding and the sample from generation, go to everybody.
//
// It has no access rules: generation and content decide for the member that the gateway names, and answer 404 for what that member may
// not listen to. It passes on no header, in either direction, but those that it names.
package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"serein.app/gateway/internal/login"
	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/uid"
	"serein.app/gateway/internal/upstream"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

// scope is what an access token needs for the member's own.
const scope = "serein.meditation.read"

// publishedScopes are the scopes for what Serein publishes, of which an access token needs one, each with the entitlement that counts for
// a member with that scope. Content knows what a file belongs to, and which entitlement it needs.
var publishedScopes = map[string]string{"serein.library.read": "library", "serein.article.read": "articles"}

var errNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_MEDIA_NOT_FOUND, "There is no such file.")

// Names are checked before anything is asked, so that no path of ours is ever built from
// something else.
var (
	segmentIndex  = regexp.MustCompile(`^(0|[1-9][0-9]{0,3})$`)
	sharedFile    = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,79}\.mp3$`)
	narrationFile = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,79}\.(mp3|vtt)$`)
)

// Media answers the routes under /media/.
type Media struct {
	clients  *upstream.Clients
	sessions *session.Sessions
	roles    *roles.Roles
	access   func(ctx context.Context, token string) (login.Access, error)
	log      *slog.Logger
}

// New makes the routes' handlers. access proves access tokens.
func New(
	c *upstream.Clients, s *session.Sessions, r *roles.Roles, access func(context.Context, string) (login.Access, error), log *slog.Logger,
) *Media {
	return &Media{clients: c, sessions: s, roles: r, access: access, log: log}
}

// Audio answers GET /media/meditations/{id}/audio.
func (m *Media) Audio(w http.ResponseWriter, r *http.Request) {
	m.own(w, r, "/audio", private)
}

// Download answers GET /media/meditations/{id}/download: the recording as a file for the member to keep, with its title in it.
func (m *Media) Download(w http.ResponseWriter, r *http.Request) {
	m.own(w, r, "/download", kept)
}

// Segment answers GET /media/meditations/{id}/segments/{n}.
func (m *Media) Segment(w http.ResponseWriter, r *http.Request) {
	n := r.PathValue("n")
	if !segmentIndex.MatchString(n) {
		guard.Refuse(w, r, errNotFound)
		return
	}
	m.own(w, r, "/segments/"+n, private)
}

func (m *Media) own(w http.ResponseWriter, r *http.Request, rest string, as delivery) {
	ctx, id, ok := m.asked(w, r, scope)
	if !ok {
		return
	}
	r = r.WithContext(ctx)
	out, err := m.clients.Audio(r, "/v1/meditations/"+id+rest)
	m.send(w, r, out, err, as)
}

// asked gives the member and the id that a request for what belongs to a member names; it refuses a request without a session, or without
// an access token that has one of the scopes, and an id that cannot be one.
func (m *Media) asked(w http.ResponseWriter, r *http.Request, scopes ...string) (ctx context.Context, id string, ok bool) {
	member, _, err := m.member(r, scopes...)
	if err != nil {
		login.Challenge(w.Header(), r.Header, err, scopes...)
		guard.Refuse(w, r, err)
		return nil, "", false
	}
	if id = r.PathValue("id"); !uid.IsCanonical(id) {
		guard.Refuse(w, r, errNotFound)
		return nil, "", false
	}
	return auth.WithMember(r.Context(), member), id, true
}

// delivery is how an answer is sent.
type delivery struct {
	kind, caching string
	// resource says which sites' pages may show it (Cross-Origin-Resource-Policy); empty: our own.
	resource string
	// named: the service says under which name a browser saves it (Content-Disposition).
	named bool
}

const mp3 = "audio/mpeg"

// private sound is kept by the browser, but played again only after asking us: so never after a sign-out.
var private = delivery{kind: mp3, caching: "private, no-cache"}

// kept sound is saved by its member under its title.
var kept = delivery{kind: mp3, caching: private.caching, named: true}

// privateWords say when the sentences of such a sound are heard.
var privateWords = delivery{kind: "text/vtt; charset=utf-8", caching: private.caching}

// Narration answers GET /media/narrations/{file}: a sound, or when its sentences are heard. Content says who may hear it; visitors hear
// some.
func (m *Media) Narration(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	if !narrationFile.MatchString(name) {
		guard.Refuse(w, r, errNotFound)
		return
	}
	byToken := r.Header.Get("Authorization") != ""
	member, scopes, err := m.member(r, slices.Collect(maps.Keys(publishedScopes))...)
	switch {
	case errors.Is(err, session.ErrNone): // a visitor
	case err != nil:
		login.Challenge(w.Header(), r.Header, err, slices.Sorted(maps.Keys(publishedScopes))...)
		guard.Refuse(w, r, err)
		return
	default:
		ctx := m.roles.Named(r.Context(), member)
		if byToken { // an app's, which carries no admin powers
			ctx = roles.WithAtMost(roles.WithoutAdmin(ctx), opened(scopes)...)
		}
		r = r.WithContext(ctx)
	}
	as := private
	if strings.HasSuffix(name, ".vtt") {
		as = privateWords
	}
	out, err := m.clients.Track(r, "/media/narrations/"+name)
	m.send(w, r, out, err, as)
}

// opened are the words of a plan that count with those scopes.
func opened(scopes []string) (words []string) {
	for _, s := range scopes {
		if word := publishedScopes[s]; word != "" {
			words = append(words, word)
		}
	}
	return words
}

// member is who asks, with the scopes of their token; session.ErrNone where nobody is signed in. A request with a token is judged
// by the token alone, which needs one of the scopes; a service account's is nobody's own.
func (m *Media) member(r *http.Request, scopes ...string) (uid string, has []string, err error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		signedIn, err := m.sessions.Check(r.Context(), session.IDFrom(r.Header))
		if err != nil {
			return "", nil, err
		}
		return signedIn.Member.UID, nil, nil
	}
	token, ok := auth.Bearer(header)
	if !ok {
		return "", nil, login.ErrCaller
	}
	access, err := m.access(r.Context(), token)
	switch {
	case errors.Is(err, auth.ErrUnauthenticated):
		return "", nil, login.ErrCaller.Because(err)
	case err != nil:
		return "", nil, err
	case access.UID == "" || !slices.ContainsFunc(scopes, func(s string) bool { return slices.Contains(access.Scopes, s) }):
		return "", nil, login.ErrScope
	}
	return access.UID, access.Scopes, nil
}

// shareHeader tells generation which link is followed: its token stands in no address between us, and so in no log and no trace.
const shareHeader = "Serein-Share"

// unkept sound is gone for everybody at the moment when its link is ended.
var unkept = delivery{kind: mp3, caching: "private, no-store"}

// Shared answers GET /media/shared/{token} to everybody who has the link of a meditation that its member shares. It is asked in nobody's name.
func (m *Media) Shared(w http.ResponseWriter, r *http.Request) {
	token := r.PathValue("token")
	if !uid.IsShareToken(token) {
		guard.Refuse(w, r, errNotFound)
		return
	}
	out, err := m.clients.Audio(r.WithContext(auth.WithSubject(r.Context(), auth.Subject{})), "/v1/shares/audio")
	if err == nil {
		out.Header.Set(shareHeader, token)
	}
	m.send(w, r, out, err, unkept)
}

// unchanging is what everybody may keep: a file's name holds the hash of how it is made, or of its bytes.
const unchanging = "public, max-age=31536000, immutable"

// shared is sound for everybody.
var shared = delivery{kind: mp3, caching: unchanging}

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

// The headers that cross: conditions and a range to the service, and the description of the bytes back. A service would answer several
// ranges in parts, each with a separate type; the whole file is a good answer to them too (RFC 9110, 14.2).
var (
	requestHeaders  = []string{"Range", "If-Range", "If-None-Match", "If-Modified-Since"}
	responseHeaders = []string{"Content-Length", "Content-Range", "Accept-Ranges", "Etag", "Last-Modified"}
)

func (m *Media) send(w http.ResponseWriter, r *http.Request, out *http.Request, err error, as delivery) {
	if err != nil {
		m.fail(w, r, err)
		return
	}
	for _, name := range requestHeaders {
		if value := r.Header.Get(name); value != "" && (name != "Range" || !strings.Contains(value, ",")) {
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
		m.copy(w, r, res, as)
	case http.StatusNotFound:
		guard.Refuse(w, r, errNotFound)
	case http.StatusForbidden:
		m.forbid(w, r, out)
	default:
		if after := res.Header.Get("Retry-After"); after != "" {
			w.Header().Set("Retry-After", after)
		}
		m.fail(w, r, fmt.Errorf("%s answered %s", out.URL.Path, res.Status))
	}
}

// forbid says that a signature does not hold. Nothing else is forbidden but the gateway itself, which is our fault.
func (m *Media) forbid(w http.ResponseWriter, r *http.Request, out *http.Request) {
	if out.URL.RawQuery == "" {
		m.fail(w, r, fmt.Errorf("%s is forbidden to the gateway", out.URL.Path))
		return
	}
	guard.Refuse(w, r, errSignature)
}

// buffers bound what one listener costs to 32 KiB.
var buffers = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

func (m *Media) copy(w http.ResponseWriter, r *http.Request, res *http.Response, as delivery) {
	for _, name := range responseHeaders {
		if value := res.Header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	w.Header().Set("Content-Type", as.kind)
	if value := res.Header.Get("Content-Disposition"); as.named && value != "" {
		w.Header().Set("Content-Disposition", value)
	}
	if as.resource != "" {
		w.Header().Set("Cross-Origin-Resource-Policy", as.resource)
	}
	if res.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		w.Header().Set("Cache-Control", as.caching)
	}
	w.WriteHeader(res.StatusCode)
	if r.Method == http.MethodHead || res.StatusCode == http.StatusNotModified {
		return
	}
	buffer, _ := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	if _, err := io.CopyBuffer(w, res.Body, *buffer); err != nil && r.Context().Err() == nil {
		m.log.DebugContext(r.Context(), "a file was cut short", "error", err)
	}
}

func (m *Media) fail(w http.ResponseWriter, r *http.Request, err error) {
	if !errors.Is(err, context.Canceled) {
		m.log.WarnContext(r.Context(), "file not delivered", "error", err)
	}
	guard.Refuse(w, r, errs.ErrUnavailable)
}
