package life_test

import (
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/billing/internal/credits"
)

func (m *machine) stepGenerate(t *rapid.T) {
	now := m.step(t)
	one := m.anybody(t)
	ttl := time.Duration(rapid.IntRange(1, 72).Draw(t, "hours")) * time.Hour
	amount := rapid.Int64Range(1, 6).Draw(t, "credits")
	want := one.purse.hold(amount, now.Add(ttl), now)
	h, balance, err := m.store.Hold(m.ctx(), credits.HoldRequest{UID: one.uid, Amount: amount, Key: uuid.NewString(), Reference: "meditation:x", TTL: ttl})
	if want == nil {
		require.ErrorIs(m.t, err, credits.ErrInsufficient)
		return
	}
	require.NoError(m.t, err)
	want.id = h.ID
	require.Equal(m.t, want.plan, h.Plan, "of the plan first")
	require.Equal(m.t, one.balance(now), balance)
}

func (m *member) balance(now time.Time) credits.Balance {
	m.settle(now)
	return credits.Balance{PlanAvailable: m.purse.plan, TopUpAvailable: m.topUp, Held: m.held()}
}

// ends draws a hold of one member, ended ones too: ending a hold again must give the same answer.
func (m *machine) ends(t *rapid.T) (*member, *hold) {
	m.step(t)
	one := m.anybody(t)
	if len(one.holds) == 0 {
		m.leave(t, "nothing is being made")
	}
	return one, one.holds[len(one.holds)-1-rapid.IntRange(0, min(len(one.holds)-1, 4)).Draw(t, "hold")]
}

func (m *machine) stepMade(t *rapid.T) {
	one, h := m.ends(t)
	err := m.store.Capture(m.ctx(), h.id)
	require.Equal(m.t, one.capture(h, m.clock()), err == nil, "%v", err)
}

func (m *machine) stepCancelWork(t *rapid.T) {
	one, h := m.ends(t)
	err := m.store.Release(m.ctx(), h.id)
	require.Equal(m.t, one.release(h, m.clock()), err == nil, "%v", err)
}

func (m *machine) stepLost(t *rapid.T) {
	one, h := m.ends(t)
	_, err := m.store.Refund(m.ctx(), h.id)
	require.Equal(m.t, one.purse.refund(h, m.clock()), err == nil, "%v", err)
}
