package postgres

import "serein.app/services/platform/retention"

// Retention is what basket removes. Baskets stay: there is one a member at most.
func Retention() []retention.Policy {
	return []retention.Policy{{
		Name: "lines", Table: "lines", Column: "added_at", Keep: 365 * retention.Day,
		Reason: "Nobody comes back to what lay in a basket for a year, saved for later or not; its price and size have changed since.",
	}}
}
