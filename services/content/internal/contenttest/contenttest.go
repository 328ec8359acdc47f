// Package contenttest gives tests of the rooms a database with the stores of all of them, a clock, and articles and meditations like
// those of the editors' files.
package contenttest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/content/internal/search"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// Harness is one test's own database, clock and stores.
type Harness struct {
	testkit.DB

	Stores store.Stores
	// Now is the moment of every change.
	Now time.Time
}

// Begin is when the clock starts.
var Begin = time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)

// Editor changes entries.
var Editor = entry.Actor{Name: "amara", Editor: true}

// Open makes the database, which has no content types but those that every database has.
func Open(tb testing.TB) *Harness {
	tb.Helper()
	h := &Harness{DB: testkit.Postgres(tb, "content", store.Migrate), Now: Begin}
	clock := func() time.Time { return h.Now }
	h.Stores = store.Open(h.Pool, outbox.New(h.Pool, nil, "content", testkit.Logger(tb), clock), clock)
	return h
}

// Key of an entry of master.
func Key(id string) entry.Key {
	return entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
}

// Count is the one number that a statement answers.
func (h *Harness) Count(tb testing.TB, sql string, args ...any) (n int) {
	tb.Helper()
	require.NoError(tb, h.Pool.QueryRow(tb.Context(), sql, args...).Scan(&n))
	return n
}

// Tx runs do in a transaction, which it commits.
func (h *Harness) Tx(tb testing.TB, do func(ctx context.Context, tx pgx.Tx) error) {
	tb.Helper()
	require.NoError(tb, pgx.BeginFunc(tb.Context(), h.Pool, func(tx pgx.Tx) error { return do(tb.Context(), tx) }))
}

// Found are the ids that a text finds, kind after kind.
func (h *Harness) Found(tb testing.TB, text string) []string {
	tb.Helper()
	answer, err := search.New(h.Stores.Search.SearchIndex()).Search(tb.Context(), search.Ask{Text: text, Kinds: search.Kinds, Size: 50})
	require.NoError(tb, err)
	all := []string{}
	for _, group := range answer.Groups {
		for _, m := range group.Matches {
			all = append(all, m.ID)
		}
	}
	return all
}

// Withdraw takes an entry from readers.
func (h *Harness) Withdraw(tb testing.TB, id string) {
	tb.Helper()
	item, err := h.Stores.Entries.Item(tb.Context(), Key(id))
	require.NoError(tb, err)
	_, err = h.Stores.Entries.Unpublish(tb.Context(), Editor, item.Key, item.Version)
	require.NoError(tb, err)
}

// Told lists the events that wait, in their order.
func (h *Harness) Told(tb testing.TB) (messages []proto.Message) {
	tb.Helper()
	rows, err := h.Pool.Query(tb.Context(), "SELECT payload FROM outbox ORDER BY seq")
	require.NoError(tb, err)
	payloads, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	require.NoError(tb, err)
	for _, payload := range payloads {
		var envelope eventsv1.Envelope
		require.NoError(tb, proto.Unmarshal(payload, &envelope))
		message, err := envelope.GetPayload().UnmarshalNew()
		require.NoError(tb, err)
		messages = append(messages, message)
	}
	return messages
}
