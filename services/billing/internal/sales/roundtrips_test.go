package sales_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// A second checkout reads what is sold and the member, keeps the order, closes the page of the first, reads the member and what they have
// paid again, reads the customer, keeps the page, and looks for a third checkout. It took 32 round trips when each statement was one.
func TestASecondCheckoutTakesNineRoundTripsToTheDatabase(t *testing.T) {
	t.Parallel()
	h := setup(t)
	pool, trips := h.CountRoundTrips(t)
	out := outbox.New(pool, nil, "billing", testkit.Logger(t), h.clock)
	counted, err := store.New(pool, out, h.clock, uuid.NewV7)
	require.NoError(t, err)
	counted.WorkBy(&h.jobs)
	h.Service.Store = counted
	uid := uuid.Must(uuid.NewV7())
	h.trial(t, uid)
	require.Equal(t, int64(9), trips.Least(func() {
		_, err := h.Start(t.Context(), sales.Request{UID: uid, Key: uuid.NewString(), Items: []sales.RequestedLine{
			{ProductID: "tee", Size: "S", Quantity: 2}, {ProductID: "tee", Size: "M", Quantity: 1}, {ProductID: "tote", Quantity: 1},
		}})
		require.NoError(t, err)
	}))
}
