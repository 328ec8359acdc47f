// Package delivery is the content delivery API over HTTP, as the public client `contentful` speaks it:
// entries, assets, content types, tags, locales, taxonomy, sync and asset keys, with their envelopes and
// errors. It reads what is published and changes nothing. What a query may ask for is package query's;
// who may ask is proved by a read token.
package delivery

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seal"
)

// Store is what the API reads.
type Store interface {
	Model(ctx context.Context, environment string) (query.Model, error)
	Items(ctx context.Context, environment string, q *query.Query, at *query.Position) ([]query.Item, error)
	Count(ctx context.Context, environment string, q *query.Query) (int, error)
	Linked(ctx context.Context, environment string, links []entry.Link) ([]query.Item, error)
	ContentTypes(ctx context.Context, environment string, q *query.Query) ([]entry.ContentType, error)
	Tags(ctx context.Context, environment string, q *query.Query) ([]query.Tag, error)
	Concepts(ctx context.Context, t query.Taxonomy) ([]query.Concept, error)
	Schemes(ctx context.Context, t query.Taxonomy) ([]query.Scheme, error)
	Latest(ctx context.Context, environment string) (int64, error)
	Changes(ctx context.Context, environment string, c query.Changes) ([]query.Change, error)
}

// Config of the API.
type Config struct {
	Store Store
	// URL is the API's own address as clients know it, without a slash at its end: links to further pages begin with it.
	URL string
	// Space is the id of the one space that there is, SpaceName what people call it.
	Space, SpaceName string
	// MediaHost is where the files of assets are.
	MediaHost string
	Tokens    Tokens
	// Sealer seals the tokens that clients hand back.
	Sealer *seal.Sealer
	// PerSecond is how many requests a second one token may send from one address.
	PerSecond int
	// AtOnce is how many requests are answered at the same time; 0: all.
	AtOnce int
	// TokenLife is how long a sync token is good: no longer than deletions are kept.
	TokenLife time.Duration
	// Age is how long ago the content was last what the upstream has that it mirrors; nil where it mirrors none.
	Age     contentage.Source
	Proxies clientip.Proxies
	Now     func() time.Time
	NewID   func() string
	Log     *slog.Logger
}

// Handler answers the API's requests.
type Handler struct {
	Config

	routes  *http.ServeMux
	models  models
	buckets *guard.Buckets
	places  chan struct{} // as many as are answered at the same time; nil: all are
}

// New makes the API.
func New(cfg Config) *Handler {
	h := &Handler{Config: cfg, routes: http.NewServeMux(), models: models{ask: cfg.Store.Model, now: cfg.Now}}
	h.buckets = guard.NewBuckets(guard.Limit{Name: "delivery", Count: cfg.PerSecond, Per: time.Second, Burst: cfg.PerSecond})
	if cfg.AtOnce > 0 {
		h.places = make(chan struct{}, cfg.AtOnce)
	}
	h.route("GET", "/{$}", h.space)
	for path, answer := range map[string]answer{
		"entries": h.entries, "entries/{id}": h.entry, "assets": h.assets, "assets/{id}": h.asset,
		"content_types": h.contentTypes, "content_types/{id}": h.contentType, "tags": h.tags, "tags/{id}": h.tag,
		"locales": h.locales, "sync": h.sync,
		"taxonomy/concepts": h.concepts, "taxonomy/concepts/{id}": h.concept,
		"taxonomy/concepts/{id}/ancestors": h.ancestors, "taxonomy/concepts/{id}/descendants": h.descendants,
		"taxonomy/concept-schemes": h.schemes, "taxonomy/concept-schemes/{id}": h.scheme,
	} {
		h.route("GET", "/"+path, answer)
		h.route("GET", "/environments/{environment}/"+path, answer)
	}
	h.route("POST", "/asset_keys", h.assetKey)
	h.route("POST", "/environments/{environment}/asset_keys", h.assetKey)
	h.routes.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { h.fail(w, r, notFound(nil)) })
	return h
}

// route answers a path of the space.
func (h *Handler) route(method, path string, a answer) {
	h.routes.HandleFunc(method+" /spaces/{space}"+path, func(w http.ResponseWriter, r *http.Request) { h.answer(w, r, a) })
}
