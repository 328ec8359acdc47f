package life_test

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/itemkind"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit/paymentsandbox"
)

// most members of one world: a few, so that each has a long life.
const most = 3

// machine takes random steps.
type machine struct {
	*world
	steps int
	// only is whom a step is about; nil where it is about everybody.
	only *member
}

func (m *machine) ctx() context.Context { return context.Background() }

// step begins a step, in the same second or the next; what fell due until then has happened at the provider.
func (m *machine) step(t *rapid.T) time.Time {
	m.t = t
	m.steps++
	m.only = nil
	return m.pass(time.Duration(rapid.IntRange(0, 1).Draw(t, "seconds")) * time.Second)
}

// pass lets time go on, at the provider too.
func (w *world) pass(d time.Duration) time.Time {
	w.moment.Add(int64(d))
	w.sandbox.Advance(0)
	for _, m := range w.members {
		m.pass(w.clock())
	}
	return w.clock()
}

// leave is a step for which there is nothing to do: another is drawn in its place, and it counts as none.
func (m *machine) leave(rt *rapid.T, why string) {
	m.steps--
	rt.Skip(why)
}

// anybody is one of the members; a step that needs one more of something than there is does nothing.
func (m *machine) anybody(t *rapid.T) *member {
	if len(m.members) == 0 {
		m.leave(t, "there is nobody")
	}
	m.only = m.members[rapid.IntRange(0, len(m.members)-1).Draw(t, "member")]
	return m.only
}

// refused says that a refusal has that reason, and nothing else is one.
func (m *machine) refused(err error, reason string, says ...any) {
	word := ""
	if err != nil {
		word = errs.From(err).Word()
	}
	require.Equal(m.t, reason, word, append([]any{"%v %v", err}, says...)...)
}

func (m *machine) stepSignUp(t *rapid.T) {
	m.step(t)
	var by *member
	if n := rapid.IntRange(0, len(m.members)).Draw(t, "invited by"); n > 0 {
		by = m.members[n-1]
	}
	if len(m.members) < most {
		m.signsUp(by)
		return
	}
	one := m.anybody(t)
	m.trial(one, by) // the event comes again, and who invites a member afterwards has invited nobody
}

// signsUp has somebody begin their trial, as identity's event does; who comes by an invitation has the longer one.
func (m *machine) signsUp(by *member) *member {
	now := m.clock()
	uid := uuid.Must(uuid.NewV7())
	one := &member{uid: uid, mailbox: mailboxOf(uid), purse: purse{granted: map[string]bool{}}, cards: map[paymentsandbox.Card]bool{}, failures: map[string]bool{}, by: by}
	m.members, m.byUID[uid] = append(m.members, one), one
	m.trial(one, by)
	days := time.Duration(trialDays)
	if by != nil {
		days = invitedTrialDays
	}
	one.plan = &plan{start: now, ends: now.Add(days * day)}
	one.give("trial", nil, 8, one.plan.ends, now)
	return one
}

func (m *machine) trial(one, by *member) {
	inviter := uuid.Nil
	if by != nil {
		inviter = by.uid
	}
	require.NoError(m.t, postgres.InTx(m.ctx(), m.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return m.store.StartTrial(ctx, tx, one.uid, one.mailbox, inviter)
	}))
}

// pays orders things and pays for them on the provider's page; nil where that is refused.
func (m *machine) pays(one *member, item sales.Item, card paymentsandbox.Card, reason string) *order {
	now := m.clock()
	o, err := m.Sales.Start(m.ctx(), sales.Request{
		UID: one.uid, Key: uuid.NewString(), Items: []sales.RequestedLine{{ProductID: item.ProductID, Size: item.Size, Quantity: 1}}, Email: "ada@example.com",
	})
	m.refused(err, reason, item.LookupKey())
	if err != nil {
		return nil
	}
	require.NoError(m.t, m.sandbox.Pay(o.SessionID, card))
	made := &order{id: o.ID, cause: sales.Checkout, credits: item.Credits, charged: item.Amount, card: card}
	if item.Kind == itemkind.Membership {
		made.of = one.subscribe(item, card, now)
		made.bill = made.of.bills[0]
		made.payment, made.charged = made.bill.payment, made.bill.due
	} else {
		made.pack, made.payment = true, one.customer.pays(item.Amount)
	}
	one.waiting = made
	return made
}

// told reads an order back, or leaves that to the webhooks.
func (m *machine) readsBack(t *rapid.T, one *member) {
	if one.waiting == nil || !rapid.Bool().Draw(t, "reads back") {
		return
	}
	o, err := m.Sales.CompleteCheckout(m.ctx(), one.uid, one.waiting.id)
	require.NoError(m.t, err)
	require.Equal(m.t, sales.Completed, o.State)
	m.work()
}

// cards are few, so that two members have one at times.
var cards = []paymentsandbox.Card{
	paymentsandbox.Accepted, paymentsandbox.AcceptedDebit, paymentsandbox.AcceptedElsewhere, paymentsandbox.FailsAtRenewal, paymentsandbox.FailsAtRenewal,
}

