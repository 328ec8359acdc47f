package reading

import (
	"github.com/google/uuid"

	"serein.app/services/platform/auth"
)

// SurroundingsAsked says what is read beside cards.
type SurroundingsAsked struct {
	// UID is the member's, or uuid.Nil for a visitor.
	UID   uuid.UUID
	Cards []Card
	// Categories reads all categories, Texts the whole entries of the cards.
	Categories, Texts bool
	// Lists are names of lists whose cards are counted.
	Lists []string
}

// Surroundings are what is shown with cards.
type Surroundings struct {
	// Categories are all, in their order.
	Categories []Page
	// Pictures of the cards, by the ids of their assets.
	Pictures map[string]Picture
	// Standings of the cards, by kind and id.
	Standings map[Kind]map[string]UserItemState
	// Texts are the entries of the cards, by id.
	Texts map[string]Page
	// Counts are the numbers of cards in lists, by name; a list that never had a card is missing.
	Counts map[string]int
}

// Listed is one page of a list, with all categories in their order.
type Listed struct {
	Cards []Card
	// Cursors are the cards' places in the list.
	Cursors    []Cursor
	Categories []Page
}

// HomePages are what Home begins with.
type HomePages struct {
	// Quotes are those of the day: one, or none.
	Quotes []Page
	// Missions have the title and the text of Home; the first counts.
	Missions []Page
	// Items lead to meditations; Categories are all. Both are in their order.
	Items, Categories []Page
	// Newest articles, and the Meditations that Items lead to.
	Newest, Meditations []Card
}

// Leads are the ids of the meditations that the items lead to.
func (h HomePages) Leads() (ids []string) {
	for _, item := range h.Items {
		ids = append(ids, item.Link("meditation"))
	}
	return ids
}

// Beginnings are those of the items whose meditations the reader gets, in their order, and these meditations.
func (h HomePages) Beginnings(to auth.Subject) (items []Page, meditations []Card) {
	for _, item := range h.Items {
		for _, c := range h.Meditations {
			if c.ID == item.Link("meditation") && c.Shown(to) {
				items, meditations = append(items, item), append(meditations, c)
			}
		}
	}
	return items, meditations
}
