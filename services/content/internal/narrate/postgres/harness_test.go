package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	narratestore "serein.app/services/content/internal/narrate/postgres"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// harness is one test's own database and narrations.
type harness struct {
	testkit.DB
	*narratestore.Store

	entries *store.Store
}

var (
	begin  = time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	editor = entry.Actor{Name: "amara", Editor: true}
)

func setup(tb testing.TB) *harness {
	tb.Helper()
	h := &harness{DB: testkit.Postgres(tb, "content", store.Migrate)}
	clock := func() time.Time { return begin }
	stores := store.Open(h.Pool, outbox.New(h.Pool, nil, "content", testkit.Logger(tb), clock), clock)
	h.Store, h.entries = stores.Narrations, stores.Entries
	return h
}

func key(id string) entry.Key {
	return entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
}

// article publishes one of that title.
func (h *harness) article(tb testing.TB, id, title string) {
	tb.Helper()
	_, err := h.entries.SetContentType(tb.Context(), editor, entry.ContentType{
		Environment: entry.Master, ID: "article", Name: "Article", DisplayField: "title",
		Fields: []entry.Field{{ID: "title", Name: "Title", Type: entry.Text, Localized: true}},
	})
	require.NoError(tb, err)
	item, err := h.entries.Create(tb.Context(), editor, key(id), "article", entry.Draft{Fields: entry.Fields{"title": {"en-GB": title}}})
	require.NoError(tb, err)
	_, err = h.entries.Publish(tb.Context(), editor, key(id), item.Version)
	require.NoError(tb, err)
}

func (h *harness) count(tb testing.TB, sql string, args ...any) (n int) {
	tb.Helper()
	require.NoError(tb, h.Pool.QueryRow(tb.Context(), sql, args...).Scan(&n))
	return n
}