func (m *machine) membership(t *rapid.T) sales.Item {
	return m.items[rapid.SampledFrom([]string{"core:month", "core:month", "premium:month", "core:year", "premium:year"}).Draw(t, "plan")]
}

func (m *machine) stepBuy(t *rapid.T) {
	now := m.step(t)
	one := m.anybody(t)
	if one.waiting != nil {
		m.leave(t, "there is an order that waits")
	}
	reason := ""
	if one.holdsOne(now) {
		reason = "MEMBERSHIP_CURRENT"
	}
	if m.pays(one, m.membership(t), rapid.SampledFrom(cards).Draw(t, "card"), reason) != nil {
		m.readsBack(t, one)
	}
}

func (m *machine) stepTopUp(t *rapid.T) {
	now := m.step(t)
	one := m.anybody(t)
	if one.waiting != nil {
		m.leave(t, "there is an order that waits")
	}
	reason := ""
	if !one.holdsOne(now) {
		reason = "TOP_UP_NOT_ALLOWED"
	}
	item := m.items[rapid.SampledFrom([]string{"pack-20", "pack-100"}).Draw(t, "pack")]
	if m.pays(one, item, paymentsandbox.Accepted, reason) != nil {
		m.readsBack(t, one)
	}
}

// running is a member's membership as the provider has it, where it is none that ends.
func (m *member) running() *contract {
	if m.plan == nil || !m.plan.paid() || m.plan.over() || !m.plan.of.endedAt.IsZero() {
		return nil
	}
	return m.plan.of
}

// whys are what members say when they cancel.
var whys = []sales.CancelReason{"", sales.TooExpensive, sales.Unused, sales.OtherReason}

func (m *machine) stepCancel(t *rapid.T) {
	m.step(t)
	one := m.anybody(t)
	c, took := one.running(), one.took()
	err := m.Memberships.Cancel(m.ctx(), one.uid, whys[int(m.clock().Unix())%len(whys)])
	m.work()
	require.Equal(m.t, took, one.took(), "who cancels pays nothing by it")
	switch {
	case c == nil:
		m.refused(err, "SUBSCRIPTION_NOT_FOUND")
	case err != nil:
		m.refused(err, "SUBSCRIPTION_NOT_FOUND")
		require.True(m.t, one.plan.over(), "it was found over")
	default:
		require.True(m.t, c.cancelled)
		require.False(m.t, one.plan.renews)
	}
}

func (m *machine) stepKeep(t *rapid.T) {
	m.step(t)
	one := m.anybody(t)
	c := one.running()
	err := m.Memberships.Keep(m.ctx(), one.uid)
	m.work()
	switch {
	case c == nil:
		m.refused(err, "SUBSCRIPTION_NOT_FOUND")
	case err != nil:
		m.refused(err, "SUBSCRIPTION_NOT_FOUND")
		require.True(m.t, one.plan.over(), "it was found over")
	default:
		require.False(m.t, c.cancelled)
		require.True(m.t, one.plan.renews)
	}
}

// stepChange changes a plan by a quote, or at once.
func (m *machine) stepChange(t *rapid.T) {
	m.step(t)
	one := m.anybody(t)
	to := m.membership(t)
	r := subscriptions.ChangeRequest{UID: one.uid, Key: uuid.NewString(), Plan: to.ProductID, Period: to.Size}
	at := m.clock()
	if rapid.Bool().Draw(t, "by a quote") {
		q, err := m.Memberships.PreviewChange(m.ctx(), one.uid, to.ProductID, to.Size)
		m.work()
		reason := m.mayChange(one, to, at)
		m.refused(err, reason, "the quote")
		if reason != "" {
			return
		}
		b := one.changeOf(one.plan.of, to, at, at)
		due, _ := one.dueOf(b.total)
		if b.total < 0 {
			due = b.total
		}
		require.Equal(m.t, due, q.Amount, "what it charges")
		r.At, r.Amount = q.At, q.Amount
		m.pass(time.Duration(rapid.IntRange(0, 900).Draw(t, "seconds")) * time.Second)
	}
	m.changes(one, to, r, at)
}

func (m *machine) changes(one *member, to sales.Item, r subscriptions.ChangeRequest, at time.Time) {
	now := m.clock()
	c, before := one.running(), one.plan
	var item sales.Item
	if before != nil {
		item = before.item
	}
	took := one.took()
	err := m.Memberships.ChangePlan(m.ctx(), r)
	m.work()
	if err == nil {
		require.NotNil(m.t, c)
		require.Equal(m.t, to.PriceID, c.item.PriceID, "it was changed")
		require.Equal(m.t, to.PriceID, one.plan.item.PriceID, "and is known to be")
		return
	}
	require.Equal(m.t, took, one.took(), "what is refused charges nothing")
	if before != nil && !before.over() {
		require.Equal(m.t, item.PriceID, one.plan.item.PriceID, "what is refused changes nothing")
	}
	reason := m.mayChange(one, to, now)
	if reason == "" && now.Sub(at) > subscriptions.QuoteTime {
		reason = "VERSION_MISMATCH"
	}
	if reason == "" && !r.At.IsZero() && r.At.Before(one.plan.start) {
		reason = "VERSION_MISMATCH"
	}
	if reason == "" {
		reason = "CHANGE_NOT_PAID"
		due, _ := one.dueOf(one.changeOf(c, to, at, now).total)
		require.True(m.t, due > 0 && c.card.declines(), "it could be paid: %v", err)
	}
	word := errs.From(err).Word()
	require.True(m.t, word == reason || word == "VERSION_MISMATCH" && now.Sub(at) > subscriptions.QuoteTime, "%v, and not for %s", err, reason)
}

