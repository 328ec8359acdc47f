package jobs

import (
	"time"

	"serein.app/services/platform/retention"
)

// Policies say when jobs go. River's own cleaning is off (see New). Each names one state, so that River's
// index by state and time is walked in its order.
func Policies() []retention.Policy {
	return []retention.Policy{
		{
			Name: "jobs done", Table: "river_job", Column: "finalized_at", Where: "state = 'completed'", Keep: time.Hour,
			Reason: "Nobody asks for a job that is done, nor for a sweep that failed once the log has told; an hour shows what has just run. The rows of a day would make every fetch slower.",
		},
		{
			Name: "jobs cancelled", Table: "river_job", Column: "finalized_at", Where: "state = 'cancelled'", Keep: 7 * retention.Day,
			Reason: "An operator looks within the week at what was not wanted any more.",
		},
		{
			Name: "jobs discarded", Table: "river_job", Column: "finalized_at", Where: "state = 'discarded'", Keep: 7 * retention.Day,
			Reason: "An operator looks within the week at what failed for good.",
		},
		{
			Name: "jobs nobody knows", Table: "river_job", Column: "scheduled_at", Where: "state IN ('available', 'pending', 'retryable', 'scheduled')", Keep: 30 * retention.Day,
			Reason: "Jobs of a kind that no release works any more would wait for ever. None that one knows waits for weeks.",
		},
	}
}
