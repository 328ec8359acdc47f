package script

import (
	"slices"
	"strings"
)

// What stands beside "like" where it compares nothing: "if you like", "whatever the body likes best", "something like this".
// Behind the last four, "like a" compares all the same: "hold it like a bird".
var (
	likers  = []string{"you", "i", "we", "they", "would"}
	neutral = []string{"it", "body", "rest", "else"}
	liked   = []string{",", "to", "it", "that", "this", "best"}
)

// simile says that a sentence compares: "like a coin", "as if", "as though", "the way you …", "as an owl does",
// "as you would …", "as plain as a table". It is made for Serein's own words and need not know any others.
func simile(text string) bool {
	// A comma parts clauses, so it stands as a word: "without you, like a quarrel", "if you like, a cushion".
	words := strings.Fields(strings.ToLower(strings.NewReplacer(",", " ,", ".", "", "?", "", ":", " ,").Replace(text)))
	at := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return words[i]
	}
	for i, word := range words {
		switch next := at(i + 1); word {
		case "like":
			if likens(at(i-1), next) {
				return true
			}
		case "as":
			if next == "if" || next == "though" || isArticle(next) && isDoing(at(i+3)) || next == "you" && isSupposed(at(i+2)) || at(i+2) == "as" && isArticle(at(i+3)) {
				return true
			}
		case "way":
			if at(i-1) == "the" && (isArticle(next) || next == "you" || next == "the" || next == "one") {
				return true
			}
		}
	}
	return false
}

// likens says that "like" compares between those two words.
func likens(before, next string) bool {
	switch {
	case next == "" || slices.Contains(likers, before) || slices.Contains(liked, next):
		return false
	default:
		return isArticle(next) || !slices.Contains(neutral, before)
	}
}

func isArticle(word string) bool { return word == "a" || word == "an" }

func isSupposed(word string) bool { return word == "would" || word == "might" }

func isDoing(word string) bool {
	return slices.Contains([]string{"do", "does", "is"}, word) || isSupposed(word)
}

const (
	// similesApart is how many sentences lie between two that compare: of three sentences in a row one at most.
	similesApart = 2
	// broken is the state after two comparisons that stand too close.
	broken = -1
)

// since is the state of a script being spoken: how many sentences ago the last comparison was, similesApart for that many or more.
// after answers the state behind one more sentence.
func after(since int, l line) int {
	switch {
	case since == broken || l.simile && since < similesApart:
		return broken
	case l.simile:
		return 0
	default:
		return min(since+1, similesApart)
	}
}
