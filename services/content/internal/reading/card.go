// Package reading is what readers see of articles and meditations: the card that stands for one in lists, the lists
// that it stands in, the words by which it is found, and who may read and hear it.
//
// It knows no SQL and no HTTP. Cards are made of the environment master in its default locale.
package reading

import (
	"time"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/markup"
)

// Kind of what members like and save.
type Kind string

// The kinds, as tables name them. Bespoke meditations are the generation service's: they have no card here.
const (
	Article    Kind = "article"
	Meditation Kind = "meditation"
	Bespoke    Kind = "bespoke"
)

// CardSchemaVersion is the version of the cards that this release builds. A developer who changes what a card holds, or which lists hold it,
// raises the version: the next start then builds all cards again.
const CardSchemaVersion = 1

// Card is what lists show of an item.
type Card struct {
	Kind Kind   `json:"-"`
	ID   string `json:"-"`
	Slug string `json:"-"`

	Title       string
	Description string
	// Preview is the beginning of an article.
	Preview string
	// Words of the whole article.
	Words int
	// Categories by their ids, the first is that of the print.
	Categories []string
	// Confidences are those of Categories, in their order, in per cent.
	Confidences []int
	// Picture is an asset's id; empty for none.
	Picture string
	// Open: every visitor may read it to its end.
	Open bool
	// At is the day on which an article was published, or when a meditation was made; ChangedAt when readers last got
	// something else.
	At, ChangedAt time.Time
	// Audio is the file of its narration, and Seconds the length of that; empty and 0 while there is none.
	Audio   string
	Seconds int

	// Of meditations: names of type and practice, the ambient track's id, the narrator's id where it is not the type's own,
	// and the given name of who made it.
	Type, Practice, Track, Voice, GeneratedBy string

	Immersive, Intro, Verified bool
	// Order among the introductions.
	Order int
}

// ParseCard is the card of an item from its JSON.
func ParseCard(kind Kind, id, slug string, data []byte) (c Card, err error) {
	err = columns.Parse(data, &c, "card of "+id)
	c.Kind, c.ID, c.Slug = kind, id, slug
	return c, err
}

// Entry is an item's card and where it stands.
type Entry struct {
	Card
	// Lists and the item's place in each; see ListName. The highest place comes first.
	Lists map[string]int64
	// Words of title and text; see Words.
	Words string
	// Names that it may be asked for by some day: its slug and its title as one.
	Names []string
}

// Of is what readers see of what was published; ok is false where it is neither an article nor a meditation of master.
func Of(p entry.Published, locale string) (e Entry, ok bool) {
	if p.Environment != entry.Master || p.Kind != entry.KindEntry {
		return e, false
	}
	switch p.ContentType {
	case "article":
		e.Card = articleOf(fields{p.Fields, locale}, p)
	case "meditation":
		e.Card = meditationOf(fields{p.Fields, locale}, p)
	default:
		return e, false
	}
	e.ID, e.ChangedAt = p.ID, p.UpdatedAt
	for _, category := range e.Categories {
		e.Confidences = append(e.Confidences, p.Fields.Confidence(category, locale))
	}
	e.Lists = listsOf(e.Card)
	e.Words = indexed(e.Title, text(fields{p.Fields, locale}, e.Kind))
	e.Names = names(e.Slug, e.Title)
	return e, true
}

// text is what is read or spoken, in plain words.
func text(f fields, kind Kind) string {
	if kind == Article {
		return markup.Plain(f.text("body"))
	}
	return plainScript(f.text("script"))
}

func articleOf(f fields, p entry.Published) Card {
	plain := markup.Plain(f.text("body"))
	at, given := entry.ParseDate(f.value("published"))
	if !given {
		at = p.FirstPublishedAt
	}
	return Card{
		Kind: Article, Slug: f.text("slug"), Title: f.text("title"), Description: f.text("description"),
		Preview: markup.Preview(plain), Words: markup.Words(plain), Categories: f.links("categories"), Picture: f.link("picture"),
		Open: f.is("open"), At: at.UTC(), Audio: f.text("audio"), Seconds: f.number("duration"), Verified: true,
	}
}

func meditationOf(f fields, p entry.Published) Card {
	c := Card{
		Kind: Meditation, Slug: f.text("slug"), Title: f.text("title"), Description: f.text("description"), Picture: f.link("picture"),
		At: p.CreatedAt.UTC(), Audio: f.text("audio"), Seconds: f.number("duration"),
		Type: f.text("type"), Practice: f.text("practice"), Track: f.link("track"), Voice: f.text("voice"), GeneratedBy: f.text("generatedBy"),
		Immersive: f.is("immersive"), Intro: f.is("intro"), Verified: f.is("verified"), Order: f.number("order"),
	}
	if category := f.link("category"); category != "" {
		c.Categories = []string{category}
	}
	return c
}
