package postgres

import "serein.app/services/platform/retention"

// Retention is what mail removes: a mail with its recipient. A member's address stays as long as the account.
func Retention() []retention.Policy {
	return []retention.Policy{
		{
			Name: "mails", Table: "mails", Column: "ended_at", Keep: 30 * retention.Day,
			Reason: "Whether a letter went out is asked within days, and its key must answer a repeated request. The address of who got it is nobody's after that.",
		},
		{
			Name: "departed", Table: "departed", Column: "departed_at", Keep: 90 * retention.Day,
			Reason: "An event of before, which may come again for 60 days, must not bring back the address of a deleted account. A fingerprint of the uid stands here, not the uid.",
		},
	}
}
