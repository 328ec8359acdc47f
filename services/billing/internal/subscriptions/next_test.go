package subscriptions_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/itemkind"
)

// Ends of daylight saving, 29 February, ends of months and time zones: the provider's periods are taken as they are, whatever
// their length, and grace is 14 days of 24 hours behind them, whatever the clocks of the season do.
func TestPeriodsOfEveryLengthRenewAndLeaveFourteenDays(t *testing.T) {
	t.Parallel()
	london, err := time.LoadLocation("Europe/London")
	require.NoError(t, err)
	auckland, err := time.LoadLocation("Pacific/Auckland")
	require.NoError(t, err)
	for name, c := range map[string]struct{ starts, turns, ends time.Time }{
		"clocks go forward":           {time.Date(2027, 3, 15, 0, 30, 0, 0, london), time.Date(2027, 4, 15, 0, 30, 0, 0, london), time.Date(2027, 5, 15, 0, 30, 0, 0, london)},
		"clocks go back":              {time.Date(2027, 10, 17, 1, 30, 0, 0, london), time.Date(2027, 11, 17, 1, 30, 0, 0, london), time.Date(2027, 12, 17, 1, 30, 0, 0, london)},
		"the other half of the world": {time.Date(2027, 9, 20, 2, 30, 0, 0, auckland), time.Date(2027, 10, 20, 2, 30, 0, 0, auckland), time.Date(2027, 11, 20, 2, 30, 0, 0, auckland)},
		"the last of January":         {time.Date(2027, 1, 31, 9, 0, 0, 0, time.UTC), time.Date(2027, 2, 28, 9, 0, 0, 0, time.UTC), time.Date(2027, 3, 31, 9, 0, 0, 0, time.UTC)},
		"a leap year's February":      {time.Date(2028, 1, 31, 9, 0, 0, 0, time.UTC), time.Date(2028, 2, 29, 9, 0, 0, 0, time.UTC), time.Date(2028, 3, 31, 9, 0, 0, 0, time.UTC)},
		"a year from 29 February":     {time.Date(2028, 2, 29, 9, 0, 0, 0, time.UTC), time.Date(2029, 2, 28, 9, 0, 0, 0, time.UTC), time.Date(2030, 2, 28, 9, 0, 0, 0, time.UTC)},
		"across New Year":             {time.Date(2027, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(2028, 1, 31, 23, 59, 59, 0, time.UTC), time.Date(2028, 2, 29, 23, 59, 59, 0, time.UTC)},
	} {
		s := member(c.starts, c.turns)
		require.True(t, s.AccessUntil().Equal(c.turns.Add(336*time.Hour)), name)
		after, happened := subscriptions.Next(s, told(s, c.turns, c.ends, subscriptions.Paid), c.turns.Add(time.Hour))
		require.Equal(t, []subscriptions.Kind{subscriptions.Renewed}, kinds(happened), name)
		require.True(t, after.StartsAt.Equal(c.turns) && after.EndsAt.Equal(c.ends), name)
		require.True(t, after.DueAt.Equal(c.ends), name)
		require.True(t, after.AccessUntil().Equal(c.ends.Add(336*time.Hour)), name)
		require.Equal(t, plans.Active, after.Status(after.AccessUntil().Add(-time.Nanosecond)), name)
		require.Equal(t, plans.Ended, after.Status(after.AccessUntil()), name)

		over := c.turns.Add(336 * time.Hour)
		failed, happened := subscriptions.Next(s, told(s, c.turns, c.ends, subscriptions.Open), c.turns.Add(time.Hour))
		require.Equal(t, []subscriptions.Kind{subscriptions.Failed}, kinds(happened), name)
		require.Equal(t, plans.InGrace, failed.Status(over.Add(-time.Nanosecond)), name)
		ended, happened := subscriptions.Next(failed, told(failed, c.turns, c.ends, subscriptions.Open), over)
		require.Equal(t, []subscriptions.Kind{subscriptions.HasEnded}, kinds(happened), name)
		require.Equal(t, subscriptions.Unpaid, ended.Reason, name)
	}
}

// member is one whose first period is that.
func member(starts, ends time.Time) subscriptions.State {
	return subscriptions.State{
		UID: uuid.New(), ID: "sub", PlanID: "core", PlanName: "Core", Period: "month", PriceID: "price_core", Amount: 799, Currency: "gbp", Credits: 20,
		StartsAt: starts.UTC(), EndsAt: ends.UTC(), Renews: true, DueAt: ends.UTC(),
	}
}

// told is what the provider says once a further period has begun.
func told(s subscriptions.State, starts, ends time.Time, status subscriptions.InvoiceStatus) subscriptions.Told {
	invoice := subscriptions.Invoice{
		ID: "in", Status: status, Reason: subscriptions.Cycle, Total: s.Amount, Currency: s.Currency, CreatedAt: starts,
		Lines: []subscriptions.InvoiceLine{{PriceID: s.PriceID, Amount: s.Amount, PeriodStart: starts, PeriodEnd: ends}},
	}
	if status == subscriptions.Paid {
		invoice.Charged = s.Amount
	} else {
		invoice.Due, invoice.Attempts = s.Amount, 1
	}
	return subscriptions.Told{
		Subscription: sales.ProviderSubscription{ID: s.ID, Status: "active", PriceID: s.PriceID, PeriodStart: starts, PeriodEnd: ends},
		Invoices:     []subscriptions.Invoice{invoice},
		Items: map[string]sales.Item{
			"price_core": {ProductID: "core", Size: "month", Kind: itemkind.Membership, Name: "Core", Amount: 799, Currency: "gbp", Credits: 20},
		},
	}
}

func kinds(happened []subscriptions.Happening) (all []subscriptions.Kind) {
	for _, h := range happened {
		all = append(all, h.Kind)
	}
	return all
}

// Said again, nothing happens again: Next of what it has become is that.
func TestWhatIsToldTwiceHappensOnce(t *testing.T) {
	t.Parallel()
	turns, ends := begin.AddDate(0, 1, 0), begin.AddDate(0, 2, 0)
	s := member(begin, turns)
	for name, says := range map[string]subscriptions.Told{
		"paid":   told(s, turns, ends, subscriptions.Paid),
		"failed": told(s, turns, ends, subscriptions.Open),
	} {
		for _, wish := range []bool{false, true} {
			says.Subscription.CancelAtPeriodEnd = wish
			once, happened := subscriptions.Next(s, says, turns.Add(time.Hour))
			require.NotEmpty(t, happened, name)
			twice, happened := subscriptions.Next(once, says, turns.Add(time.Hour))
			require.Empty(t, happened, name)
			require.Equal(t, once, twice, name)
		}
	}
}

// S1: from every status, for every state of the provider and at every moment, a membership moves only along the edges.
func TestAMembershipGoesAlongItsEdgesAlone(t *testing.T) {
	t.Parallel()
	turns, ends := begin.AddDate(0, 1, 0), begin.AddDate(0, 2, 0)
	states := map[string]func(*subscriptions.State){
		"active": func(*subscriptions.State) {}, "cancelling": func(s *subscriptions.State) { s.Renews = false },
		"grace": func(s *subscriptions.State) { s.FailedAt, s.Notices = turns.Add(time.Hour), 1 },
		"ended": func(s *subscriptions.State) {
			s.Renews, s.EndedAt, s.Reason, s.DueAt = false, turns, subscriptions.Cancelled, time.Time{}
		},
	}
	for name, be := range states {
		s := member(begin, turns)
		be(&s)
		for _, now := range []time.Time{begin.Add(time.Hour), turns.Add(-1), turns, turns.Add(time.Hour), turns.Add(336*time.Hour - 1), turns.Add(336 * time.Hour), ends} {
			for _, status := range []subscriptions.InvoiceStatus{subscriptions.Paid, subscriptions.Open, subscriptions.Draft, subscriptions.Void, subscriptions.Uncollectible} {
				for bits := range 8 {
					says := told(s, turns, ends, status)
					if bits&1 > 0 {
						says.Subscription.PeriodStart, says.Subscription.PeriodEnd, says.Invoices = s.StartsAt, s.EndsAt, nil
					}
					says.Subscription.CancelAtPeriodEnd = bits&2 > 0
					if bits&4 > 0 {
						says.Subscription.EndedAt, says.Subscription.Status = now, "canceled"
					}
					after, happened := subscriptions.Next(s, says, now)
					was, is := kept(s), kept(after)
					require.True(t, was == is || slices.Contains(subscriptions.Edges[was], is), "%s: %s to %s", name, was, is)
					if was == plans.Ended {
						require.Equal(t, s, after)
						require.Empty(t, happened)
					}
					require.NotEqual(t, after.DueAt.IsZero(), !after.Over(), "what runs is looked at again: %s", name)
					require.False(t, !after.Over() && !after.DueAt.After(now), "%s is looked at later than now", name)
				}
			}
		}
	}
}

// kept is the status by what is kept alone, as the database has it.
func kept(s subscriptions.State) plans.Status {
	if s.Over() {
		return plans.Ended
	}
	return s.Status(s.EndsAt.Add(-time.Nanosecond))
}

// The share of a change is reckoned in whole seconds and rounded so that going to and fro makes no credit.
func TestChangingToAndFroMakesNoCredits(t *testing.T) {
	t.Parallel()
	for at := begin; at.Before(begin.AddDate(0, 1, 0)); at = at.Add(7*time.Hour + 13*time.Second) {
		sum := changedTo(t, large, at) - changedBack(t, at)
		require.LessOrEqual(t, sum, int64(0), at)
		require.GreaterOrEqual(t, sum, int64(-2), at)
	}
}

// Who changes in the first hour has all credits of the new plan; who comes back later keeps no more of them than the time between is worth.
func TestAChangeInTheFirstHourIsForTheWholePeriod(t *testing.T) {
	t.Parallel()
	ends := begin.AddDate(0, 1, 0)
	more := large.Credits - small.Credits
	last := begin.Add(time.Hour - time.Second)
	require.Equal(t, more, changedTo(t, large, last))
	require.Less(t, changedTo(t, large, last.Add(time.Second)), more)
	for at := last; at.Before(ends); at = at.Add(11*time.Minute + time.Second) {
		worth := float64(more) * float64(at.Sub(begin)) / float64(ends.Sub(begin))
		require.LessOrEqual(t, float64(more-changedBack(t, at)), worth, at)
	}
}

var (
	small = sales.Item{ProductID: "core", Size: "month", Kind: itemkind.Membership, Name: "Core", Amount: 799, Currency: "gbp", Credits: 20}
	large = sales.Item{ProductID: "premium", Size: "month", Kind: itemkind.Membership, Name: "Premium", Amount: 1299, Currency: "gbp", Credits: 60}
)

// changedBack is how many credits a change from the large plan to the small one takes.
func changedBack(t *testing.T, at time.Time) int64 {
	t.Helper()
	s := member(begin, begin.AddDate(0, 1, 0))
	s.PlanID, s.PriceID, s.Credits = large.ProductID, "price_premium", large.Credits
	return -gained(t, s, small, at)
}

// changedTo is how many credits a change from the small plan gives.
func changedTo(t *testing.T, to sales.Item, at time.Time) int64 {
	t.Helper()
	return gained(t, member(begin, begin.AddDate(0, 1, 0)), to, at)
}

// gained are the credits that a change gives, less those that it takes.
func gained(t *testing.T, s subscriptions.State, to sales.Item, at time.Time) int64 {
	t.Helper()
	price := "price_" + to.ProductID
	after, happened := subscriptions.Next(s, subscriptions.Told{
		Subscription: sales.ProviderSubscription{ID: "sub", Status: "active", PriceID: price, PeriodStart: s.StartsAt, PeriodEnd: s.EndsAt},
		Items:        map[string]sales.Item{price: to},
		Invoices: []subscriptions.Invoice{{
			ID: "in", Status: subscriptions.Paid, Reason: subscriptions.Change,
			Lines: []subscriptions.InvoiceLine{{PriceID: price, Proration: true, PeriodStart: at, PeriodEnd: s.EndsAt}},
		}},
	}, at.Add(time.Second))
	require.Equal(t, []subscriptions.Kind{subscriptions.Changed}, kinds(happened))
	require.Equal(t, to.ProductID, after.PlanID)
	return happened[0].Given - happened[0].Returned
}
