package paymentsandbox

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every period of every member is billed once, and what was taken from cards is what the paid invoices asked for.
func TestAYearsBooksBalanceToThePenny(t *testing.T) {
	t.Parallel()
	const members = 300
	w := newWorld(t, Config{PortalPays: true})
	populate(w.Sandbox, members)
	uses := func(i int, card Card) {
		require.NoError(t, w.ChangeCard(fmt.Sprintf("cus_%d", i), card))
		w.chargeTo(w.state.Subscriptions.Items[i], w.state.Customers.Items[i].Default)
	}
	for i := range members {
		if i%3 == 0 {
			uses(i, FailsAtRenewal)
		}
	}
	for month := range 12 {
		w.Advance(days(31))
		for i := 0; i < members; i += 3 + month%2*3 {
			uses(i, []Card{Accepted, FailsAtRenewal}[month%2])
		}
	}
	var asked, taken int64
	for _, found := range w.state.Subscriptions.Items {
		bills := w.index.bills[found.ID]
		require.Len(t, bills, 13)
		for i, bill := range bills {
			require.Equal(t, found.periodEnd(i), bill.PeriodStart)
			if bill.Status == paid && bill.Payment != "" {
				asked += w.due(bill)
			}
		}
	}
	for _, p := range w.state.Payments.Items {
		if p.Status == succeeded {
			taken += p.Amount
		}
	}
	require.Equal(t, asked, taken)
	require.Greater(t, taken, int64(members*6*1999))
}

func BenchmarkAYearOfMembers(b *testing.B) {
	for _, members := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(members), func(b *testing.B) {
			for range b.N {
				s, err := New(Config{Key: testKey})
				require.NoError(b, err)
				populate(s, members)
				for range 12 {
					s.Advance(days(31))
				}
				require.NoError(b, s.Close())
			}
		})
	}
}

// populate sells memberships at once, without the API.
func populate(s *Sandbox, members int) {
	_ = s.locked(func() error {
		s.state.Products.add(&product{ID: "prod_1", Name: "Premium", Active: true})
		s.state.Prices.add(&price{ID: "price_1", Product: "prod_1", Amount: 1999, Currency: "gbp", Interval: "month", Active: true})
		for i := range members {
			payer := &customer{ID: fmt.Sprintf("cus_%d", i)}
			s.state.Customers.add(payer)
			card := s.give(payer, Accepted, newID("pm"))
			s.subscribe(&session{Customer: payer.ID, Currency: "gbp", Lines: []line{{ID: fmt.Sprintf("li_%d", i), Price: "price_1", Quantity: 1}}}, nil, card)
		}
		return nil
	})
}
