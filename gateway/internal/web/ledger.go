package web

import (
	"slices"
	"strings"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// The kinds of entries and what they are written for, in billing's words.
const (
	kindGrant    = "grant"
	kindSpend    = "spend"
	kindRefund   = "refund"
	kindExpiry   = "expiry"
	kindReversal = "reversal"
	// What changed nothing.
	kindRelease       = "release"
	kindFailedRenewal = "failed_renewal"
	kindCorrection    = "correction"
	kindPlanEnd       = "plan_end"
	kindRewardTaken   = "reward_taken_back"

	causeTrial        = "trial"
	causeSubscription = "subscription"
	causeChange       = "change"
	causeOrder        = "order"
	causeReferral     = "referral"
	causeInvitation   = "invitation"
	causeOperator     = "operator"
)

// meditationReference is what the reference of a meditation begins with.
const meditationReference = "meditation:"

// group is what members see as one change: one entry, or the two that were written together, the newer first.
type group struct {
	newer, older *billingv1.LedgerEntry
}

// together says whether an entry and the one before it in time are one change: the plan credits of a period that take the place of
// those that were left, or one meditation's price out of both pools.
func together(newer, older *billingv1.LedgerEntry) bool {
	if !opensPair(newer) || !newer.GetTime().AsTime().Equal(older.GetTime().AsTime()) {
		return false
	}
	if newer.GetKind() == kindGrant {
		return older.GetKind() == kindExpiry && older.GetReference() == "" && older.GetPool() == billingv1.Pool_POOL_PLAN
	}
	return older.GetKind() == newer.GetKind() && older.GetReference() == newer.GetReference() && older.GetPool() != newer.GetPool()
}

// opensPair says whether an entry may be the newer one of two: of a price out of both pools billing writes the plan's first.
func opensPair(e *billingv1.LedgerEntry) bool {
	switch e.GetKind() {
	case kindGrant:
		return e.GetPool() == billingv1.Pool_POOL_PLAN
	case kindSpend, kindRefund:
		return e.GetPool() == billingv1.Pool_POOL_TOP_UP && e.GetReference() != ""
	}
	return false
}

// groups puts entries, the newest first, together as members see them.
func groups(entries []*billingv1.LedgerEntry) []group {
	var out []group
	for i := 0; i < len(entries); i++ {
		g := group{newer: entries[i]}
		if i+1 < len(entries) && together(entries[i], entries[i+1]) {
			i++
			g.older = entries[i]
		}
		out = append(out, g)
	}
	return out
}

// mayGoOn says whether a page's last entry may belong to one with the first of the next page.
func mayGoOn(entries []*billingv1.LedgerEntry) bool {
	all := groups(entries)
	return len(all) > 0 && all[len(all)-1].older == nil && opensPair(all[len(all)-1].newer)
}

// meditationOf is the id of what a reference names; empty where it is no meditation.
func meditationOf(reference string) string {
	id, ok := strings.CutPrefix(reference, meditationReference)
	if !ok {
		return ""
	}
	return id
}

// ledger is what rows are made of beside their entries.
type ledger struct {
	// meditations by id. One that is gone is nil; one that is not known just now is missing.
	meditations map[string]*generationv1.Meditation
}

// link is the id of a meditation that is there; empty where it is gone.
func (l ledger) link(id string) string {
	if m, known := l.meditations[id]; known && m == nil {
		return ""
	}
	return id
}

// rows of a page, the newest first. Open holds stand among them by their time; each shows the balance that it did not change.
func (l ledger) rows(entries []*billingv1.LedgerEntry, holds []*billingv1.OpenHold) []*webv1.LedgerRow {
	rows := each(groups(entries), l.row)
	for _, h := range holds {
		at := slices.IndexFunc(rows, func(r *webv1.LedgerRow) bool { return !r.GetTime().AsTime().After(h.GetTime().AsTime()) })
		if at < 0 {
			at = len(rows)
		}
		held := l.hold(h)
		if at < len(rows) {
			held.Balance = rows[at].GetBalance()
		}
		rows = slices.Insert(rows, at, held)
	}
	return rows
}

// row is one change, in words.
func (l ledger) row(g group) *webv1.LedgerRow {
	e := g.newer
	out := &webv1.LedgerRow{
		Id: e.GetId(), Time: e.GetTime(), Change: e.GetChange() + g.older.GetChange(), Balance: e.GetBalanceAfter(),
		Pool: pools[e.GetPool()],
	}
	if g.older != nil && g.older.GetPool() != e.GetPool() || e.GetPool() == billingv1.Pool_POOL_UNSPECIFIED {
		out.Pool = webv1.LedgerPool_LEDGER_POOL_BOTH
	}
	if e.GetKind() == kindSpend || e.GetKind() == kindRefund {
		out.MeditationId = l.link(meditationOf(e.GetReference()))
	}
	out.Title, out.Detail = l.words(g)
	return out
}

func (l ledger) hold(h *billingv1.OpenHold) *webv1.LedgerRow {
	id := meditationOf(h.GetReference())
	out := &webv1.LedgerRow{
		Id: "hold:" + h.GetReference(), Time: h.GetTime(), Held: h.GetPlanCredits() + h.GetTopUpCredits(), MeditationId: l.link(id),
		Title: l.titleOf(id), Detail: wordsHeld, Pool: webv1.LedgerPool_LEDGER_POOL_BOTH,
	}
	switch {
	case h.GetTopUpCredits() == 0:
		out.Pool = webv1.LedgerPool_LEDGER_POOL_PLAN
	case h.GetPlanCredits() == 0:
		out.Pool = webv1.LedgerPool_LEDGER_POOL_TOP_UP
	}
	return out
}

// pools are the same in both contracts by intent; written out so that neither can drift.
var pools = map[billingv1.Pool]webv1.LedgerPool{
	billingv1.Pool_POOL_PLAN: webv1.LedgerPool_LEDGER_POOL_PLAN, billingv1.Pool_POOL_TOP_UP: webv1.LedgerPool_LEDGER_POOL_TOP_UP,
}
