package seeding_test

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/content/internal/seeding"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// harness is one test's own database and files.
type harness struct {
	testkit.DB

	store *store.Store
	files fstest.MapFS
	log   bytes.Buffer
	// kept are the names of the files of assets.
	kept []string
}

var editor = entry.Actor{Name: "amara", Editor: true}

func setup(t *testing.T) *harness {
	t.Helper()
	h := &harness{DB: testkit.Postgres(t, "content", store.Migrate), files: maps.Clone(few)}
	h.store = store.Open(h.Pool, outbox.New(h.Pool, nil, "content", testkit.Logger(t), time.Now), time.Now).Entries
	return h
}

// seeder is one replica's.
func (h *harness) seeder(into seeding.Store) *seeding.Seeder {
	return seeding.New(h.files, into, h.keep, slog.New(slog.NewTextHandler(&h.log, nil)))
}

func (h *harness) keep(_ context.Context, name string, _ []byte) error {
	h.kept = append(h.kept, name)
	return nil
}

// apply brings the files in, and gives how much that changed and what was wrong.
func (h *harness) apply(t *testing.T) (int, error) {
	t.Helper()
	return h.seeder(h.store).Once(t.Context())
}

func (h *harness) write(name, text string) { h.files[name] = &fstest.MapFile{Data: []byte(text)} }

func key(id string) entry.Key {
	return entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
}

// title is what readers get of an entry's field title.
func (h *harness) title(t *testing.T, id string) any {
	t.Helper()
	p, err := h.store.Published(t.Context(), key(id))
	require.NoError(t, err)
	return p.Fields["title"]["en-GB"]
}

func (h *harness) count(t *testing.T, sql string) (n int) {
	t.Helper()
	require.NoError(t, h.Pool.QueryRow(t.Context(), sql).Scan(&n))
	return n
}

// few is a house with few files; those that are not needed are missing.
var few = fstest.MapFS{
	"content-types.yaml": {Data: []byte(`- id: page
  name: Page
  displayField: title
  fields:
    - {id: title, name: Title, type: Symbol, required: true}
    - {id: body, name: Body, type: Text, required: true}
- id: homepage
  name: Home
  displayField: title
  fields:
    - {id: title, name: Title, type: Symbol, required: true}
- id: category
  name: Category
  displayField: name
  fields:
    - {id: name, name: Name, type: Symbol, required: true}
    - {id: order, name: Order, type: Integer, required: true}
- id: article
  name: Article
  displayField: title
  fields:
    - {id: title, name: Title, type: Symbol, required: true}
    - {id: categories, name: Categories, type: Array, items: {type: Link, linkType: Entry, validations: [{linkContentType: [category]}]}}
    - {id: open, name: Open, type: Boolean}
    - {id: body, name: Body, type: Text, required: true}
`)},
	"categories.yaml":    {Data: []byte("- id: better-sleep\n  name: Better Sleep\n- id: anger\n  name: Anger\n")},
	"homepage.yaml":      {Data: []byte("title: Home\n")},
	"about.md":           {Data: []byte("---\ntitle: About\n---\nText\n")},
	"sitemap.md":         {Data: []byte("---\ntitle: Sitemap\n---\nText\n")},
	"articles/first.md":  {Data: []byte("---\ntitle: First\ncategories: [Better Sleep, Anger]\nopen: true\n---\n\nThe body.\n")},
	"articles/second.md": {Data: []byte("---\ntitle: Second\n---\n\nThe body.\n")},
}

// dying is a store that dies after some entries, as the process does that is killed.
type dying struct {
	seeding.Store

	after int
	die   context.CancelFunc
}

func (d *dying) Apply(ctx context.Context, s store.Seed) (bool, error) {
	if d.after--; d.after < 0 {
		d.die()
	}
	return d.Store.Apply(ctx, s)
}

// refusing is a store that publishes no other words of a legal text under the same version.
type refusing struct{ seeding.Store }

func (r refusing) Apply(ctx context.Context, s store.Seed) (bool, error) {
	if s.ID == "first" {
		return false, entry.ErrLegalVersion
	}
	return r.Store.Apply(ctx, s)
}

// draftOf is the fields with another title.
func draftOf(fields entry.Fields, title string) entry.Draft {
	changed := maps.Clone(fields)
	changed["title"] = map[string]any{"en-GB": title}
	return entry.Draft{Fields: changed}
}

func atLeast(size float64) entry.Validation {
	return entry.Validation{Size: &entry.Bounds{Min: &size}}
}
