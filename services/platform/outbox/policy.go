package outbox

import "serein.app/services/platform/retention"

// keep is how long a row stays after it was published.
const keep = 30 * retention.Day

// Policy says when published rows go; one that is not published yet stays.
func Policy() retention.Policy {
	return retention.Policy{
		Name: "outbox", Table: "outbox", Column: "published_at", Keep: keep,
		Reason: "A stream that is lost is published again from it. Payloads hold names and addresses, so no longer than a lost stream takes to be noticed.",
	}
}
