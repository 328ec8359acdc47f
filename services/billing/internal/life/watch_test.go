package life_test

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/stripe"
	"serein.app/services/billing/internal/subscriptions"
)

// errDied is what a process says that dies within a change: before its commit, or after it.
var errDied = errors.New("the process died")

func (w *world) contract(id string) (*member, *contract) {
	m := w.byPlan[id]
	for _, c := range m.contracts {
		if c.id == id {
			return m, c
		}
	}
	panic("nobody has " + id)
}

// billed is the last bill of the membership that owes it, whose last invoice it is at the provider.
func (w *world) billed(invoice string) (*member, *contract, *bill) {
	for _, m := range w.members {
		for _, c := range m.contracts {
			if !c.pastDue {
				continue // the provider is asked about few
			}
			all, err := w.provider.Invoices(context.Background(), c.id, time.Time{})
			if require.NoError(w.t, err); len(all) > 0 && all[len(all)-1].ID == invoice {
				return m, c, c.bills[len(c.bills)-1]
			}
		}
	}
	panic("nobody has " + invoice)
}

// knows notes by which id the provider knows what was paid.
func (w *world) knows(id string, p *payment) {
	p.id = id
	w.paid[id] = p
}

// change does a change, unless the process dies. What holds then the model follows.
func (w *world) change(do func() error, follow func()) error {
	if w.dies > 0 {
		w.dies--
		return errDied
	}
	if err := do(); err != nil {
		return err
	}
	follow()
	if w.lives > 0 {
		w.lives--
		return errDied
	}
	return nil
}

// watched is the provider: what we ask it to do is done in the model too.
type watched struct {
	*stripe.Provider
	in *world
}

func (p *watched) ChangePrice(ctx context.Context, key, id, price string, at time.Time) (sales.ProviderSubscription, error) {
	sub, err := p.Provider.ChangePrice(ctx, key, id, price, at)
	m, c := p.in.contract(id)
	if c.item.PriceID == price {
		return sub, err // asked again
	}
	for _, item := range p.in.items {
		if item.PriceID == price {
			require.Equal(p.in.t, m.customer.change(c, item, at, p.in.clock()), err == nil, "%v", err)
		}
	}
	return sub, err
}

func (p *watched) CancelAtPeriodEnd(
	ctx context.Context, key, id string, cancel bool, why sales.CancelReason,
) (sales.ProviderSubscription, error) {
	sub, err := p.Provider.CancelAtPeriodEnd(ctx, key, id, cancel, why)
	if err == nil {
		_, c := p.in.contract(id)
		c.cancelled, c.why = cancel, why
	}
	return sub, err
}

// ChargeTo is asked for where the member has given another card for the membership alone.
func (p *watched) ChargeTo(ctx context.Context, key, id, card string) error {
	err := p.Provider.ChargeTo(ctx, key, id, card)
	require.NoError(p.in.t, err)
	m, c := p.in.contract(id)
	require.NotSame(p.in.t, m.wanted(c), c.card, "nobody has given another")
	c.card = m.wanted(c)
	return nil
}

// PayInvoice is asked for where a card that was not refused yet can pay what is owed (S9).
func (p *watched) PayInvoice(ctx context.Context, key, invoice, card string) error {
	m, c, b := p.in.billed(invoice)
	require.False(p.in.t, b.paid, "it is paid once")
	require.NotSame(p.in.t, c.card, b.refused, "what has refused it is not asked again")
	require.True(p.in.t, c.endedAt.IsZero() && !c.cancelled, "nobody wants it any more")
	err := p.Provider.PayInvoice(ctx, key, invoice, card)
	require.Equal(p.in.t, m.tries(c, b), err == nil, "%v", err)
	return err
}

// ChangeBalance is asked for once for an order: its money went back whole, and takes with it what it has left in the balance; or it was not
// given, and what was taken from there goes back.
func (p *watched) ChangeBalance(ctx context.Context, key, customer string, change int64, currency, id string) error {
	m, o := p.in.ordered(id)
	err := p.Provider.ChangeBalance(ctx, key, customer, change, currency, id)
	require.NoError(p.in.t, err)
	if o.balanced {
		return nil
	}
	want := o.bill.fromBalance
	if !o.returning {
		want = -min(o.of.creditedOf(o.bill), -m.customer.balance)
		require.Negative(p.in.t, want)
		require.Equal(p.in.t, o.charged, o.refunded, "all of it went back")
	}
	require.Equal(p.in.t, want, change)
	m.customer.balance -= change
	o.balanced = true
	return nil
}

func (w *world) ordered(id string) (*member, *order) {
	for _, m := range w.members {
		for _, o := range m.orders {
			if o.id.String() == id {
				return m, o
			}
		}
	}
	panic("nobody has ordered " + id)
}

func (p *watched) EndSubscription(ctx context.Context, key, id string) error {
	err := p.Provider.EndSubscription(ctx, key, id)
	if _, c := p.in.contract(id); err == nil && c.endedAt.IsZero() {
		c.end(p.in.clock())
	}
	return err
}

func (p *watched) Refund(ctx context.Context, key, payment string) error {
	err := p.Provider.Refund(ctx, key, payment)
	if err == nil {
		paid := p.in.paid[payment]
		paid.refunded = paid.amount
	}
	return err
}

// keeps is the store: what is kept the model has come to as well.
type keeps struct {
	*store.Store
	in *world
}

func (k *keeps) Complete(ctx context.Context, id uuid.UUID, p sales.Paid) (o sales.Order, err error) {
	err = k.in.change(func() error { o, err = k.Store.Complete(ctx, id, p); return err }, func() {
		m := k.in.byUID[o.UID]
		if m.waiting == nil || m.waiting.id != id {
			return // it was given before
		}
		given := m.waiting
		m.waiting = nil
		k.in.knows(p.Session.Payment, given.payment)
		if given.of != nil {
			given.of.id = p.Subscription.ID
			k.in.byPlan[given.of.id] = m
		}
		m.begins(given, k.in.clock())
	})
	return o, err
}

func (k *keeps) NoteGone(ctx context.Context, id uuid.UUID, gone sales.Gone, why sales.RefundReason, rest time.Time) error {
	return k.in.change(func() error { return k.Store.NoteGone(ctx, id, gone, why, rest) }, func() {
		o, err := k.Store.Order(ctx, id)
		require.NoError(k.in.t, err)
		m := k.in.byUID[o.UID]
		for _, o := range m.orders {
			if o.id == id {
				m.notes(o, k.in.clock())
			}
		}
	})
}

func (k *keeps) Save(ctx context.Context, before, after subscriptions.State, happened []subscriptions.Happening, payments []subscriptions.Payment) error {
	return k.in.change(func() error { return k.Store.Save(ctx, before, after, happened, payments) }, func() {
		m := k.in.byUID[after.UID]
		if after.ID == "" {
			m.tick(k.in.clock())
			return
		}
		_, c := k.in.contract(after.ID)
		made := m.sees(c, k.in.clock())
		require.Len(k.in.t, payments, len(made), "what was paid and is no order yet")
		for i, o := range made {
			k.in.knows(payments[i].Invoice.Payment, o.payment)
			kept, err := k.Store.OrderOfPayment(ctx, o.payment.id)
			require.NoError(k.in.t, err)
			o.id = kept.ID
		}
	})
}
