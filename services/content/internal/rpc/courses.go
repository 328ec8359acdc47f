package rpc

import (
	"context"
	"slices"

	"github.com/google/uuid"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/courses"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// CourseStore is how far members have gone.
type CourseStore interface {
	Progress(ctx context.Context, uid uuid.UUID) (courses.All, error)
	Start(ctx context.Context, uid uuid.UUID, course string, over bool, published []string) error
	Mark(ctx context.Context, uid uuid.UUID, course, day string, done bool) error
	Leave(ctx context.Context, uid uuid.UUID, course string) error
	Heard(ctx context.Context, uid uuid.UUID, item reading.Item, turn int64) error
}

// published are all courses that readers get, in their editors' order.
func (r *Reading) published(ctx context.Context) ([]courses.Course, error) {
	pages, err := r.inOrder(ctx, courses.ContentType)
	all := make([]courses.Course, len(pages))
	for i, p := range pages {
		all[i] = courses.Of(p)
	}
	return all, err
}

// course is one of those, by slug or id. Errors: reading.ErrNotFound.
func course(all []courses.Course, name string) (courses.Course, error) {
	for _, by := range []func(c courses.Course) bool{
		func(c courses.Course) bool { return c.Slug == name }, func(c courses.Course) bool { return c.ID == name },
	} {
		if at := slices.IndexFunc(all, by); at >= 0 {
			return all[at], nil
		}
	}
	return courses.Course{}, reading.ErrNotFound
}

// toTake is a course that the member may take, and the ids of all. Errors: reading.ErrNotFound, auth.ErrNotEntitled.
func (r *Reading) toTake(ctx context.Context, id string) (uid uuid.UUID, c courses.Course, published []string, err error) {
	if uid, err = auth.MemberID(ctx); err != nil {
		return uid, c, nil, err
	}
	all, err := r.published(ctx)
	if err != nil {
		return uid, c, nil, err
	}
	for _, one := range all {
		published = append(published, one.ID)
		if one.ID == id {
			c = one
		}
	}
	switch {
	case c.ID == "":
		err = reading.ErrNotFound
	case !courses.MayTake(auth.SubjectFrom(ctx)):
		err = auth.ErrNotEntitled
	}
	return uid, c, published, err
}

// courseBuilder turns courses into messages, with the cards that they lead to and how far the reader has gone.
type courseBuilder struct {
	cardBuilder

	cards    courses.Cards
	progress courses.All
}

// newCourseBuilder reads what the messages of these courses need. withDays adds what is shown with the cards of their days.
func (r *Reading) newCourseBuilder(ctx context.Context, withDays bool, of ...courses.Course) (b courseBuilder, err error) {
	if uid, refused := auth.MemberID(ctx); refused == nil { // visitors take none
		if b.progress, err = r.ports.Courses.Progress(ctx, uid); err != nil {
			return b, err
		}
	}
	if b.cards, err = r.cardsOf(ctx, of); err != nil {
		return b, err
	}
	asked := reading.SurroundingsAsked{Categories: true}
	for _, c := range of { // a course stands beside the cards for its picture
		asked.Cards = append(asked.Cards, cardOf(c))
	}
	if withDays {
		for _, card := range b.cards {
			asked.Cards = append(asked.Cards, card)
		}
	}
	b.cardBuilder, err = r.newCardBuilder(ctx, nil, asked)
	return b, err
}

// cardOf a course, as far as its picture and category are read by it.
func cardOf(c courses.Course) reading.Card {
	card := reading.Card{Kind: courses.ContentType, ID: c.ID, Picture: c.Picture}
	if c.Category != "" {
		card.Categories = []string{c.Category}
	}
	return card
}

// cardsOf are the cards of everything that the courses lead to.
func (r *Reading) cardsOf(ctx context.Context, of []courses.Course) (courses.Cards, error) {
	ids := map[reading.Kind][]string{}
	for _, c := range of {
		for _, i := range c.Items() {
			ids[i.Kind] = append(ids[i.Kind], i.ID)
		}
	}
	cards := courses.Cards{}
	for kind, of := range ids {
		found, err := r.ports.Pages.CardsOf(ctx, kind, of)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			cards[reading.Item{Kind: kind, ID: c.ID}] = c
		}
	}
	return cards, nil
}

func (b courseBuilder) card(c courses.Course) *contentv1.CourseCard {
	p, taken := b.progress.Of(c.ID)
	card := &contentv1.CourseCard{
		Id: c.ID, Slug: c.Slug, Title: c.Title, Description: c.Description, Picture: b.picture(cardOf(c)), Days: int32(len(c.Days)), Taken: taken,
	}
	if c.Category != "" {
		card.Category = b.category(cardOf(c), 0)
	}
	if _, more := p.Next(c, b.cards, b.reader); taken && !more {
		card.Finished = true
	}
	return card
}

func (b courseBuilder) day(d courses.Day, p courses.Progress) *contentv1.CourseDay {
	open, locked := d.Open(b.cards, b.reader)
	day := &contentv1.CourseDay{Id: d.ID, Title: d.Title, Done: p.Did(d.ID), Away: d.Away(b.cards, b.reader), Locked: locked, Line: b.line(d)}
	for _, c := range open {
		if c.Kind == reading.Article {
			day.Article = b.article(c)
		} else {
			day.Meditation = b.meditation(c)
		}
	}
	return day
}

// line is what a day says to who may have what it leads to; to who takes courses also while that is away.
func (b courseBuilder) line(d courses.Day) string {
	if open, _ := d.Open(b.cards, b.reader); len(open) == 0 && !courses.MayTake(b.reader) {
		return ""
	}
	return d.Line
}

// next is the day at which the path goes on; nil at the end.
func (b courseBuilder) next(c courses.Course) *contentv1.NextDay {
	p, _ := b.progress.Of(c.ID)
	at, ok := p.Next(c, b.cards, b.reader)
	if !ok {
		return nil
	}
	return &contentv1.NextDay{Id: c.Days[at].ID, Title: c.Days[at].Title, Line: b.line(c.Days[at]), Number: int32(at + 1)}
}
