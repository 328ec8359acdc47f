package life_test

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
)

// brokenSQL names every invariant of the books that does not hold, all in one snapshot.
const brokenSQL = `
WITH pools AS (
    SELECT uid, sum(change) FILTER (WHERE account = 'plan') AS plan, sum(change) FILTER (WHERE account = 'top_up') AS top_up FROM legs GROUP BY uid
), open AS (
    SELECT uid, sum(plan_credits) AS plan, sum(top_up_credits) AS top_up FROM holds WHERE state = 'held' GROUP BY uid
)
SELECT array_remove(ARRAY[
    CASE WHEN EXISTS (SELECT FROM balances b LEFT JOIN pools p USING (uid) WHERE b.plan_available + b.plan_held <> coalesce(p.plan, 0)
        OR b.top_up_available + b.top_up_held <> coalesce(p.top_up, 0)) THEN 'C1: a balance is not the sum of its entries' END,
    CASE WHEN EXISTS (SELECT FROM (SELECT cause FROM legs GROUP BY cause HAVING sum(change) <> 0) AS odd) OR (SELECT coalesce(sum(change), 0) FROM legs) <> 0
        THEN 'C2: the book does not sum to zero' END,
    CASE WHEN EXISTS (SELECT FROM balances b LEFT JOIN open o USING (uid) WHERE b.plan_held <> coalesce(o.plan, 0) OR b.top_up_held <> coalesce(o.top_up, 0)
        OR least(b.plan_available, b.top_up_available, b.plan_held, b.top_up_held) < 0) THEN 'C3: what is held is not the open holds' END,
    CASE WHEN EXISTS (SELECT FROM entries WHERE from_account = 'issued' GROUP BY cause HAVING count(*) > 1) THEN 'C4: a cause was granted twice' END,
    CASE WHEN EXISTS (SELECT FROM holds h LEFT JOIN entries e ON e.cause = 'hold:' || h.id GROUP BY h.id, h.state, h.plan_credits, h.top_up_credits
        HAVING coalesce(sum(e.amount), 0) <> CASE h.state WHEN 'captured' THEN h.plan_credits + h.top_up_credits ELSE 0 END) THEN 'C5: a hold was not charged as it ended' END,
    CASE WHEN EXISTS (SELECT FROM holds h FULL JOIN (SELECT * FROM notes WHERE kind = 'release') AS n ON n.cause = 'release:' || h.id
        WHERE h.id IS NULL OR (n.cause IS NOT NULL) <> (h.state IN ('released', 'expired')) OR n.uid <> h.uid OR n.plan_credits <> h.plan_credits
            OR n.top_up_credits <> h.top_up_credits) THEN 'C14: a hold was not noted as it ended' END,
    CASE WHEN EXISTS (SELECT FROM balances b LEFT JOIN notes n USING (uid) GROUP BY b.uid, b.note_count HAVING count(n.number) <> b.note_count OR coalesce(max(n.number), 0) <> b.note_count)
        OR EXISTS (SELECT FROM notes n LEFT JOIN entries e USING (uid, position) WHERE n.balance_after <> coalesce(e.balance_after, 0) OR n.at < e.at)
        THEN 'C14: a note does not stand behind its entry' END,
    CASE WHEN EXISTS (SELECT FROM operator_acts a LEFT JOIN entries e ON e.uid = a.uid AND e.cause IN ('operator:' || a.key, 'reversal:operator:' || a.key)
        LEFT JOIN notes n ON n.uid = a.uid AND n.cause IN ('operator:' || a.key, 'reversal:operator:' || a.key)
        WHERE (e.cause IS NULL) = (n.cause IS NULL)) THEN 'R4: an act is not in the ledger, or twice' END,
    CASE WHEN EXISTS (SELECT FROM entries WHERE to_account = 'expired' AND from_account <> 'plan') THEN 'C8: top-up credits have expired' END,
    CASE WHEN EXISTS (SELECT FROM entries WHERE to_account = 'expired' AND cause NOT LIKE '%:hold:%' GROUP BY cause HAVING count(*) > 1) THEN 'C8: a grant expired twice' END,
    CASE WHEN EXISTS (SELECT FROM subscriptions WHERE provider_id IS NOT NULL GROUP BY provider_id HAVING count(*) > 1) THEN 'S1: two have one membership' END,
    CASE WHEN EXISTS (SELECT FROM subscriptions WHERE ended_at IS NULL AND due_at IS NULL) THEN 'S3: a plan is never looked at again' END,
    CASE WHEN EXISTS (SELECT FROM orders WHERE invoice_id IS NOT NULL GROUP BY invoice_id HAVING count(*) > 1) THEN 'S4: an invoice is two orders' END,
    CASE WHEN EXISTS (SELECT FROM entries e LEFT JOIN referrals r ON r.friend::text = split_part(e.cause, ':', 2) LEFT JOIN orders o ON o.id = r.order_id
        WHERE e.cause LIKE 'referral:%' AND (o.uid IS DISTINCT FROM r.friend OR coalesce(o.paid_amount, 0) = 0 OR r.refused <> '' OR e.amount <> 5
            OR e.uid <> CASE split_part(e.cause, ':', 3) WHEN 'friend' THEN r.friend ELSE r.referrer END)) THEN 'S8: a reward is of no friend who paid' END,
    CASE WHEN EXISTS (SELECT FROM referrals r JOIN mailboxes f ON f.uid = r.friend JOIN mailboxes o ON o.uid = r.referrer
        WHERE r.friend = r.referrer OR f.mailbox_key = o.mailbox_key) THEN 'S8: somebody has invited themselves' END,
    CASE WHEN EXISTS (SELECT FROM orders WHERE refunded > coalesce(paid_amount, 0)) THEN 'more went back than was paid' END
], NULL),
(SELECT coalesce(jsonb_object_agg(uid::text || '/' || position, hashtextextended(entries::text, 0)::text), '{}') FROM entries),
(SELECT coalesce(jsonb_object_agg(id, jsonb_build_object('Cause', cause, 'State', state, 'Charged', paid_amount, 'Refunded', refunded)), '{}')
    FROM orders WHERE completed_at IS NOT NULL)`

