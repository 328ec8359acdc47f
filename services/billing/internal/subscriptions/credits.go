package subscriptions

import (
	"time"

	"serein.app/services/billing/internal/sales"
)

// atOnce is how long after its beginning a period counts as whole for a change: a member who changes again within the hour is quoted 60
// credits and not 59. A change back after the hour gains no credits by this while an hour is a smaller share of the period than one of its
// credits (a month has 720 hours), because the return is rounded up to the whole anyway.
const atOnce = time.Hour

// changeCredits are the credits of the old period that a change at that moment takes back, and the credits of the new period that it gives:
// the share of the time that is left, rounded so that changing to and fro gains no credit. A change to a period of another length starts
// a new period, which gives all of its credits.
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
