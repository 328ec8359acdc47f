package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/testkit"
)

func (b *harness) count(tb testing.TB, sql string, args ...any) (n int) {
	tb.Helper()
	require.NoError(tb, b.Pool.QueryRow(tb.Context(), sql, args...).Scan(&n))
	return n
}

// B7: ended holds go after 90 days, the books stay, and what is open stays whatever its age.
func TestEndedHoldsGoAfterTheirTimeAndTheLedgerStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 10)
	spent, _, err := b.store.Hold(t.Context(), request(uid, 2, "spent"))
	require.NoError(t, err)
	require.NoError(t, b.store.Capture(t.Context(), spent.ID))
	open, _, err := b.store.Hold(t.Context(), request(uid, 1, "open"))
	require.NoError(t, err)
	entries := b.count(t, "SELECT count(*) FROM entries")

	require.Zero(t, testkit.Retain(t, b.Pool, store.Retention(), b.now.Add(90*retention.Day-time.Microsecond)))
	require.Equal(t, 1, testkit.Retain(t, b.Pool, store.Retention(), b.now.Add(90*retention.Day)))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM holds WHERE id = $1", open.ID), "it is open still")
	require.Equal(t, entries, b.count(t, "SELECT count(*) FROM entries"))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM entries WHERE cause = $1", "hold:"+spent.ID.String()))
	require.Equal(t, credits.Balance{TopUpAvailable: 7, Held: 1}, b.balance(t, uid))
}

// broken makes a member with a hold that ran out and whose books do not allow it to end.
func (b *harness) broken(t *testing.T, admin *pgx.Conn) uuid.UUID {
	t.Helper()
	uid := b.member(t, 5)
	_, _, err := b.store.Hold(t.Context(), request(uid, 1, uuid.NewString()))
	require.NoError(t, err)
	_, err = admin.Exec(t.Context(), "UPDATE holds SET top_up_credits = 100 WHERE uid = $1", uid)
	require.NoError(t, err)
	return uid
}

// B16: one bad row must not starve the rest, however many there are and whenever they come.
func TestASweepSettlesEverybodyThatItCanTheLongestDueFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	admin, err := pgx.Connect(t.Context(), b.AdminURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = admin.Close(t.Context()) })
	for range 201 { // more than a round takes
		b.broken(t, admin)
	}
	due := make([]uuid.UUID, 6)
	for i := range due {
		due[len(due)-1-i] = b.member(t, 5) // who came first is due last
	}
	for _, uid := range due {
		b.now = b.now.Add(time.Minute)
		_, _, err = b.store.Hold(t.Context(), request(uid, 1, uid.String()))
		require.NoError(t, err)
	}
	b.now = b.now.Add(2 * time.Hour)
	swept, err := b.store.Sweep(t.Context())
	require.Error(t, err, "the error names the holds that cannot be settled")
	require.Len(t, due, swept)
	require.Equal(t, 201, b.count(t, "SELECT count(*) FROM holds WHERE state = 'held'"))
	var order []uuid.UUID
	require.NoError(t, b.Pool.QueryRow(t.Context(), `SELECT array_agg(h.uid ORDER BY o.seq) FROM holds h
		JOIN outbox o ON o.subject = 'serein.billing.credits.released.v1' AND position(convert_to(h.id::text, 'UTF8') IN o.payload) > 0`).Scan(&order))
	require.Equal(t, due, order)
}

// Six years' books stay; what nobody paid and what was told goes with the quarter.
func TestOrdersStayForTheBooksAndUnpaidOnesGo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	paid, closed, open := b.order(t), b.order(t), b.order(t)
	_, err := b.Pool.Exec(t.Context(), payOrder, paid)
	require.NoError(t, err)
	_, err = b.Pool.Exec(t.Context(), `UPDATE orders SET state = 'closed' WHERE id = $1`, closed)
	require.NoError(t, err)
	_, err = b.Pool.Exec(t.Context(), `INSERT INTO webhook_events (id, type, object, object_id, payment, occurred_at, received_at) VALUES ('e', '', '', '', '', now(), now())`)
	require.NoError(t, err)
	_, err = b.Pool.Exec(t.Context(), `INSERT INTO departures VALUES (gen_random_uuid(), now(), now()), (gen_random_uuid(), now(), NULL)`)
	require.NoError(t, err)
	now := time.Now()
	require.Zero(t, testkit.Retain(t, b.Pool, store.Retention(), now.Add(89*retention.Day)))
	require.Equal(t, 5, testkit.Retain(t, b.Pool, store.Retention(), now.Add(91*retention.Day)), "the unpaid order, the event, who has gone, and two fingerprints")
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM orders WHERE id IN ($1, $2)", paid, open))
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM order_lines"))
	require.Zero(t, testkit.Retain(t, b.Pool, store.Retention(), now.AddDate(6, 11, 0)))
	require.Equal(t, 1, testkit.Retain(t, b.Pool, store.Retention(), now.AddDate(7, 0, 3)))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM orders WHERE id = $1", open), "it is open still")
}
