package letters

import (
	"fmt"
	"time"
	_ "time/tzdata" // a container may have no zones
)

// london is the zone of the dates in letters: it is ours, since no event carries the member's zone.
var london = func() *time.Location {
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		panic(err) // it is embedded
	}
	return zone
}()

// date is a day as Britain writes it, "Friday 4 December 2026".
func date(t time.Time) string { return t.In(london).Format("Monday 2 January 2006") }

// moment is a date with its time of day, which two clocks in October share: there the zone is said.
func moment(t time.Time) string {
	local := t.In(london)
	said := local.Format("Monday 2 January 2006") + " at " + local.Format("15:04")
	for _, hour := range []time.Duration{-time.Hour, time.Hour} {
		if other := t.Add(hour).In(london); other.Format("150405") == local.Format("150405") {
			return said + " " + local.Format("MST")
		}
	}
	return said
}

// soon says how far off a moment is, by the calendar: "today", "tomorrow", "in 2 days".
func soon(now, t time.Time) string {
	switch days := int(midnight(t).Sub(midnight(now)).Hours() / 24); {
	case days <= 0:
		return "today"
	case days == 1:
		return "tomorrow"
	default:
		return fmt.Sprintf("in %d days", days)
	}
}

// midnight begins the day in London, on a calendar whose days are all as long.
func midnight(t time.Time) time.Time {
	year, month, day := t.In(london).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
