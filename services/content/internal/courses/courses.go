// Package courses is the paths that editors make of articles and meditations, and how far a member has gone on each: which days are
// done, in whatever order, and which comes next. It keeps no dates. No SQL, no RPC.
package courses

import (
	"slices"
	"strings"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

const (
	// ContentType of a course.
	ContentType = "course"
	// MaxTaken is how many courses one member can take at once.
	MaxTaken = 10
	// MaxDays is how many days a course has at most.
	MaxDays = 60
	// maxDone is how many done days are kept of one course: twice as many as it has. A day that an editor removes can come back.
	maxDone = 2 * MaxDays
	// maxKept is how many courses are kept for one member, with those that are no longer published.
	maxKept = 50
	// library is the entitlement that taking a course needs.
	library = "library"
)

// The refusals.
var (
	ErrFull       = errs.New(errs.Exhausted, errorsv1.Reason_REASON_COURSES_FULL, "You can take 10 courses at once. Please leave one first.")
	ErrNotStarted = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_COURSE_NOT_STARTED, "Please start the course first.")
)

// Course is a published course.
type Course struct {
	ID, Slug, Title, Description string
	// Opening is Markdown.
	Opening string
	// Category's id; Picture is an asset's id, empty for none.
	Category, Picture string
	Order             int
	Days              []Day
}

// Day of a course. Article and Meditation are ids of entries; one of them may be empty.
type Day struct{ ID, Title, Line, Meditation, Article string }

// Of reads a published entry of the content type.
func Of(p reading.Page) Course {
	c := Course{
		ID: p.ID, Slug: p.Text("slug"), Title: p.Text("title"), Description: p.Text("description"), Opening: p.Text("opening"),
		Category: p.Link("category"), Picture: p.Link("picture"), Order: p.Number("order"),
	}
	for _, object := range p.Objects("days") {
		text := func(name string) string { s, _ := object[name].(string); return s }
		c.Days = append(c.Days, Day{text("id"), text("title"), text("line"), text("meditation"), text("article")})
	}
	return c
}

// Items that the days lead to, each once.
func (c Course) Items() (items []reading.Item) {
	for _, d := range c.Days {
		for _, i := range d.Items() {
			if !slices.Contains(items, i) {
				items = append(items, i)
			}
		}
	}
	return items
}

// Has says whether the course has a day of that id.
func (c Course) Has(day string) bool {
	return slices.ContainsFunc(c.Days, func(d Day) bool { return d.ID == day })
}

// Items that the day leads to: the meditation first.
func (d Day) Items() (items []reading.Item) {
	if d.Meditation != "" {
		items = append(items, reading.Item{Kind: reading.Meditation, ID: d.Meditation})
	}
	if d.Article != "" {
		items = append(items, reading.Item{Kind: reading.Article, ID: d.Article})
	}
	return items
}

// Cards are those that readers get now, by item.
type Cards map[reading.Item]reading.Card

// Away says whether the reader gets nothing of what the day leads to, whatever their plan.
func (d Day) Away(cards Cards, to auth.Subject) bool {
	for _, i := range d.Items() {
		if c, there := cards[i]; there && c.Shown(to) {
			return false
		}
	}
	return true
}

// Open are the cards of the day that the reader may read or hear whole; locked says that there are others.
func (d Day) Open(cards Cards, to auth.Subject) (open []reading.Card, locked bool) {
	for _, i := range d.Items() {
		switch c, there := cards[i]; {
		case !there || !c.Shown(to):
		case c.Whole(to):
			open = append(open, c)
		default:
			locked = true
		}
	}
	return open, locked
}

// MayTake says whether the reader's plan lets them take courses.
func MayTake(to auth.Subject) bool { return to.Admin || to.Entitled(library) }

// maxFound is how many courses a search finds.
const maxFound = 10

// Find gives the first courses of all that have the words of a search, each the beginning of a word of theirs, and are filed under the
// category; empty for any. Without words and a category it finds none.
func Find(all []Course, words []string, category string) (found []Course) {
	for _, c := range all {
		if len(found) < maxFound && len(words)+len(category) > 0 && (category == "" || c.Category == category) && c.says(words) {
			found = append(found, c)
		}
	}
	return found
}

func (c Course) says(words []string) bool {
	texts := []string{c.Title, c.Description}
	for _, d := range c.Days {
		texts = append(texts, d.Title)
	}
	said := reading.Words(strings.Join(texts, " "))
	for _, word := range words {
		if !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, word) }) {
			return false
		}
	}
	return true
}
