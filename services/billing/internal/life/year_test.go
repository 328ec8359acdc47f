package life_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/testkit/paymentsandbox"
)

// membersOfAYear live it in CI; LIFE_MEMBERS sets another number.
const membersOfAYear = 60

// year is many members who live on for a year, a day at a time.
type year struct {
	*machine
	*rand.Rand
	counted map[string]int
}

// A year of everybody, by the provider's clock. `make soak` lives it with ten thousand.
func TestAYearOfMembersBalancesToThePennyAndTheCredit(t *testing.T) {
	t.Parallel()
	members, err := strconv.Atoi(os.Getenv("LIFE_MEMBERS"))
	if err != nil {
		members = membersOfAYear
	}
	y := &year{machine: &machine{world: newWorld(t, open(t))}, Rand: rand.New(rand.NewPCG(11, uint64(members))), counted: map[string]int{}} // the same year every time
	defer y.close()
	began := time.Now()
	for d := range 365 {
		y.pass(day)
		for len(y.members) < min(members, members*(d+1)/180+1) { // all have come by the summer
			y.joins()
		}
		for _, one := range y.members {
			y.lives(one)
		}
		y.hears()
		y.planned()
	}
	y.pass(day)
	y.planned()
	y.balances(t)
	t.Logf("a year of %d members in %s: %v", members, time.Since(began).Round(time.Second), y.counted)
}

// in says whether what happens so often in a thousand days happens today.
func (y *year) in(aThousand int) bool { return y.IntN(1000) < aThousand }

// joins has somebody come, one in three by the invitation of another.
func (y *year) joins() {
	var by *member
	if len(y.members) > 0 && y.IntN(3) == 0 {
		by = y.members[y.IntN(len(y.members))]
		y.counted["invitations"]++
	}
	y.signsUp(by)
}

// lives is a member's day.
func (y *year) lives(one *member) {
	now := y.clock()
	if one.holdsOne(now) {
		y.asAMember(one)
	} else if y.in(30) {
		y.buys(one)
	}
	if y.in(60) {
		y.makes(one)
	}
	if len(one.orders) > 0 && y.in(2) {
		y.takesBack(one)
	}
	if y.in(1) {
		y.counted["corrections"]++
		y.corrects(one, 1+y.Int64N(5), 1)
	}
}

func (y *year) buys(one *member) {
	plan := []string{"core:month", "core:month", "core:month", "premium:month", "core:year", "premium:year"}[y.IntN(6)]
	card := []paymentsandbox.Card{paymentsandbox.Accepted, paymentsandbox.AcceptedDebit, paymentsandbox.AcceptedElsewhere}[y.IntN(3)]
	if y.in(50) {
		card = paymentsandbox.FailsAtRenewal
	}
	y.orders(one, plan, card)
}

// orders pays for something. One in three closes the browser, and the webhook brings it.
func (y *year) orders(one *member, thing string, card paymentsandbox.Card) {
	if one.waiting != nil {
		return
	}
	y.counted["orders"]++
	o := y.pays(one, y.items[thing], card, "")
	if y.IntN(3) == 0 {
		return
	}
	_, err := y.Sales.CompleteCheckout(y.ctx(), one.uid, o.id)
	require.NoError(y.t, err)
	y.work()
}

func (y *year) asAMember(one *member) {
	switch {
	case y.in(10):
		y.orders(one, "pack-20", paymentsandbox.Accepted)
	case one.plan.renews && y.in(4):
		y.counted["cancellations"]++
		_ = y.Memberships.Cancel(y.ctx(), one.uid, "")
	case !one.plan.renews && y.in(20):
		y.counted["reactivations"]++
		_ = y.Memberships.Keep(y.ctx(), one.uid)
	case y.in(5):
		to := y.items[[]string{"core:month", "premium:month", "core:year", "premium:year"}[y.IntN(4)]]
		if y.Memberships.ChangePlan(y.ctx(), subscriptions.ChangeRequest{UID: one.uid, Key: uuid.NewString(), Plan: to.ProductID, Period: to.Size}) == nil {
			y.counted["changes"]++
		}
	case one.plan.of.pastDue && y.in(100):
		y.card(one, paymentsandbox.Accepted)
		y.counted["cards mended"]++
	case y.in(3):
		y.card(one, paymentsandbox.FailsAtRenewal)
	}
	y.work()
}

