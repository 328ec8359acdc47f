package courses_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/courses"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

var (
	visitor  = auth.Subject{}
	reader   = auth.Subject{Entitlements: []string{"articles"}}
	listener = auth.Subject{Entitlements: []string{"library"}}

	tea   = reading.Item{Kind: reading.Meditation, ID: "tea"}
	walk  = reading.Item{Kind: reading.Meditation, ID: "walk"}
	essay = reading.Item{Kind: reading.Article, ID: "essay"}
	open  = reading.Item{Kind: reading.Article, ID: "open"}
)

var path = courses.Course{ID: "path", Days: []courses.Day{
	{ID: "one", Meditation: "tea"},
	{ID: "two", Article: "essay", Meditation: "gone"},
	{ID: "three", Meditation: "gone"},
	{ID: "four", Article: "open"},
	{ID: "five", Meditation: "tea"},
}}

// readers get these of what the path leads to.
var readers = courses.Cards{
	tea:   {Kind: reading.Meditation, ID: "tea", Verified: true},
	essay: {Kind: reading.Article, ID: "essay", Verified: true},
	open:  {Kind: reading.Article, ID: "open", Verified: true, Open: true},
}

func TestThePathGoesOnPastDaysThatAreDoneAndDaysThatAreAway(t *testing.T) {
	t.Parallel()
	p := courses.Progress{Course: "path"}
	for _, day := range []string{"one", "two", "four", "five"} {
		at, ok := p.Next(path, readers, listener)
		require.True(t, ok)
		require.Equal(t, day, path.Days[at].ID)
		p = p.With(day).With(day)
	}
	_, ok := p.Next(path, readers, listener)
	require.False(t, ok, "the day that is away does not block the end")
	at, _ := p.Without("two").Next(path, readers, listener)
	require.Equal(t, 1, at)
}

func TestADayIsOpenAsFarAsTheReaderMayHaveWhatItLeadsTo(t *testing.T) {
	t.Parallel()
	unverified := courses.Cards{tea: {Kind: reading.Meditation, ID: "tea"}}
	for name, c := range map[string]struct {
		day          courses.Day
		cards        courses.Cards
		to           auth.Subject
		open         int
		locked, away bool
	}{
		"a meditation, without a plan":    {path.Days[0], readers, visitor, 0, true, false},
		"a meditation, with the library":  {path.Days[0], readers, listener, 1, false, false},
		"an open article, without a plan": {path.Days[3], readers, visitor, 1, false, false},
		"an article, with the library":    {path.Days[1], readers, listener, 0, true, false},
		"an article, with articles":       {path.Days[1], readers, reader, 1, false, false},
		"nothing that is published":       {path.Days[2], readers, listener, 0, false, true},
		"what editors have not judged":    {path.Days[0], unverified, listener, 0, false, true},
		"the same for an admin":           {path.Days[0], unverified, auth.Subject{Admin: true}, 1, false, false},
	} {
		cards, locked := c.day.Open(c.cards, c.to)
		require.Len(t, cards, c.open, name)
		require.Equal(t, c.locked, locked, name)
		require.Equal(t, c.away, c.day.Away(c.cards, c.to), name)
	}
}

func TestWhatIsHeardTwiceDoesTheTwoDaysThatLeadThere(t *testing.T) {
	t.Parallel()
	p, changed := courses.Progress{Course: "path"}.Heard(path, tea, 3)
	require.True(t, changed)
	require.Equal(t, []string{"one"}, p.Done)
	for _, turn := range []int64{3, 2} {
		_, changed = p.Heard(path, tea, turn)
		require.False(t, changed, "the same listening again, and one from before")
	}
	undone := p.Without("one")
	_, changed = undone.Heard(path, tea, 3)
	require.False(t, changed, "what the member has undone stays undone")
	p, changed = p.Heard(path, tea, 4)
	require.True(t, changed)
	require.Equal(t, []string{"one", "five"}, p.Done)
	_, changed = p.Heard(path, tea, 5)
	require.False(t, changed)
	_, changed = p.Heard(path, walk, 6)
	require.False(t, changed)
}

func TestDaysThatTheCourseNoLongerHasStayDoneWithinABound(t *testing.T) {
	t.Parallel()
	p := courses.Progress{Course: "path"}
	for n := range 130 {
		p = p.With(fmt.Sprintf("day-%d", n))
	}
	require.Len(t, p.Done, 120)
	require.Equal(t, "day-10", p.Done[0], "the oldest goes first")
	require.Equal(t, []string{"Tea", "gone"}, courses.Progress{Done: []string{"gone", "tea"}}.Titles(courses.Course{Days: []courses.Day{{ID: "tea", Title: "Tea"}}}))
}

func TestAMemberTakesTenOfThePublishedCoursesAtOnce(t *testing.T) {
	t.Parallel()
	var all courses.All
	var published []string
	for n := range 60 {
		all = append(all, courses.Progress{Course: fmt.Sprintf("c%d", n)})
		if n >= 50 {
			published = append(published, fmt.Sprintf("c%d", n))
		}
	}
	require.True(t, all.Full(published))
	require.False(t, all.Full(published[1:]))
	require.Len(t, all.Surplus(published), 10, "of what is no longer published, what was touched first")
}

func TestAPublishedEntryIsACourse(t *testing.T) {
	t.Parallel()
	require.Equal(t, []reading.Item{tea, {Kind: reading.Meditation, ID: "gone"}, essay, open}, path.Items())
	require.True(t, path.Has("four"))
	require.False(t, path.Has("six"))
}
