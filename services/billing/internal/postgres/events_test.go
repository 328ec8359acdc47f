package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
)

// outboxed are the events that were written, oldest first.
func (b *harness) outboxed(t *testing.T) (events []proto.Message) {
	t.Helper()
	rows, err := b.Pool.Query(t.Context(), `SELECT payload FROM outbox ORDER BY seq`)
	require.NoError(t, err)
	payloads, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	require.NoError(t, err)
	for _, payload := range payloads {
		envelope := new(eventsv1.Envelope)
		require.NoError(t, proto.Unmarshal(payload, envelope))
		event, err := envelope.GetPayload().UnmarshalNew()
		require.NoError(t, err)
		events = append(events, event)
	}
	return events
}

func TestEventsSayWhichCreditsMovedAndWhy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 5)
	b.grant(t, uid, credits.PlanPool, 1, "trial:"+uid.String(), 24*time.Hour)
	take := func(amount int64, key string, life time.Duration) string {
		r := request(uid, amount, key)
		r.TTL = life
		hold, _, err := b.store.Hold(t.Context(), r)
		require.NoError(t, err)
		return hold.ID.String()
	}
	both, later, sooner := take(3, "both", time.Hour), take(1, "later", 3*time.Hour), take(2, "sooner", 2*time.Hour)
	require.NoError(t, b.store.Capture(t.Context(), uuid.MustParse(both)))
	b.now = b.now.Add(4 * time.Hour)
	_, err := b.store.Sweep(t.Context())
	require.NoError(t, err)
	free := take(1, "free", time.Hour)
	require.NoError(t, b.store.Release(t.Context(), uuid.MustParse(free)))

	id := uid.String()
	want := []proto.Message{
		&eventsv1.CreditsHeld{Uid: id, HoldId: both, PlanCredits: 1, TopUpCredits: 2, Reference: "meditation:both"},
		&eventsv1.CreditsHeld{Uid: id, HoldId: later, TopUpCredits: 1, Reference: "meditation:later"},
		&eventsv1.CreditsHeld{Uid: id, HoldId: sooner, TopUpCredits: 2, Reference: "meditation:sooner"},
		&eventsv1.CreditsSpent{Uid: id, HoldId: both, PlanCredits: 1, TopUpCredits: 2, Reference: "meditation:both"},
		&eventsv1.CreditsLow{Uid: id, Grant: "trial:" + id},
		&eventsv1.CreditsReleased{Uid: id, HoldId: sooner, Amount: 2, Reference: "meditation:sooner", Reason: "expired"},
		&eventsv1.CreditsReleased{Uid: id, HoldId: later, Amount: 1, Reference: "meditation:later", Reason: "expired"},
		&eventsv1.CreditsHeld{Uid: id, HoldId: free, TopUpCredits: 1, Reference: "meditation:free"},
		&eventsv1.CreditsReleased{Uid: id, HoldId: free, Amount: 1, Reference: "meditation:free", Reason: "released"},
	}
	got := b.outboxed(t)[2:] // behind the two grants
	require.Len(t, got, len(want))
	for i := range want {
		require.True(t, proto.Equal(want[i], got[i]), "%d: %v, not %v", i, got[i], want[i])
	}
}
