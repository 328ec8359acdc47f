package life_test

import (
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/operators"
)

// Of the decisions on the specification, "Trial and referral": what each of the two has of it, how often a month, and the trials.
const (
	rewardOfEach     = 5
	rewardsOfAMonth  = 20
	trialDays        = 7
	invitedTrialDays = 14
)

// reward is what came of an invitation, decided once.
type reward struct {
	of                   *order
	at                   time.Time
	toFriend, toReferrer int64
	takenBack            bool
}

// paidFor decides what comes of who has invited a member, with the first membership that they paid.
func (m *member) paidFor(o *order, now time.Time) {
	if o.charged == 0 {
		return // which decides nothing, and was paid by no card
	}
	m.cards[o.card] = true
	if m.by == nil || m.reward != nil {
		return
	}
	m.reward = &reward{of: o, at: now}
	for card := range m.cards {
		if m.by.cards[card] {
			return // by all that can be told they are one
		}
	}
	m.settle(now)
	m.topUp += rewardOfEach
	m.reward.toFriend = rewardOfEach
	if m.by.rewardsSince(now.Add(-30*day)) >= rewardsOfAMonth {
		return
	}
	m.by.settle(now)
	m.by.topUp += rewardOfEach
	m.reward.toReferrer = rewardOfEach
	m.by.rewards = append(m.by.rewards, m.reward)
}

func (m *member) rewardsSince(at time.Time) (n int) {
	for _, r := range m.rewards {
		if r.at.After(at) {
			n++
		}
	}
	return n
}

// givesBack takes a reward back with all the money of the order that it came with, as far as it is unspent.
func (m *member) givesBack(o *order, now time.Time) {
	r := m.reward
	if r == nil || r.of != o || r.takenBack {
		return
	}
	r.takenBack = true
	if r.toFriend > 0 {
		m.takeTopUp(r.toFriend, now)
	}
	if r.toReferrer > 0 {
		m.by.takeTopUp(r.toReferrer, now)
	}
}

// referrals are what a member's invitations came to; how much of it was taken back, the purse knows.
func (w *world) referrals(one *member) (invited, rewarded int32) {
	for _, friend := range w.members {
		if friend.by != one {
			continue
		}
		invited++
		if r := friend.reward; r != nil && r.toFriend > 0 && !r.takenBack {
			rewarded++
		}
	}
	return invited, rewarded
}

// knowsFriends says that a member is shown what the model says of their invitations.
func (m *machine) knowsFriends(one *member) {
	shown, err := m.store.Referrals(m.ctx(), one.uid)
	require.NoError(m.t, err)
	invited, rewarded := m.referrals(one)
	require.Equal(m.t, []int32{invited, rewarded}, []int32{shown.Invited, shown.Rewarded})
	require.LessOrEqual(m.t, shown.Credits, int64(rewardOfEach*len(one.rewards)))
}

// stepCorrect has an operator give credits, or take them as far as they are there; who asks again is answered the same.
func (m *machine) stepCorrect(t *rapid.T) {
	m.step(t)
	one := m.anybody(t)
	amount := rapid.Int64Range(1, 12).Draw(t, "credits")
	if rapid.Bool().Draw(t, "taken") {
		amount = -amount
	}
	m.corrects(one, amount, rapid.IntRange(1, 2).Draw(t, "times"))
}

func (m *machine) corrects(one *member, amount int64, times int) {
	act := operators.Act{Key: uuid.New(), UID: one.uid, Actor: uuid.New(), Kind: operators.CorrectCredits, Amount: amount, Reason: "A gift"}
	want := one.correct(amount, m.clock())
	for range times {
		changed, err := m.store.Operate(m.ctx(), act)
		require.NoError(m.t, err)
		require.Equal(m.t, want, changed)
	}
	act.Amount++
	_, err := m.store.Operate(m.ctx(), act)
	require.ErrorIs(m.t, err, credits.ErrKeyReused, "a key is for one act")
}
