package search

import "slices"

// Kind of an item.
type Kind string

// The kinds, in the order in which they are answered.
const (
	Bespoke    Kind = "bespoke"
	Article    Kind = "article"
	Meditation Kind = "meditation"
)

// Kinds are all of them.
var Kinds = []Kind{Bespoke, Article, Meditation}

// Item is what can be found.
type Item struct {
	Kind Kind
	ID   string
	// UID is the owner of a member's own meditation; empty for published items.
	UID string
	// Title and Text are plain words.
	Title, Text string
	Slug        string // of an article
	// Categories are ids, the first the one that is shown; Confidence is that one's, in per cent.
	Categories []string
	Confidence int
	Immersive  bool
	Seconds    int // of its sound; 0 without a sound
	// Unverified: admins alone find it.
	Unverified bool
	// Marked: its member has marked it deleted. Only a search among deleted meditations finds it.
	Marked bool
}

// Place is where a term of an item stands.
type Place int16

// The places. They are kept: their numbers do not change.
const (
	// InTitle and InText are words; those of the title count as the text's too.
	InTitle Place = iota + 1
	InText
	// BeginsTitle and BeginsText are what words begin with, up to shortPrefix letters.
	BeginsTitle
	BeginsText
	// OfKind holds the published items, by kind; OfMember one member's own, by ownedBy.
	OfKind
	OfMember
	InCategory
	// IsUnverified has one term, which is empty.
	IsUnverified
)

// shortPrefix is how many letters of a word's beginning are kept as a term of their own: with fewer letters too many
// words begin for each to be looked up.
const shortPrefix = 3

// Term is something by which items are found.
type Term struct {
	Place Place
	Word  string
}

// ownedBy is the word of a member's own: their uid, and another word where it is marked deleted.
func ownedBy(uid string, marked bool) string {
	if marked {
		return "marked " + uid
	}
	return uid
}

// Terms of an item, each once.
func (i Item) Terms() []Term {
	found := map[Term]struct{}{}
	add := func(p Place, word string) { found[Term{p, word}] = struct{}{} }
	addWords := func(text string, word, beginning Place) {
		for _, w := range Words(text) {
			if _, there := found[Term{word, w.Folded}]; there {
				continue
			}
			add(word, w.Folded)
			for n := 1; n <= shortPrefix; n++ {
				add(beginning, firstLetters(w.Folded, n))
			}
		}
	}
	addWords(i.Title, InTitle, BeginsTitle)
	addWords(i.Title, InText, BeginsText)
	addWords(i.Text, InText, BeginsText)
	if i.UID != "" {
		add(OfMember, ownedBy(i.UID, i.Marked))
	} else {
		add(OfKind, string(i.Kind))
	}
	for _, id := range i.Categories {
		add(InCategory, id)
	}
	if i.Unverified {
		add(IsUnverified, "")
	}
	terms := make([]Term, 0, len(found))
	for t := range found {
		terms = append(terms, t)
	}
	slices.SortFunc(terms, compareTerms)
	return terms
}

// Compare says which terms an item has got and lost; both are in the order of Terms.
func Compare(before, after []Term) (added, removed []Term) {
	for len(before) > 0 && len(after) > 0 {
		switch c := compareTerms(before[0], after[0]); {
		case c == 0:
			before, after = before[1:], after[1:]
		case c < 0:
			removed, before = append(removed, before[0]), before[1:]
		default:
			added, after = append(added, after[0]), after[1:]
		}
	}
	return append(added, after...), append(removed, before...)
}
