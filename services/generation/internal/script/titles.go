package script

import (
	"maps"
	"slices"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/script/topic"
)

// maxThemes of one title: "exam, and I cannot sleep" speaks of two things.
const maxThemes = 2

// indexTitles makes the indices by which titles name themes and pictures.
func (lib *library) indexTitles() {
	spoken := map[string]bool{}
	for line := range lib.known {
		for _, word := range topic.Words(line) {
			spoken[word] = true
		}
	}
	known := func(word string) bool { return spoken[word] }
	lib.themesIn, lib.picturesIn = indexOf(lib.themes, known), indexOf(lib.images, known)
}

// indexOf the sheets by their keywords. A word that is known is no slip of one.
func indexOf(sheets map[string]*sheet, known func(word string) bool) *topic.Index {
	var topics []topic.Keywords
	for _, id := range slices.Sorted(maps.Keys(sheets)) {
		topics = append(topics, topic.Keywords{Topic: id, Strong: sheets[id].keywords, Weak: sheets[id].weak})
	}
	return topic.NewIndex(topics, known)
}

// themesOf finds what the title speaks of, what it speaks of most first. A title that needs care speaks of that alone.
// A second theme must be sure. Empty where no word is known.
func (lib *library) themesOf(title string, found safety.Finding) (themes []string) {
	switch {
	case found.Topic != "":
		return []string{found.Topic}
	case found.Sensitive():
		return []string{string(found.Class)}
	}
	for i, f := range lib.themesIn.Find(foldAccents(title)) {
		if i == 0 || f.Sure() && len(themes) < maxThemes {
			themes = append(themes, f.Topic)
		}
	}
	return themes
}

// pictureOf is the picture that the title names. It is empty for a title that names none, and for one that is never
// quoted: what it names may be what hurts.
func (lib *library) pictureOf(title string, found safety.Finding) string {
	named := lib.picturesIn.Find(foldAccents(title))
	if !found.Quotable() || len(named) == 0 {
		return ""
	}
	return named[0].Topic
}

// picturesFor are the images that suit: those of what the title speaks of, or else of the type. At night they suit the night
// too.
func (lib *library) picturesFor(typeID string, theme *sheet, sleep bool) []string {
	suits := lib.types[typeID].images
	if theme != nil {
		suits = theme.images
	}
	if !sleep {
		return suits
	}
	night := lib.types[nightType].images
	both := slices.DeleteFunc(slices.Clone(suits), func(image string) bool { return !slices.Contains(night, image) })
	if len(both) == 0 {
		return night
	}
	return both
}