// mayChange says why a plan cannot be changed to that, after what the member's call has seen.
func (m *machine) mayChange(one *member, to sales.Item, at time.Time) string {
	p := one.plan
	switch {
	case p == nil || !p.paid() || p.over():
		return "SUBSCRIPTION_NOT_FOUND"
	case !p.renews || !p.failedAt.IsZero():
		return "CHANGE_NOT_POSSIBLE"
	case p.item.PriceID == to.PriceID:
		return "MEMBERSHIP_CURRENT"
	case !at.Before(p.ends):
		return "CHANGE_NOT_POSSIBLE"
	}
	one.settle(at)
	whole := int64(p.ends.Sub(p.start) / time.Second)
	left := p.left(at)
	given := to.Credits
	if to.Size == p.item.Size {
		given = to.Credits * left / whole
	}
	if one.purse.plan+given-(p.credits*left+whole-1)/whole < 0 {
		return "CHANGE_NOT_POSSIBLE"
	}
	return ""
}

// stepCard gives another card on the provider's page. The first call that reads the new card pays with it what is past due.
func (m *machine) stepCard(t *rapid.T) {
	m.step(t)
	one := m.anybody(t)
	customer, err := m.store.Customer(m.ctx(), one.uid)
	if err != nil {
		m.leave(t, "nothing was ever paid")
	}
	card := rapid.SampledFrom(cards).Draw(t, "card")
	m.pass(time.Second) // the provider's clock tells by seconds what was given before a membership and what after it
	require.NoError(m.t, m.sandbox.ChangeCard(customer, card))
	one.gives(card)
}

// stepBack returns from the provider's page, with another card or without.
func (m *machine) stepBack(t *rapid.T) {
	m.step(t)
	one := m.anybody(t)
	c := one.running()
	err := m.Memberships.TakeCard(m.ctx(), one.uid)
	m.work()
	if c == nil || err != nil {
		m.refused(err, "SUBSCRIPTION_NOT_FOUND")
		return
	}
	m.taken(one, c)
}

// taken says that a membership is charged to the card that was given for it last, and is paid unless that was refused too.
func (w *world) taken(one *member, c *contract) {
	require.Same(w.t, one.wanted(c), c.card, "a card that was given is taken")
	require.Same(w.t, c.card, one.plan.card, "and known")
	if owed := c.owed(one.plan.ends); owed != nil && !one.plan.over() {
		require.Same(w.t, c.card, owed.refused, "what is owed was tried with it")
	}
}

// stepRefund gives money back at the provider's pages, or has the bank take it.
func (m *machine) stepRefund(t *rapid.T) {
	m.step(t)
	one := m.anybody(t)
	open := slices.DeleteFunc(slices.Clone(one.orders), func(o *order) bool { return o.payment.returned() == o.payment.amount })
	if len(open) == 0 {
		m.leave(t, "nothing was paid")
	}
	p := open[rapid.IntRange(0, len(open)-1).Draw(t, "order")].payment
	switch rapid.IntRange(0, 3).Draw(t, "how") {
	case 0:
		require.NoError(m.t, m.sandbox.Dispute(p.id))
		p.disputed = true
	case 1:
		require.NoError(m.t, m.sandbox.Refund(p.id, 0))
		p.refunded = p.amount
	default:
		part := rapid.Int64Range(1, p.amount-p.refunded).Draw(t, "part")
		require.NoError(m.t, m.sandbox.Refund(p.id, part))
		p.refunded += part
	}
}

// stepLook asks for all that a member sees, which changes nothing (S7).
func (m *machine) stepLook(t *rapid.T) {
	m.step(t)
	one := m.anybody(t)
	before := m.waits()
	_, err := m.store.Entries(m.ctx(), one.uid, credits.Top, 20)
	require.NoError(m.t, err)
	_, err = m.Sales.Orders(m.ctx(), one.uid, 1<<40, 20)
	require.NoError(m.t, err)
	state, err := m.Memberships.Get(m.ctx(), one.uid)
	require.NoError(m.t, err)
	card, known := m.Memberships.Card(m.ctx(), state)
	require.Equal(m.t, one.plan.paid() && !one.plan.over(), known)
	if known {
		require.Equal(m.t, string(one.plan.card.Card[12:]), card.Last4)
	}
	m.knowsFriends(one)
	require.Equal(m.t, before, m.waits(), "who looks moves no money")
}

// mailboxOf is what identity tells one mailbox from another by.
func mailboxOf(uid uuid.UUID) []byte {
	key := sha256.Sum256(uid[:])
	return key[:]
}
