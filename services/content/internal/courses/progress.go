package courses

import (
	"slices"

	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// Progress is a member's on one course: the ids of the days that are done, the last one last. Days that the course no longer has stay, so
// that they are done when an editor brings them back.
type Progress struct {
	Course string
	Done   []string
	// Turn of the listening by which a day was last done; 0 for none.
	Turn int64
}

// Did says whether a day is done.
func (p Progress) Did(day string) bool { return slices.Contains(p.Done, day) }

// With is the progress with a day done.
func (p Progress) With(day string) Progress {
	if p.Did(day) {
		return p
	}
	done := append(slices.Clone(p.Done), day)
	p.Done = done[max(0, len(done)-maxDone):]
	return p
}

// Without is the progress with a day not done.
func (p Progress) Without(day string) Progress {
	p.Done = slices.DeleteFunc(slices.Clone(p.Done), func(id string) bool { return id == day })
	return p
}

// Next is the place of the first day that is neither done nor away; ok is false at the end of the course.
func (p Progress) Next(c Course, cards Cards, to auth.Subject) (at int, ok bool) {
	at = slices.IndexFunc(c.Days, func(d Day) bool { return !p.Did(d.ID) && !d.Away(cards, to) })
	return at, at >= 0
}

// Heard is the progress after an item was heard to its end in a turn: the first day that leads there and is not done is done. The same
// turn again, and an earlier one, change nothing.
func (p Progress) Heard(c Course, item reading.Item, turn int64) (after Progress, changed bool) {
	if turn <= p.Turn {
		return p, false
	}
	for _, d := range c.Days {
		if !p.Did(d.ID) && slices.Contains(d.Items(), item) {
			after = p.With(d.ID)
			after.Turn = turn
			return after, true
		}
	}
	return p, false
}

// All is a member's progress on all courses, the last touched first.
type All []Progress

// Of a course; ok is false for one that the member does not take.
func (a All) Of(course string) (p Progress, ok bool) {
	for _, one := range a {
		if one.Course == course {
			return one, true
		}
	}
	return Progress{}, false
}

// Full says whether the member takes as many of the published courses as is possible.
func (a All) Full(published []string) bool {
	taken := 0
	for _, p := range a {
		if slices.Contains(published, p.Course) {
			taken++
		}
	}
	return taken >= MaxTaken
}

// Surplus are the courses to forget: of those that are no longer published, the ones touched first, when one more is to be kept.
func (a All) Surplus(published []string) (courses []string) {
	for i, p := range a {
		if i >= maxKept-MaxTaken && !slices.Contains(published, p.Course) {
			courses = append(courses, p.Course)
		}
	}
	return courses
}

// Titles of the days that are done, in the order of the course; then the ids of those that the course does not have now.
func (p Progress) Titles(c Course) (titles []string) {
	for _, d := range c.Days {
		if p.Did(d.ID) {
			titles = append(titles, d.Title)
		}
	}
	for _, id := range p.Done {
		if !c.Has(id) {
			titles = append(titles, id)
		}
	}
	return titles
}
