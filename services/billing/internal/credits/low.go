package credits

import "time"

// Enough is the highest cost of a meditation: immersive ones cost 2, all others less. Billing notifies a member who has less to spend.
const Enough = 2

// Low is what the event for a low balance says. Billing publishes it once a grant.
type Low struct {
	// Grant is the cause of the grant that the event is for.
	Grant string
	// ReplacedAt is when the plan grants new credits; zero if it will not.
	ReplacedAt time.Time
	// TopUp: the plan lets the member buy more.
	TopUp bool
}
