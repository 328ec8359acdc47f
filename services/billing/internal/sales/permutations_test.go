package sales_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
)

// sixEvents are those of a purchase.
const sixEvents = 6

// purchases begins and pays one membership a member, and gives each one's six events.
func (h *harness) purchases(t *testing.T, n int) (orders []sales.Order, events map[uuid.UUID][]sales.Event) {
	t.Helper()
	events = map[uuid.UUID][]sales.Event{}
	var mu sync.Mutex
	var all errgroup.Group
	all.SetLimit(8)
	orders = make([]sales.Order, n)
	for i := range orders {
		all.Go(func() (err error) {
			orders[i], err = h.Start(t.Context(), request(newMember(), "core", "month"))
			return err
		})
	}
	require.NoError(t, all.Wait())
	for _, o := range orders {
		before := len(h.provider.Told())
		h.provider.Pay(o.SessionID)
		mu.Lock()
		events[o.ID] = h.provider.Told()[before:]
		mu.Unlock()
		require.Len(t, events[o.ID], sixEvents)
	}
	return orders, events
}

// hear brings events one after another, as webhooks that are applied at once.
func (h *harness) hear(ctx context.Context, events []sales.Event) error {
	for _, e := range events {
		if err := h.Receive(ctx, providertest.Payload(e), providertest.Signature); err != nil {
			return err
		}
		if err := h.Service.ApplyEvent(ctx, e.ID); err != nil {
			return err
		}
	}
	return nil
}

// hearAll brings each order the events that its permutation makes of them, many orders at once.
func (h *harness) hearAll(t *testing.T, orders []sales.Order, events map[uuid.UUID][]sales.Event, make func(permutation []int, of []sales.Event) []sales.Event) {
	t.Helper()
	var all errgroup.Group
	all.SetLimit(8)
	for i, permutation := range permutations(sixEvents) {
		all.Go(func() error { return h.hear(t.Context(), make(permutation, events[orders[i].ID])) })
	}
	require.NoError(t, all.Wait())
}

// requireSameBooks checks that every order has come to the same.
func (h *harness) requireSameBooks(t *testing.T, orders []sales.Order) {
	t.Helper()
	for _, o := range orders {
		kept := h.order(t, o.ID)
		require.Equal(t, sales.Completed, kept.State, o.Number())
		a := h.account(t, o.UID)
		require.Equal(t, credits.Balance{PlanAvailable: 20}, a.Balance, o.Number())
		require.Equal(t, "core", a.Subscription.PlanID)
		require.True(t, a.Subscription.Renews)
		require.Equal(t, begin.AddDate(0, 1, 0), a.Subscription.EndsAt)
	}
	n := len(orders)
	require.Equal(t, n, h.count(t, `SELECT count(*) FROM entries`), "one grant a purchase")
	require.Equal(t, n, h.count(t, `SELECT count(DISTINCT cause) FROM entries WHERE cause LIKE 'subscription:%' AND amount = 20`))
	for _, subject := range []string{"order.completed", "subscription.started", "credits.granted"} {
		require.Equal(t, n, h.told(t, subject), subject)
	}
	require.Zero(t, h.counts.mismatched)
}

// A9: 720 orders of the six events, each event twice.
func TestTheSixEventsOfAPurchaseComeToTheSameInEveryOrderEachDoubled(t *testing.T) {
	t.Parallel()
	h := setup(t)
	orders, events := h.purchases(t, 720)
	h.hearAll(t, orders, events, func(permutation []int, of []sales.Event) []sales.Event {
		var heard []sales.Event
		for _, i := range permutation {
			heard = append(heard, of[i], of[i])
		}
		return append(heard, of[permutation[0]]) // and the first of them late, once more
	})
	h.requireSameBooks(t, orders)
}

// Leaving out the last of each of the 720 gives every order of every five of the six, each once.
func TestAPurchaseLosesNothingByAnyEventThatIsDropped(t *testing.T) {
	t.Parallel()
	h := setup(t)
	orders, events := h.purchases(t, 720)
	h.hearAll(t, orders, events, func(permutation []int, of []sales.Event) []sales.Event {
		var heard []sales.Event
		for _, i := range permutation[:sixEvents-1] {
			heard = append(heard, of[i])
		}
		return heard
	})
	require.NoError(t, h.Reconcile(t.Context()))
	h.work(t)
	h.requireSameBooks(t, orders)
	require.Equal(t, 720*sixEvents, h.count(t, `SELECT count(*) FROM webhook_events WHERE applied_at IS NOT NULL`))
}

func TestEveryEventMayBeLostAndThePurchaseIsFoundAllTheSame(t *testing.T) {
	t.Parallel()
	h := setup(t)
	orders, _ := h.purchases(t, 30)
	h.pass(10 * sales.SessionTime / 60) // ten minutes
	require.NoError(t, h.PollPendingOrders(t.Context()))
	for _, o := range orders {
		require.Equal(t, sales.Completed, h.order(t, o.ID).State)
	}
	require.NoError(t, h.PollPendingOrders(t.Context()))
	require.Equal(t, map[string]int{"order": 30}, h.counts.lost, "and each order is reported to the operator once")
}

func TestEachEventThatOnlyTheListingBringsIsToldOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	o := h.buys(t, newMember(), "tote", "")
	h.deliver(t, h.provider.Told()...)
	require.NoError(t, h.Reconcile(t.Context()))
	require.Empty(t, h.counts.lost, "all of them came")
	h.provider.GiveBack(o.Payment, 100, false)
	h.pass(2 * time.Minute)
	h.provider.GiveBack(o.Payment, 100, false) // whose webhook is on its way
	for range 2 {
		require.NoError(t, h.Reconcile(t.Context()))
		h.work(t)
	}
	require.Equal(t, int64(200), h.order(t, o.ID).Refunded)
	require.Equal(t, map[string]int{"event": 1}, h.counts.lost)
}

// permutations of 0 … n-1.
func permutations(n int) (all [][]int) {
	var next func(rest, taken []int)
	next = func(rest, taken []int) {
		if len(rest) == 0 {
			all = append(all, taken)
			return
		}
		for i, x := range rest {
			next(slices.Delete(slices.Clone(rest), i, i+1), append(slices.Clone(taken), x))
		}
	}
	var rest []int
	for i := range n {
		rest = append(rest, i)
	}
	next(rest, nil)
	return all
}
