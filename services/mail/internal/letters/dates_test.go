package letters

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func utc(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestADateIsThatOfLondonAsBritainWritesIt(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"2026-12-04 12:00": "Friday 4 December 2026",
		"2026-06-30 22:59": "Tuesday 30 June 2026",
		"2026-06-30 23:00": "Wednesday 1 July 2026", // an hour ahead in summer
		"2026-12-31 23:59": "Thursday 31 December 2026",
		"2028-02-29 00:00": "Tuesday 29 February 2028",
	} {
		require.Equal(t, want, date(utc(at)), at)
	}
}

func TestAMomentIsToldByTheClocksOfLondonWhereSummerTimeBeginsAndEnds(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"2026-03-29 00:59": "Sunday 29 March 2026 at 00:59",
		"2026-03-29 01:00": "Sunday 29 March 2026 at 02:00",
		"2026-10-24 23:30": "Sunday 25 October 2026 at 00:30",
		"2026-10-25 00:30": "Sunday 25 October 2026 at 01:30 BST", // two such moments come that night
		"2026-10-25 01:30": "Sunday 25 October 2026 at 01:30 GMT",
		"2026-10-25 02:00": "Sunday 25 October 2026 at 02:00",
		"2026-07-01 12:00": "Wednesday 1 July 2026 at 13:00",
	} {
		require.Equal(t, want, moment(utc(at)), at)
	}
}

func TestHowFarOffADayIsIsCountedByTheCalendar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ now, at, want string }{
		{"2026-10-21 09:00", "2026-10-21 22:00", "today"},
		{"2026-10-21 09:00", "2026-10-20 22:00", "today"}, // it has just passed; such a letter is not sent
		{"2026-10-21 22:59", "2026-10-22 00:30", "tomorrow"},
		{"2026-10-21 23:00", "2026-10-22 00:30", "today"},    // it is the 22nd in London
		{"2026-10-24 12:00", "2026-10-25 23:30", "tomorrow"}, // a day of 25 hours
		{"2026-10-24 22:00", "2026-10-26 23:30", "in 2 days"},
		{"2026-03-28 12:00", "2026-03-29 22:30", "tomorrow"}, // a day of 23 hours
		{"2026-03-28 12:00", "2026-03-30 11:00", "in 2 days"},
		{"2026-12-30 12:00", "2027-01-02 11:00", "in 3 days"},
	} {
		require.Equal(t, c.want, soon(utc(c.now), utc(c.at)), "%s → %s", c.now, c.at)
	}
}
