package postgres

import (
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/retention"
)

// Retention is what mail removes: a mail with its recipient, and what is counted by the day. A member's address and wishes stay as
// long as the account.
func Retention() []retention.Policy {
	return []retention.Policy{
		{
			Name: "mails", Table: "mails", Column: "ended_at", Keep: 30 * retention.Day,
			Reason: "Whether a letter went out is asked within days, and its key must answer a repeated request. The address of who got it is nobody's after that.",
		},
		erasure.DepartedPolicy(),
		{
			Name: "topics", Table: "topics", Column: "told_at", Keep: 90 * retention.Day,
			Reason: "An event of before, which may come again for 60 days, must not write what something newer has made untrue.",
		},
		{
			Name: "invitations", Table: "invitations", Column: "asked_at", Keep: 2 * retention.Day,
			Reason: "So many are taken of a member in a day, and a browser repeats a request within minutes. That an address has had its letter stands elsewhere, without the member.",
		},
		{
			Name: "free letters", Table: "free_letters", Column: "sent_at", Keep: 365 * retention.Day,
			Reason: "A complaint may come months later, and operators then have to find which admin wrote to whom in Serein's name. The row holds neither the address nor the words, only hashes: they identify a letter that the complainer shows.",
		},
	}
}
