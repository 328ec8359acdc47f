package rpc

import (
	"context"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// cardBuilder turns cards into messages, with the categories, pictures and likes that belong to them.
type cardBuilder struct {
	reading.Surroundings

	categories map[string]string // names by id
	narrators  Narrators
	reader     auth.Subject
}

// newCardBuilder reads what the messages of the asked cards need, in one round trip to the database. categories are all categories;
// nil where asked has them read.
func (r *Reading) newCardBuilder(ctx context.Context, categories []reading.Page, asked reading.SurroundingsAsked) (d cardBuilder, err error) {
	d = cardBuilder{narrators: r.ports.Narrators, reader: readerOf(ctx)}
	asked.UID, _ = uuid.Parse(d.reader.UID) // uuid.Nil for a visitor, who likes nothing
	d.Surroundings, err = r.ports.Pages.Surroundings(ctx, asked)
	if asked.Categories {
		categories = d.Categories
	}
	d.categories = namesOf(categories)
	return d, err
}

// withCategories asks for what these cards need and all categories.
func withCategories(cards ...reading.Card) reading.SurroundingsAsked {
	return reading.SurroundingsAsked{Cards: cards, Categories: true}
}

func (d cardBuilder) article(c reading.Card) *contentv1.ArticleCard {
	card := &contentv1.ArticleCard{
		Id: c.ID, Slug: c.Slug, Title: c.Title, Description: c.Description, Preview: c.Preview, Picture: d.picture(c), Open: c.Open,
		PublishedAt: timestamppb.New(c.At), AudioSeconds: int32(c.Seconds), Words: int32(c.Words), Standing: toProtoStanding(d.Standings[c.Kind][c.ID]),
	}
	for i := range c.Categories {
		if category := d.category(c, i); category != nil {
			card.Categories = append(card.Categories, category)
		}
	}
	return card
}

func (d cardBuilder) articles(cards []reading.Card) (articles []*contentv1.ArticleCard) {
	for _, c := range cards {
		articles = append(articles, d.article(c))
	}
	return articles
}

func (d cardBuilder) meditations(cards []reading.Card) (meditations []*contentv1.MeditationCard) {
	for _, c := range cards {
		meditations = append(meditations, d.meditation(c))
	}
	return meditations
}

func (d cardBuilder) meditation(c reading.Card) *contentv1.MeditationCard {
	card := &contentv1.MeditationCard{
		Id: c.ID, Slug: c.Slug, Title: c.Title, Description: c.Description, Picture: d.picture(c), Type: c.Type, Practice: c.Practice,
		Immersive: c.Immersive, TrackId: c.Track, Intro: c.Intro, Verified: c.Verified, NarratorName: d.narrators.Of(c),
		AudioPath: d.audio(c), AudioSeconds: int32(c.Seconds), CreatedAt: timestamppb.New(c.At), GeneratedBy: c.GeneratedBy,
		Standing: toProtoStanding(d.Standings[c.Kind][c.ID]),
	}
	for i := range c.Categories {
		card.Category = d.category(c, i)
	}
	return card
}

// category is the i-th category of a card, nil for a category that readers do not get.
func (d cardBuilder) category(c reading.Card, i int) *contentv1.Category {
	name, known := d.categories[c.Categories[i]]
	if !known {
		return nil
	}
	confidence := entry.Certain
	if i < len(c.Confidences) { // older cards have no confidences
		confidence = c.Confidences[i]
	}
	return &contentv1.Category{Id: c.Categories[i], Name: name, Confidence: int32(confidence)}
}

// audio is the path of the sound, or empty when the caller may not hear it.
func (d cardBuilder) audio(c reading.Card) string {
	if c.Audio == "" || !c.Whole(d.reader) {
		return ""
	}
	return "narrations/" + c.Audio
}

func (d cardBuilder) picture(c reading.Card) *contentv1.Picture {
	p, there := d.Pictures[c.Picture]
	if !there {
		return nil
	}
	return toProtoPicture(p)
}

func toProtoPicture(p reading.Picture) *contentv1.Picture {
	return &contentv1.Picture{Path: p.Path, Alt: p.Alt, Width: int32(p.Width), Height: int32(p.Height)}
}
