package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	searchstore "serein.app/services/content/internal/search/postgres"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// harness is one test's own database, clock and stores.
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

func setup(tb testing.TB) *harness {
	tb.Helper()
	h := &harness{DB: testkit.Postgres(tb, "content", store.Migrate), now: begin}
	clock := func() time.Time { return h.now }
	stores := store.Open(h.Pool, outbox.New(h.Pool, nil, "content", testkit.Logger(tb), clock), clock)
	h.Store, h.index = stores.Entries, stores.Search
	return h
}

func key(id string) entry.Key {
	return entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
}

func (h *harness) count(tb testing.TB, sql string, args ...any) (n int) {
	tb.Helper()
	require.NoError(tb, h.Pool.QueryRow(tb.Context(), sql, args...).Scan(&n))
	return n
}
