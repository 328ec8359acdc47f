package paymentsandbox

import "time"

// farthest is how far ahead a coupon or a code can end, as Stripe has it.
const farthest = 5 * 365 * 24 * time.Hour

// limits are until when and how often a coupon or a promotion code can be redeemed.
type limits struct {
	Max   int64 `json:"max"`   // 0 for as often as anybody likes
	Until int64 `json:"until"` // 0 for always
	Times int64 `json:"times"` // that it was redeemed
	// Ahead is how far Advance has taken it, in seconds.
	Ahead int64 `json:"ahead"`
}

// readLimits takes the end by the name that the kind gives it.
func (s *Sandbox) readLimits(c *call, until string) limits {
	read := limits{Max: c.whole("max_redemptions", 0, 1), Until: c.whole(until, 0, 0)}
	switch now := s.now(); {
	case !c.has(until):
	case read.Until <= now.Unix():
		c.refuse(until, "", "The timestamp must be in the future.")
	case read.Until > now.Add(farthest).Unix():
		c.refuse(until, "", "The timestamp can be no more than five years in the future.")
	}
	return read
}

func (l *limits) over(now time.Time) bool { return l.Until != 0 && now.Unix()+l.Ahead >= l.Until }
func (l *limits) usedUp() bool            { return l.Max != 0 && l.Times >= l.Max }
func (l *limits) hold(now time.Time) bool { return !l.over(now) && !l.usedUp() }

// orNone shows a number that there may not be as Stripe does.
func orNone(number int64) any {
	if number == 0 {
		return nil
	}
	return number
}
