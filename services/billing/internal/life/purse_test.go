package life_test

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"
)

// purse is a member's credits by the rules alone.
type purse struct {
	plan, topUp int64
	// grant is what the plan credits are from, of the membership that gave it; nil for the trial.
	grant string
	of    *contract
	ends  time.Time
	holds []*hold
	// granted are the causes that gave something.
	granted map[string]bool
}

type hold struct {
	id          uuid.UUID
	plan, topUp int64
	grant       string
	ends        time.Time
	state       string
	refunded    bool
}

const (
	held     = "held"
	captured = "captured"
	released = "released"
	expired  = "expired"
)

func (p *purse) held() (n int64) {
	for _, h := range p.holds {
		if h.state == held {
			n += h.plan + h.topUp
		}
	}
	return n
}

// settle does what time has done until then, in its order.
func (p *purse) settle(now time.Time) {
	due := slices.DeleteFunc(slices.Clone(p.holds), func(h *hold) bool { return h.state != held || h.ends.After(now) })
	slices.SortFunc(due, func(a, b *hold) int { return cmp.Or(a.ends.Compare(b.ends), cmp.Compare(a.id.String(), b.id.String())) })
	for _, h := range due {
		if p.grant != "" && p.ends.Before(h.ends) {
			p.endPlan()
		}
		p.giveBack(h, expired)
	}
	if p.grant != "" && !p.ends.After(now) {
		p.endPlan()
	}
}

func (p *purse) endPlan() { p.plan, p.grant, p.of = 0, "", nil }

func (p *purse) giveBack(h *hold, state string) {
	h.state = state
	p.topUp += h.topUp
	if h.grant == p.grant {
		p.plan += h.plan
	}
}

// give replaces the plan credits; a cause gives once.
func (p *purse) give(cause string, of *contract, amount int64, ends, now time.Time) {
	p.settle(now)
	if p.granted[cause] || amount == 0 {
		return
	}
	p.granted[cause] = true
	p.plan, p.grant, p.of, p.ends = amount, cause, of, ends
}

// change leaves what is unspent, with what the new plan gives and without what the old one takes back. Open holds come along.
func (p *purse) change(cause string, of *contract, returned, given int64, ends, now time.Time) {
	p.settle(now)
	unspent := int64(0)
	if p.grant != "" && p.of == of {
		unspent = p.plan
		for _, h := range p.holds {
			if h.state == held && h.grant == p.grant {
				h.grant = cause
			}
		}
	}
	p.plan, p.grant, p.of, p.ends = max(unspent+given-returned, 0), cause, of, ends
}

// move has a membership's credits end at another moment.
func (p *purse) move(of *contract, ends, now time.Time) {
	p.settle(now)
	if p.grant == "" || p.of != of {
		return
	}
	p.ends = ends
	p.settle(now)
}

func (p *purse) takePlan(of *contract, amount int64, now time.Time) {
	p.settle(now)
	if p.grant != "" && p.of == of {
		p.plan -= min(amount, p.plan)
	}
}

func (p *purse) takeTopUp(amount int64, now time.Time) {
	p.settle(now)
	p.topUp -= min(amount, p.topUp)
}

// correct is what an operator gives, or takes as far as it is there: top-ups first. It says how many those were.
func (p *purse) correct(amount int64, now time.Time) int64 {
	p.settle(now)
	topUp := max(amount, -p.topUp)
	plan := max(amount-topUp, -p.plan)
	p.topUp += topUp
	p.plan += plan
	return topUp + plan
}

// hold sets credits aside, the plan's first; nil where there are not enough.
func (p *purse) hold(amount int64, ends, now time.Time) *hold {
	p.settle(now)
	if amount > p.plan+p.topUp {
		return nil
	}
	h := &hold{plan: min(p.plan, amount), grant: p.grant, ends: ends, state: held}
	h.topUp = amount - h.plan
	p.plan -= h.plan
	p.topUp -= h.topUp
	p.holds = append(p.holds, h)
	return h
}

func (p *purse) capture(h *hold, now time.Time) bool {
	p.settle(now)
	if h.state == held {
		h.state = captured
	}
	return h.state == captured
}

func (p *purse) release(h *hold, now time.Time) bool {
	p.settle(now)
	if h.state == held {
		p.giveBack(h, released)
	}
	return h.state != captured
}

// refund gives back what was spent on something that was lost.
func (p *purse) refund(h *hold, now time.Time) bool {
	p.settle(now)
	if h.state == captured && !h.refunded {
		h.refunded = true
		if h.grant == p.grant && p.grant != "" {
			p.plan += h.plan
			p.topUp += h.topUp
		} else {
			p.topUp += h.plan + h.topUp
		}
	}
	return h.state == captured
}
