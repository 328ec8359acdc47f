// Package alike tells sentences that sound like a repetition. Serein's own writer avoids them, and those of others are refused.
package alike

import (
	"strings"
	"unicode"
)

const (
	// nearlySame is how many words may differ between sentences that sound like a repetition.
	nearlySame = 2
	// tooShortToTell: shorter sentences repeat each other only when they are equal.
	tooShortToTell = 4
)

// Same says that two sentences, given as Bare, are the same but for a word or two.
func Same(x, y []string) bool {
	allowed := nearlySame
	if min(len(x), len(y)) < tooShortToTell {
		allowed = 0
	}
	return distance(x, y) <= allowed
}

// Bare are a sentence's words in small letters, without its marks.
func Bare(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
}

// distance is how many words must be added, dropped or exchanged; counted no further than matters.
func distance(x, y []string) int {
	if gap := len(x) - len(y); gap > nearlySame || gap < -nearlySame {
		return nearlySame + 1
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(y)]
}