// line is what the books say of an order.
type line struct {
	Cause             sales.Cause
	State             sales.OrderState
	Charged, Refunded int64
}

// broken names what of the books does not hold, and gives the orders that were paid. An entry stays as it is for ever (C9).
func (w *world) broken() (faults []string, orders map[uuid.UUID]line) {
	var entries map[string]string
	require.NoError(w.t, w.Pool.QueryRow(context.Background(), brokenSQL).Scan(&faults, &entries, &orders))
	for at, hash := range w.entries {
		if entries[at] != hash {
			faults = append(faults, "C9: an entry was removed or changed")
		}
	}
	w.entries = entries
	return faults, orders
}

// arrive brings all that is on its way. Then nothing is left to see, what stands here is what the provider has, and the books balance to
// the penny and to the credit.
func (m *machine) arrive(t *rapid.T) {
	m.t = t
	m.pass(6 * time.Minute)
	m.planned()
	m.planned()
	m.check(t)
	for _, one := range m.members {
		m.settled(one)
		m.balances(one)
		m.knowsFriends(one)
	}
	m.requireDelivered()
}

// settled says that nothing is left to see of a member.
func (w *world) settled(one *member) {
	require.Nil(w.t, one.waiting, "what was paid was given")
	if one.plan.paid() && !one.plan.over() {
		before := *one.plan
		require.Empty(w.t, one.sees(one.plan.of, w.clock()), "every paid invoice is an order")
		require.Equal(w.t, before, *one.plan, "another look sees nothing new")
	}
	for _, o := range one.orders {
		require.Equal(w.t, o.payment.returned(), o.refunded, "what went back is noted")
		require.True(w.t, !o.returning || o.refunded == o.charged, "what was not given went back")
		require.True(w.t, !o.returning || o.bill.fromBalance == 0 || o.balanced, "and what it took from the balance")
	}
	for _, c := range one.contracts {
		w.asTheProvider(one, c)
	}
	var failures int
	require.NoError(w.t, w.Pool.QueryRow(context.Background(), `SELECT count(*) FROM notes WHERE kind = 'failed_renewal' AND uid = $1`, one.uid).Scan(&failures))
	require.Len(w.t, one.failures, failures, "each renewal that failed is noted once")
}

// asTheProvider holds the model of the provider against the provider, and the member's plan against both (S2).
func (w *world) asTheProvider(one *member, c *contract) {
	sub, err := w.provider.Subscription(context.Background(), c.id)
	require.NoError(w.t, err)
	require.Equal(w.t, []any{c.item.PriceID, c.periodStart, c.periodEnd, c.cancelled, c.why, c.endedAt}, []any{sub.PriceID, sub.PeriodStart, sub.PeriodEnd, sub.CancelAtPeriodEnd, sub.CancelReason, sub.EndedAt})
	require.Equal(w.t, string(c.card.Card[12:]), sub.Charged().Last4)
	if c != one.plan.of || one.plan.over() {
		require.False(w.t, c.endedAt.IsZero(), "who has no membership is charged for none")
		return
	}
	require.True(w.t, c.endedAt.IsZero(), "who pays for a membership has it")
	require.Equal(w.t, c.item.PriceID, one.plan.item.PriceID)
	require.Equal(w.t, c.cancelled, !one.plan.renews)
	require.Equal(w.t, c.pastDue, !one.plan.failedAt.IsZero())
	require.Equal(w.t, c.pastDue, c.periodEnd.After(one.plan.ends))
	w.taken(one, c)
}

// balances counts a member's money at the provider, by the provider's own lists.
func (w *world) balances(one *member) {
	ctx := context.Background()
	customer, err := w.store.Customer(ctx, one.uid)
	if err != nil {
		require.Empty(w.t, one.payments)
		return
	}
	payments := map[string]int64{}
	sessions, err := w.provider.SessionsOf(ctx, customer, begin.Add(-day))
	require.NoError(w.t, err)
	for _, session := range sessions {
		if session.State == sales.SessionComplete {
			payments[session.Payment] = session.Amount
		}
	}
	for _, c := range one.contracts {
		invoices, err := w.provider.Invoices(ctx, c.id, time.Time{})
		require.NoError(w.t, err)
		for _, invoice := range invoices {
			if invoice.Reason != subscriptions.First && invoice.Status == subscriptions.Paid && invoice.Charged > 0 {
				payments[invoice.Payment] = invoice.Charged
			}
		}
	}
	balance, err := w.provider.Balance(ctx, customer)
	require.NoError(w.t, err)
	require.Equal(w.t, -one.customer.balance, balance)
	delete(payments, "") // nothing was charged
	var took int64
	for id, amount := range payments {
		p, err := w.provider.Payment(ctx, id)
		require.NoError(w.t, err)
		require.Equal(w.t, amount, p.Amount)
		took += p.Amount - p.Gone().All()
	}
	require.Equal(w.t, one.took(), took, "the provider has what the model says")
	var books int64
	require.NoError(w.t, w.Pool.QueryRow(ctx, `SELECT coalesce(sum(paid_amount - refunded), 0)::bigint FROM orders WHERE uid = $1`, one.uid).Scan(&books))
	require.Equal(w.t, took, books, "to the penny")
}