func (y *year) card(one *member, card paymentsandbox.Card) {
	customer, err := y.store.Customer(y.ctx(), one.uid)
	require.NoError(y.t, err)
	require.NoError(y.t, y.sandbox.ChangeCard(customer, card))
	one.gives(card)
}

// makes makes a meditation; one in eight is cancelled, or never ends.
func (y *year) makes(one *member) {
	now, amount := y.clock(), int64(1+y.IntN(2))
	h := one.purse.hold(amount, now.Add(time.Hour), now)
	got, _, err := y.store.Hold(y.ctx(), credits.HoldRequest{UID: one.uid, Amount: amount, Key: uuid.NewString(), Reference: "meditation:x", TTL: time.Hour})
	require.Equal(y.t, h == nil, err != nil, "%v", err)
	if h == nil {
		return
	}
	h.id = got.ID
	y.counted["meditations"]++
	switch y.IntN(16) {
	case 0:
	case 1:
		require.NoError(y.t, y.store.Release(y.ctx(), h.id))
		one.release(h, now)
	default:
		require.NoError(y.t, y.store.Capture(y.ctx(), h.id))
		one.capture(h, now)
	}
}

// takesBack gives a member money back, all or a part, or their bank does.
func (y *year) takesBack(one *member) {
	p := one.orders[y.IntN(len(one.orders))].payment
	left := p.amount - p.returned()
	if left == 0 {
		return
	}
	y.counted["refunds"]++
	if y.IntN(4) == 0 {
		require.NoError(y.t, y.sandbox.Dispute(p.id))
		p.disputed = true
		return
	}
	if y.IntN(2) == 0 {
		left = 1 + y.Int64N(left)
	}
	require.NoError(y.t, y.sandbox.Refund(p.id, left))
	p.refunded += left
}

// hears brings the day's webhooks in any order: one in twenty never comes, as many come twice.
func (y *year) hears() {
	waiting := y.waits()
	y.counted["webhooks"] += len(waiting)
	y.Shuffle(len(waiting), func(i, j int) { waiting[i], waiting[j] = waiting[j], waiting[i] })
	waiting = slices.DeleteFunc(waiting, func(string) bool { return y.IntN(20) == 0 })
	for _, id := range slices.Clone(waiting) {
		if y.IntN(20) == 0 {
			waiting = append(waiting, id)
		}
	}
	y.deliver(waiting)
}

// balances holds everybody and the whole books against the model and the provider.
func (y *year) balances(t *testing.T) {
	t.Helper()
	faults, orders := y.broken()
	require.Empty(t, faults)
	var took, given, left int64
	for _, one := range y.members {
		y.agrees(one)
		y.settled(one)
		y.machine.balances(one)
		for _, o := range one.orders {
			require.Equal(t, o.line(), orders[o.id])
			y.counted[string(o.cause)]++
		}
		y.knowsFriends(one)
		y.counted["rewards"] += len(one.rewards)
		took += one.took()
		left += one.purse.plan + one.topUp + one.held()
	}
	var books, spent, expired, reversed int64
	require.NoError(t, y.Pool.QueryRow(t.Context(), `SELECT sum(paid_amount - refunded)::bigint FROM orders`).Scan(&books))
	require.Equal(t, took, books, "to the penny")
	require.NoError(t, y.Pool.QueryRow(t.Context(), `SELECT
		coalesce(sum(amount) FILTER (WHERE from_account = 'issued'), 0)::bigint, coalesce(sum(amount) FILTER (WHERE to_account = 'spent'), 0)::bigint,
		coalesce(sum(amount) FILTER (WHERE to_account = 'expired'), 0)::bigint, coalesce(sum(amount) FILTER (WHERE to_account = 'issued'), 0)::bigint
		FROM entries`).Scan(&given, &spent, &expired, &reversed))
	require.Equal(t, given, spent+expired+reversed+left, "to the credit")
	t.Logf("£%d.%02d taken and kept; of %d credits %d spent, %d expired, %d taken back, %d left", took/100, took%100, given, spent, expired, reversed, left)
}
