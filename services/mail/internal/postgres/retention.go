package postgres

import "serein.app/services/platform/retention"

// Retention is what mail removes: a mail with its recipient.
func Retention() []retention.Policy {
	return []retention.Policy{{
		Name: "mails", Table: "mails", Column: "ended_at", Keep: 30 * retention.Day,
		Reason: "Whether a letter went out is asked within days, and its key must answer a repeated request. The address of who got it is nobody's after that.",
	}}
}
