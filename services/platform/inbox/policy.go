package inbox

import "serein.app/services/platform/retention"

// Policy says when it is forgotten that an event was handled.
func Policy() retention.Policy {
	return retention.Policy{
		Name: "inbox", Table: "inbox", Column: "handled_at", Keep: 90 * retention.Day,
		Reason: "An event must not be applied twice. It can come again for 30 days from an outbox and for 30 more from its stream; a month is spare.",
	}
}
