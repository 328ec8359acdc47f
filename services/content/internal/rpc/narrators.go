package rpc

import (
	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/reading"
)

// Narrators are the names of those who read to members.
type Narrators struct{ byID, byType map[string]string }

// NewNarrators knows those of the catalogue's types.
func NewNarrators(offer catalogue.Catalogue) Narrators {
	n := Narrators{map[string]string{}, map[string]string{}}
	for _, t := range offer.Types {
		n.byID[t.Narrator.ID], n.byType[t.ID], n.byType[t.Name] = t.Narrator.Name, t.Narrator.Name, t.Narrator.Name
	}
	return n
}

// articles is the narrator of all articles: generation's default.
const articles = "maren"

// Of is the narrator's name: the editor's choice for a meditation, else the narrator of its type.
func (n Narrators) Of(c reading.Card) string {
	if c.Kind == reading.Article {
		return n.byID[articles]
	}
	if name, known := n.byID[c.Voice]; known {
		return name
	}
	return n.byType[c.Type]
}
