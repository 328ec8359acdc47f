package life_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// Without LIFE_STEPS a run takes the same lives each time, so that a change of the product is judged by what it changed and not by the
// luck of a seed; with it, others each time, until so many steps are taken (`make soak` takes two million).
const (
	stepsOfARun = 20_000
	seedOfARun  = 11
)

const (
	sequenceOf = 150 // steps, on average, those that are drawn and have nothing to do among them
	lifeOf     = 108 // steps that are taken, on average, are no fewer
	together   = 2   // sites
)

func wanted() int64 {
	n, err := strconv.Atoi(os.Getenv("LIFE_STEPS"))
	if err != nil {
		n = stepsOfARun
	}
	return int64(n)
}

// TestMain sets the length of a sequence, unless the command line sets it.
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	set := map[string]int{"rapid.checks": max(1, int(min(wanted(), stepsOfARun))/lifeOf/together), "rapid.steps": sequenceOf}
	if os.Getenv("LIFE_STEPS") == "" {
		set["rapid.seed"] = seedOfARun
	}
	for name, value := range set {
		if !given[name] {
			if err := flag.Set(name, fmt.Sprint(value)); err != nil {
				panic(err)
			}
		}
	}
	os.Exit(m.Run())
}

// Two sites at once: while one waits for its database the other goes on. The events of the first go through a broker.
func TestEveryLifeIsAsThePlainModelSays(t *testing.T) {
	t.Parallel()
	var steps, lives atomic.Int64
	t.Cleanup(func() { t.Logf("%d steps in %d lives", steps.Load(), lives.Load()) })
	for _, name := range []string{"heard", "unheard"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			if name == "heard" {
				s.connect(t)
			}
			// Its own share: one that waited for the other's would live the same lives again, by the same seed.
			var taken int64
			for taken < wanted()/together {
				rapid.Check(t, func(t *rapid.T) {
					taken += int64(live(t, s))
					lives.Add(1)
				})
			}
			steps.Add(taken)
		})
	}
}

// live is one sequence: random steps, and then all that is on its way arrives.
func live(t *rapid.T, s *site) int {
	m := &machine{world: newWorld(t, s)}
	defer m.close()
	m.stepSignUp(t)
	t.Repeat(m.actions())
	m.arrive(t)
	return m.steps
}

// check holds every member against the model, and the books against themselves.
func (m *machine) check(t *rapid.T) {
	m.t = t
	faults, orders := m.broken()
	require.Empty(t, faults)
	known := 0
	for _, one := range m.members {
		if m.only == nil || m.only == one {
			m.agrees(one)
		}
		for _, o := range one.orders {
			require.Equal(t, o.line(), orders[o.id])
			known++
		}
	}
	require.Len(t, orders, known, "and no orders besides")
	require.Zero(t, m.counts.mismatched, "nothing was paid that was not ordered")
	require.Zero(t, m.counts.refused)
	m.only = nil
}

// agrees holds a member against the model.
func (w *world) agrees(one *member) {
	ctx, now := context.Background(), w.clock()
	a, err := w.store.Account(ctx, one.uid)
	require.NoError(w.t, err)
	require.Equal(w.t, one.balance(now), a.Balance, "credits")
	state, err := w.store.SubscriptionOf(ctx, one.uid)
	require.NoError(w.t, err)
	require.Equal(w.t, seen(one.plan), seenState(state))
	require.Equal(w.t, one.plan.status(now), state.Status(now))
	require.Equal(w.t, one.plan.accessUntil(), state.AccessUntil())
	require.Equal(w.t, now.Before(one.plan.accessUntil()), len(a.Subscription.Entitlements(now)) > 0, "access")
}

// line is what the books must say of an order.
func (o *order) line() line {
	state := sales.Completed
	if o.returning {
		state = sales.Refunding
	}
	return line{o.cause, state, o.charged, o.refunded}
}

func seen(p *plan) subscriptions.State {
	s := subscriptions.State{
		PriceID: p.item.PriceID, Credits: p.credits, StartsAt: p.start, EndsAt: p.ends, Renews: p.renews, FailedAt: p.failedAt, Notices: p.notices,
		EndedAt: p.overAt, Reason: p.reason, Period: p.item.Size,
	}
	if p.paid() {
		s.ID = p.of.id
	}
	return s
}

func seenState(s subscriptions.State) subscriptions.State {
	return subscriptions.State{
		ID: s.ID, PriceID: s.PriceID, Credits: s.Credits, StartsAt: s.StartsAt, EndsAt: s.EndsAt, Renews: s.Renews, FailedAt: s.FailedAt, Notices: s.Notices,
		EndedAt: s.EndedAt, Reason: s.Reason, Period: s.Period,
	}
}
