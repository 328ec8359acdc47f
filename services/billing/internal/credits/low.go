package credits

import "time"

// Enough is what a meditation may cost: immersive ones cost 2, all others less. Who has less to spend is told.
const Enough = 2

// Low is what is told of credits that run out, once a grant.
type Low struct {
	// Grant is the cause of the grant that it is told for.
	Grant string
	// ReplacedAt is when the plan brings new ones; zero where it does not.
	ReplacedAt time.Time
	// TopUp: the plan lets the member buy more.
	TopUp bool
}
