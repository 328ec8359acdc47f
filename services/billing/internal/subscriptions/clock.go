package subscriptions

import (
	"time"

	"serein.app/services/billing/internal/plans"
)

const (
	// secondNotice of a failed payment comes so long after the first; lastNotice so long before access ends.
	secondNotice, lastNotice = 7 * plans.Day, 2 * plans.Day
	// trialNotice is how long before its end a trial says so.
	trialNotice = 2 * plans.Day
	// overdueEvery is how often what should have renewed by now, or is to be mended, is looked at: the provider bills an hour or so after
	// the period.
	overdueEvery = time.Hour
)

// noticesDue is how many notices of a failed payment should have been given by then.
func (s State) noticesDue(now time.Time) int32 {
	switch {
	case !now.Before(s.AccessUntil().Add(-lastNotice)):
		return 3
	case !now.Before(s.FailedAt.Add(secondNotice)) && !s.FailedAt.IsZero():
		return 2
	}
	return 0
}

// remind gives the notice that is due by our own clock; one that was missed is passed over.
func (n *next) remind() {
	if due := n.noticesDue(n.now); !n.Over() && !n.FailedAt.IsZero() && due > n.Notices {
		invoice, _ := n.told.owed(n.EndsAt)
		n.Notices = due
		n.add(Happening{Kind: Failed, Notice: due, Amount: n.owes(invoice)})
	}
}

// due is when the sweep looks at a membership next, even if no event arrives for it.
func (n *next) due() time.Time {
	if n.Over() {
		return time.Time{}
	}
	first := n.EndsAt
	if !n.now.Before(n.EndsAt) {
		first = n.AccessUntil()
		if n.FailedAt.IsZero() {
			first = earlier(first, n.now.Add(overdueEvery))
		}
	}
	if n.FailedAt.IsZero() {
		return first
	}
	first = earlier(n.AccessUntil(), n.now.Add(overdueEvery)) // a card may have been given of which nothing was told
	if n.Notices < 3 {
		first = earlier(first, n.AccessUntil().Add(-lastNotice))
	}
	if n.Notices < 2 {
		first = earlier(first, n.FailedAt.Add(secondNotice))
	}
	return first
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Tick is what a trial becomes by the clock: it says that it ends soon, once, and that it has ended.
func Tick(s State, now time.Time) (State, []Happening) {
	switch {
	case s.Paid() || s.Over():
		return s, nil
	case !now.Before(s.EndsAt):
		s.EndedAt, s.DueAt = s.EndsAt, time.Time{}
		return s, []Happening{{Kind: TrialEnded}}
	case s.Notices == 0 && !now.Before(s.EndsAt.Add(-trialNotice)):
		s.Notices, s.DueAt = 1, s.EndsAt
		return s, []Happening{{Kind: TrialEnding}}
	case s.Notices == 0:
		s.DueAt = s.EndsAt.Add(-trialNotice)
	default:
		s.DueAt = s.EndsAt
	}
	return s, nil
}
