package delivery

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/etag"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/guard"
)

// request is one that may be answered: its token is good, its environment is there.
type request struct {
	*http.Request

	environment string
	values      url.Values
	model       *model
}

// answer writes the body of an answer.
type answer func(r *request, w *out) error

// mediaType of all answers, the contract's.
const mediaType = "application/vnd.contentful.delivery.v1+json"

// maxBody is how large an answer may be, in bytes, the contract's 7 MiB.
const maxBody = 7 << 20

// ServeHTTP answers one request. Every answer, refusals too, can be read by pages of any origin.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.header(w.Header())
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.routes.ServeHTTP(w, r)
}

// TooMany answers a request of an address that has sent too many.
func (h *Handler) TooMany(w http.ResponseWriter, r *http.Request, after time.Duration) {
	h.header(w.Header())
	wait := strconv.Itoa(int(math.Ceil(after.Seconds())))
	w.Header().Set("X-Contentful-RateLimit-Reset", wait)
	w.Header().Set("Retry-After", wait)
	h.fail(w, r, tooMany())
}

// header is what stands on every answer.
func (h *Handler) header(header http.Header) {
	header.Set("X-Contentful-Request-Id", h.NewID())
	guard.NoPage(header)
	h.Age.Tell(header)
	cors(header)
}

// cors lets pages of any origin read: a read token is made for browsers.
func cors(header http.Header) {
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Allow-Methods", "GET,HEAD,POST,OPTIONS")
	header.Set("Access-Control-Allow-Headers", "Accept,Accept-Language,Authorization,Cache-Control,Content-Type,If-None-Match,Range,"+
		"X-Contentful-Locale-Based-Publishing,X-Contentful-User-Agent,X-Requested-With")
	header.Set("Access-Control-Expose-Headers", "Etag,Retry-After,X-Contentful-RateLimit-Reset,X-Contentful-RateLimit-Second-Limit,"+
		"X-Contentful-RateLimit-Second-Remaining,X-Contentful-Request-Id,"+contentage.Header)
	header.Set("Access-Control-Max-Age", "86400")
}

// answer admits the request, has its body written and sends it.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, a answer) {
	admitted, err := h.admit(w, r)
	body := &out{}
	if err == nil {
		err = h.inTurn(w, admitted, func() error { return a(admitted, body) })
	}
	if err == nil && len(body.b) > maxBody {
		err = tooBig()
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	send(w, r, body.b)
}

// admit proves the token, counts the request and finds the environment. It counts before the request has its turn, or those that wait
// would be as many as one token likes to send.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request) (*request, error) {
	values, err := query.Values(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	environment := r.PathValue("environment")
	if environment == "" {
		environment = entry.Master
	}
	token, ok := h.Tokens.find(bearer(r, values))
	if !ok {
		return nil, badToken()
	}
	values.Del("access_token")
	if err := h.count(w, r, token); err != nil {
		return nil, err
	}
	if r.PathValue("space") != h.Space {
		return nil, notFound(map[string]string{"type": "Space", "id": r.PathValue("space")})
	}
	if !token.reads(environment) || !entry.ValidID(environment) {
		return nil, h.noEnvironment(environment)
	}
	if id := r.PathValue("id"); id != "" && !entry.ValidID(id) {
		return nil, notFound(map[string]string{"id": id, "environment": environment, "space": h.Space})
	}
	m, err := h.models.get(r.Context(), environment)
	if isMissing(err) {
		return nil, h.noEnvironment(environment)
	}
	return &request{Request: r, environment: environment, values: values, model: m}, err
}

func (h *Handler) noEnvironment(id string) error {
	return notFound(map[string]string{"type": "Environment", "id": id, "space": h.Space})
}

func bearer(r *http.Request, values url.Values) string {
	if token, ok := auth.Bearer(r.Header.Get("Authorization")); ok {
		return token
	}
	return values.Get("access_token")
}

// count counts the request of a token from an address.
func (h *Handler) count(w http.ResponseWriter, r *http.Request, t Token) error {
	key, now := hex.EncodeToString(t.hash[:8])+" "+h.Proxies.Key(r), h.Now()
	ok, _ := h.buckets.Allow(key, now)
	w.Header().Set("X-Contentful-RateLimit-Second-Limit", strconv.Itoa(h.PerSecond))
	w.Header().Set("X-Contentful-RateLimit-Second-Remaining", strconv.Itoa(h.buckets.Left(key, now)))
	if !ok {
		return later(w)
	}
	return nil
}

// later refuses what is too much now, and says when to try again.
func later(w http.ResponseWriter) error {
	w.Header().Set("X-Contentful-RateLimit-Reset", "1")
	w.Header().Set("Retry-After", "1")
	return tooMany()
}

// patience is how long a request waits for its turn, and how long the reading of a model may take.
const patience = 2 * time.Second

// inTurn has a request answered when there is a place for it: costly ones would otherwise queue for the database without end.
func (h *Handler) inTurn(w http.ResponseWriter, r *request, answer func() error) error {
	if h.places == nil {
		return answer()
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	select {
	case h.places <- struct{}{}:
	case <-ctx.Done():
		return later(w)
	}
	defer func() { <-h.places }()
	return answer()
}

// send answers with a body, or says that the client has it already.
func send(w http.ResponseWriter, r *http.Request, body []byte) {
	header := w.Header()
	header.Set("Content-Type", mediaType)
	if r.Method == http.MethodPost {
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(body) // who hung up does not care
		return
	}
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	header.Set("Etag", tag)
	header.Set("Cache-Control", "private, max-age=0, must-revalidate")
	header.Add("Vary", "Authorization") // beside that of what compresses
	if etag.Named(r.Header.Get("If-None-Match"), tag) {
		header.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // who hung up does not care
}
