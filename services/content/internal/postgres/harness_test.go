package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/content/internal/search"
	searchstore "serein.app/services/content/internal/search/postgres"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// harness is one test's own database, clock and store, with the content type note.
type harness struct {
	testkit.DB
	*store.Store
	index *searchstore.Store
	now   time.Time
}

var (
	begin  = time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	editor = entry.Actor{Name: "amara", Editor: true}
)

// note has a title, a unique slug, links and a field that only the service writes.
func note() entry.ContentType {
	return entry.ContentType{Environment: entry.Master, ID: "note", Name: "Note", DisplayField: "title", Fields: []entry.Field{
		{ID: "title", Name: "Title", Type: entry.Symbol, Localized: true, Required: true},
		{ID: "slug", Name: "Slug", Type: entry.Symbol, Validations: []entry.Validation{{Unique: true}}},
		{ID: "about", Name: "About", Type: entry.Array, Items: &entry.Items{
			Type: entry.LinkType, LinkType: entry.KindEntry, Validations: []entry.Validation{{LinkContentType: []string{"note"}}},
		}},
		{ID: "seconds", Name: "Length of the narration", Type: entry.Integer, Disabled: true},
	}}
}

func setup(tb testing.TB) *harness {
	tb.Helper()
	h := &harness{DB: testkit.Postgres(tb, "content", store.Migrate), now: begin}
	clock := func() time.Time { return h.now }
	stores := store.Open(h.Pool, outbox.New(h.Pool, nil, "content", testkit.Logger(tb), clock), clock)
	h.Store, h.index = stores.Entries, stores.Search
	_, err := h.SetContentType(tb.Context(), editor, note())
	require.NoError(tb, err)
	return h
}

func key(id string) entry.Key {
	return entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
}

// titled is a draft with a title, and links to those entries.
func titled(title string, about ...string) entry.Draft {
	d := entry.Draft{Fields: entry.Fields{"title": {"en-GB": title}}}
	if len(about) > 0 {
		var links []any
		for _, id := range about {
			links = append(links, entry.Link{Kind: entry.KindEntry, ID: id}.Value())
		}
		d.Fields["about"] = map[string]any{"en-GB": links}
	}
	return d
}

// published makes an entry that readers have.
func (h *harness) published(tb testing.TB, id string, d entry.Draft) entry.Item {
	tb.Helper()
	item, err := h.Create(tb.Context(), editor, key(id), "note", d)
	require.NoError(tb, err)
	item, err = h.Publish(tb.Context(), editor, key(id), item.Version)
	require.NoError(tb, err)
	return item
}

func (h *harness) count(tb testing.TB, sql string, args ...any) (n int) {
	tb.Helper()
	require.NoError(tb, h.Pool.QueryRow(tb.Context(), sql, args...).Scan(&n))
	return n
}

// found are the ids that a text finds, kind after kind.
func (h *harness) found(tb testing.TB, text string) []string {
	tb.Helper()
	answer, err := search.New(h.index.SearchIndex()).Search(tb.Context(), search.Ask{Text: text, Kinds: search.Kinds, Size: 50})
	require.NoError(tb, err)
	all := []string{}
	for _, group := range answer.Groups {
		for _, m := range group.Matches {
			all = append(all, m.ID)
		}
	}
	return all
}

func (h *harness) tx(tb testing.TB, do func(ctx context.Context, tx pgx.Tx) error) {
	tb.Helper()
	require.NoError(tb, pgx.BeginFunc(tb.Context(), h.Pool, func(tx pgx.Tx) error { return do(tb.Context(), tx) }))
}
