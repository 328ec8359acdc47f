package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// lows are the published events of a low balance, oldest first.
func (b *harness) lows(t *testing.T) (told []*eventsv1.CreditsLow) {
	t.Helper()
	for _, event := range b.outboxed(t) {
		if low, ok := event.(*eventsv1.CreditsLow); ok {
			told = append(told, low)
		}
	}
	return told
}

func TestFewCreditsAreToldOnceAGrant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 0)
	require.NoError(t, b.trial(b.store, uid, mailbox(1))) // 8 credits
	for _, key := range []string{"1", "2", "3"} {
		b.spend(t, uid, 2, key)
	}
	require.Empty(t, b.lows(t), "two are enough for another one")
	hold := b.spend(t, uid, 1, "4")
	require.NoError(t, b.store.Capture(t.Context(), hold.ID))
	b.spend(t, uid, 1, "5")
	want := &eventsv1.CreditsLow{Uid: uid.String(), Available: 1, Grant: "trial:" + uid.String()}
	require.Len(t, b.lows(t), 1)
	require.True(t, proto.Equal(want, b.lows(t)[0]), b.lows(t)[0])

	b.grant(t, uid, credits.TopUpPool, 3, "order:x:1", 0)
	require.Len(t, b.lows(t), 1, "a grant tells nothing")
	b.spend(t, uid, 2, "6")
	b.spend(t, uid, 1, "7")
	require.Len(t, b.lows(t), 2, "another grant, another time")
	require.Equal(t, "order:x:1", b.lows(t)[1].GetGrant())
	requireSound(t, b, uid)
}

// What a released hold gives back was never gone; what is set aside for other work is.
func TestOnlyACaptureTellsOfFewCredits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 3)
	hold, _, err := b.store.Hold(t.Context(), request(uid, 2, "released"))
	require.NoError(t, err)
	require.NoError(t, b.store.Release(t.Context(), hold.ID))
	require.Empty(t, b.lows(t))
	_, _, err = b.store.Hold(t.Context(), request(uid, 2, "open"))
	require.NoError(t, err)
	b.spend(t, uid, 1, "spent")
	require.Len(t, b.lows(t), 1)
	require.Zero(t, b.lows(t)[0].GetAvailable())
}

func TestFewCreditsOfAMembershipSayWhenNewOnesComeAndThatMoreCanBeBought(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ends := b.now.AddDate(0, 1, 0)
	for name, c := range map[string]struct {
		renews bool
		ends   time.Time
		topUp  bool
	}{"renews": {true, ends, true}, "cancelled": {false, ends, true}, "over": {false, b.now.Add(-time.Hour), false}} {
		uid := b.member(t, 2)
		_, err := b.Pool.Exec(t.Context(), `INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at, provider_id, period, price_id, renews, order_id)
			VALUES ($1, 'serein-core', $2, $3, $4, 'month', 'price', $5, gen_random_uuid())`, uid, b.now.AddDate(0, -2, 0), c.ends, "sub "+name, c.renews)
		require.NoError(t, err)
		b.spend(t, uid, 2, name)
		lows := b.lows(t)
		want := &eventsv1.CreditsLow{Uid: uid.String(), Grant: "gift:" + uid.String(), TopUp: c.topUp}
		if c.renews {
			want.ReplacedAt = timestamppb.New(ends)
		}
		require.True(t, proto.Equal(want, lows[len(lows)-1]), lows[len(lows)-1])
	}
}

func TestOfCapturesAtOnceOneTellsOfFewCredits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stores := []*store.Store{b.store, replica(t, b)}
	for range 5 {
		uid := b.member(t, 8)
		holds := make([]uuid.UUID, 8)
		for i := range holds {
			hold, _, err := b.store.Hold(t.Context(), request(uid, 1, uuid.NewString()))
			require.NoError(t, err)
			holds[i] = hold.ID
		}
		before := len(b.lows(t))
		atOnce(16, func(i int) {
			if err := stores[i%2].Capture(t.Context(), holds[i/2]); err != nil {
				t.Error(err)
			}
		})
		require.Len(t, b.lows(t), before+1)
		requireSound(t, b, uid)
	}
}

// A capture is one round trip; the one that tells reads what to tell, and asks again.
func TestACaptureTakesOneRoundTripUnlessItTells(t *testing.T) {
	t.Parallel()
	b := setup(t)
	pool, trips := b.CountRoundTrips(t)
	clock := func() time.Time { return b.now }
	counted, err := store.New(pool, outbox.New(pool, nil, "billing", testkit.Logger(t), clock), clock, uuid.NewV7)
	require.NoError(t, err)
	capture := func(uid uuid.UUID) {
		hold, _, err := counted.Hold(t.Context(), request(uid, 1, uuid.NewString()))
		require.NoError(t, err)
		require.NoError(t, counted.Capture(t.Context(), hold.ID))
	}
	rich := b.member(t, 1000)
	require.Equal(t, int64(2), trips.Least(func() { capture(rich) }), "with its hold")
	require.Equal(t, int64(4), trips.Least(func() { capture(b.member(t, 2)) }))
}
