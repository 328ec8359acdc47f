package subscriptions

import (
	"time"

	"serein.app/services/billing/internal/sales"
)

// atOnce is how long after a period has begun a change is for the whole of it: so that who thinks again at once is not told of 59
// credits of 60. A change back after it gives nothing more for that, while an hour is less of the period than one of its credits is
// (a month has 720 hours): its return is rounded up to the whole all the same.
const atOnce = time.Hour

// changeCredits are what a change at that moment takes of the old period's credits, and what it gives of the new one's: the
// share of the time that is left, rounded so that changing to and fro makes no credit. A period of another length begins anew, and
// gives all of its credits.
func changeCredits(from State, to sales.Item, at time.Time) (returned, given int64) {
	whole := int64(from.EndsAt.Sub(from.StartsAt) / time.Second)
	left := min(max(int64(from.EndsAt.Sub(at)/time.Second), 0), whole)
	if whole <= 0 {
		return 0, to.Credits
	}
	if at.Sub(from.StartsAt) < atOnce {
		left = whole
	}
	returned = (from.Credits*left + whole - 1) / whole
	if to.Size != from.Period {
		return returned, to.Credits
	}
	return returned, to.Credits * left / whole
}
