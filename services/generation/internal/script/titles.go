package script

import (
	"maps"
	"slices"
	"strings"

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
	lib.themesIn, lib.picturesIn = lib.indexOf(lib.themes, known), lib.indexOf(lib.images, known)
}

// indexOf the sheets by their keywords, with the sayings. A word that is known is no slip of one.
func (lib *library) indexOf(sheets map[string]*sheet, known func(word string) bool) *topic.Index {
	var topics []topic.Keywords
	for _, id := range slices.Sorted(maps.Keys(sheets)) {
		topics = append(topics, topic.Keywords{Topic: id, Strong: sheets[id].keywords, Weak: sheets[id].weak})
	}
	return topic.NewIndex(append(topics, topic.Keywords{Strong: lib.sayings}), known)
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

// risky are the pictures that a title in doubt does not have by its name: what they show may be what is meant to end it.
var risky = strings.Fields("boathouse bridge harbour lake lighthouse mountain river sea train waterfall")

// pictureOf is the picture that the title names. It is empty for a title that names none, and for one that is not quoted, since what it
// names may be what hurts; except where a title that is merely in doubt names the picture and nothing else, and no risky one.
func (lib *library) pictureOf(title string, found safety.Finding) string {
	title = foldAccents(title)
	named := lib.picturesIn.Find(title)
	if len(named) == 0 {
		return ""
	}
	if found.Quotable() || !found.Sensitive() && isHarmless(named[0], title) {
		return named[0].Topic
	}
	return ""
}

// isHarmless says that a title names a picture and nothing else, and no risky one.
func isHarmless(picture topic.Found, title string) bool {
	return picture.IsAll(title) && !slices.Contains(risky, picture.Topic)
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
