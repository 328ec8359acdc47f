package postgres

import (
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/retention"
)

// Retention is what basket removes. Members' baskets stay: there is one each at most.
func Retention() []retention.Policy {
	return []retention.Policy{
		{
			Name: "lines", Table: "lines", Column: "added_at", Keep: 365 * retention.Day,
			Reason: "Nobody comes back to what lay in a basket for a year, saved for later or not; its price and size have changed since.",
		},
		{
			Name: "guests", Table: "baskets", Column: "changed_at", Where: "guest", Keep: 30 * retention.Day,
			Reason: "A guest who has not come back for a month has lost the cookie that names the basket, which lives as long. Its lines go with it.",
		},
		{
			Name: "requests", Table: "requests", Column: "at", Keep: retention.Day,
			Reason: "A browser repeats an addition within minutes; after a day the same request would be another wish.",
		},
		erasure.DepartedPolicy(),
	}
}
