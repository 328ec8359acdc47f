package outbox

import "serein.app/services/platform/retention"

// keep is how long a published row stays, from its making on.
const keep = 30 * retention.Day

// Policy says when published rows go. Rows are found by the time of their making, which has an index
// and is never after that of publishing; one that is not published yet stays.
func Policy() retention.Policy {
	return retention.Policy{
		Name: "outbox", Table: "outbox", Column: "created_at", Where: "published_at <= $1", Keep: keep,
		Reason: "A stream that is lost is published again from it. Payloads hold names and addresses, so no longer than a lost stream takes to be noticed.",
	}
}
