package postgres_test

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/credits"
)

// model is the ledger's rules again, in plain Go over plain fields. It settles at every
// step, while the database settles only when somebody looks: agreement shows that it never
// matters when that is.
type model struct {
	plan, topUp int64
	grant       string
	planEnds    time.Time
	causes      map[string]bool
	holds       []*modelHold
	entries     []credits.Entry
	notes       []credits.Entry
	events      []string
	untold      bool // no event of a low balance was published since the last grant
}

type modelHold struct {
	credits.Hold
	key      string
	request  credits.HoldRequest
	grant    string
	state    string
	refunded bool
}

func (m *model) held() (n int64) {
	for _, h := range m.holds {
		if h.state == "held" {
			n += h.Plan + h.TopUp
		}
	}
	return n
}

func (m *model) balance() credits.Balance {
	return credits.Balance{PlanAvailable: m.plan, TopUpAvailable: m.topUp, Held: m.held()}
}

func (m *model) last() int64 {
	if len(m.entries) == 0 {
		return 0
	}
	return m.entries[len(m.entries)-1].BalanceAfter
}

func (m *model) write(kind credits.Kind, pool credits.Pool, change int64, cause string, at time.Time) {
	if change == 0 {
		return
	}
	m.entries = append(m.entries, credits.Entry{
		Position: int64(len(m.entries)) + 1, Cause: cause, At: at, Change: change,
		BalanceAfter: m.last() + change, Pool: pool, Kind: kind,
	})
}

// note writes down what ends without a change, behind the last entry.
func (m *model) note(h *modelHold, at time.Time) {
	pool := credits.PlanPool
	switch {
	case h.Plan > 0 && h.TopUp > 0:
		pool = ""
	case h.TopUp > 0:
		pool = credits.TopUpPool
	}
	m.notes = append(m.notes, credits.Entry{
		Position: int64(len(m.entries)), Number: int64(len(m.notes)) + 1, Cause: "release:" + h.ID.String(), At: at, BalanceAfter: m.last(), Pool: pool,
		Kind: credits.Released, Reference: h.Reference, Plan: h.Plan, TopUp: h.TopUp,
	})
}

// ledger is all of it, the newest first.
func (m *model) ledger() []credits.Entry {
	all := slices.Concat(m.entries, m.notes)
	slices.SortFunc(all, func(a, b credits.Entry) int {
		return cmp.Or(cmp.Compare(b.Position, a.Position), cmp.Compare(b.Number, a.Number))
	})
	return all
}

func (m *model) settle(now time.Time) {
	due := slices.DeleteFunc(slices.Clone(m.holds), func(h *modelHold) bool {
		return h.state != "held" || h.ExpiresAt.After(now)
	})
	slices.SortFunc(due, func(a, b *modelHold) int {
		return cmp.Or(a.ExpiresAt.Compare(b.ExpiresAt), cmp.Compare(a.ID.String(), b.ID.String()))
	})
	for _, h := range due {
		if m.grant != "" && m.planEnds.Before(h.ExpiresAt) {
			m.endPlan(m.planEnds)
		}
		m.giveBack(h, "expired", h.ExpiresAt)
	}
	if m.grant != "" && !m.planEnds.After(now) {
		m.endPlan(m.planEnds)
	}
}

func (m *model) endPlan(at time.Time) {
	m.write(credits.Expired, credits.PlanPool, -m.plan, "expiry:"+m.grant, at)
	m.plan, m.grant = 0, ""
}

func (m *model) giveBack(h *modelHold, state string, at time.Time) {
	h.state = state
	m.note(h, at)
	m.topUp += h.TopUp
	if h.grant == m.grant {
		m.plan += h.Plan
	} else {
		m.write(credits.Expired, credits.PlanPool, -h.Plan, "expiry:"+h.grant+":hold:"+h.ID.String(), at)
	}
	m.events = append(m.events, "released")
}

func (m *model) add(pool credits.Pool, amount int64, cause string, now time.Time, life time.Duration) (isNew bool) {
	m.settle(now)
	if m.causes[cause] {
		return false
	}
	m.causes[cause] = true
	if pool == credits.PlanPool {
		m.endPlan(now)
		m.plan, m.grant, m.planEnds = amount, cause, now.Add(life)
	} else {
		m.topUp += amount
	}
	m.write(credits.Granted, pool, amount, cause, now)
	m.untold = true
	m.events = append(m.events, "granted")
	return true
}

// hold answers the model's hold, or the refusal.
func (m *model) hold(r credits.HoldRequest, now time.Time, id uuid.UUID) (*modelHold, error) {
	m.settle(now)
	for _, h := range m.holds {
		switch {
		case h.key == r.Key && h.request == r:
			return h, nil
		case h.key == r.Key:
			return nil, credits.ErrKeyReused
		}
	}
	if r.Amount > m.plan+m.topUp {
		return nil, credits.ErrInsufficient
	}
	plan := min(m.plan, r.Amount)
	h := &modelHold{key: r.Key, request: r, state: "held", Hold: credits.Hold{
		ID: id, UID: r.UID, Plan: plan, TopUp: r.Amount - plan, Reference: r.Reference, ExpiresAt: now.Add(r.TTL),
	}, grant: m.grant}
	m.plan -= plan
	m.topUp -= h.TopUp
	m.holds = append(m.holds, h)
	m.events = append(m.events, "held")
	return h, nil
}

func (m *model) capture(h *modelHold, now time.Time) error {
	m.settle(now)
	switch h.state {
	case "held":
		h.state = "captured"
		m.write(credits.Spent, credits.PlanPool, -h.Plan, "hold:"+h.ID.String(), now)
		m.write(credits.Spent, credits.TopUpPool, -h.TopUp, "hold:"+h.ID.String(), now)
		m.events = append(m.events, "spent")
		if m.untold && m.plan+m.topUp < credits.Enough {
			m.events, m.untold = append(m.events, "low"), false
		}
	case "released":
		return credits.ErrHoldReleased
	case "expired":
		return credits.ErrHoldExpired
	}
	return nil
}

func (m *model) refund(h *modelHold, now time.Time) error {
	m.settle(now)
	switch {
	case h.refunded:
		return nil
	case h.state != "captured":
		return credits.ErrHoldNotCaptured
	}
	h.refunded = true
	plan, topUp := int64(0), h.Plan+h.TopUp
	if h.grant != "" && h.grant == m.grant {
		plan, topUp = h.Plan, h.TopUp
	}
	m.plan, m.topUp = m.plan+plan, m.topUp+topUp
	m.write(credits.Refunded, credits.PlanPool, plan, "refund:"+h.ID.String()+":plan", now)
	m.write(credits.Refunded, credits.TopUpPool, topUp, "refund:"+h.ID.String()+":top_up", now)
	m.events = append(m.events, "refunded")
	return nil
}

func (m *model) release(h *modelHold, now time.Time) error {
	m.settle(now)
	switch h.state {
	case "held":
		m.giveBack(h, "released", now)
	case "captured":
		return credits.ErrHoldCaptured
	}
	return nil
}
