package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// A member who presses Generate waits for the hold, so the hold takes one round trip, its entries and event included.
func TestAHoldTakesOneRoundTripToTheDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	pool, trips := b.CountRoundTrips(t)
	clock := func() time.Time { return b.now }
	counted, err := store.New(pool, outbox.New(pool, nil, "billing", testkit.Logger(t), clock), clock, uuid.NewV7)
	require.NoError(t, err)
	uid := b.member(t, 100)
	require.Equal(t, int64(1), trips.Least(func() {
		_, _, err := counted.Hold(t.Context(), credits.HoldRequest{
			UID: uid, Amount: 2, Key: uuid.NewString(), Reference: "meditation", TTL: time.Minute,
		})
		require.NoError(t, err)
	}))
}
