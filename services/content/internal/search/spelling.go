package search

import "unicode/utf8"

// A word with one letter wrong and the right one have a spelling in common that lacks a letter of each, or one of
// them is such a spelling of the other (Garbe, "symmetric delete"). So an index of each word's spellings finds all words
// that are one error away with a few exact look-ups.

const (
	// leastForgiven is how many letters a word must have for an error in it to be forgiven.
	leastForgiven = 4
	// leastMistyped is what such a word has at least when a letter was left out.
	leastMistyped = leastForgiven - 1
)

// Spellings are a word and what is left of it without one of its letters, each once; none where the word is too
// short for an error to be forgiven.
func Spellings(word string) []string {
	if utf8.RuneCountInString(word) < leastForgiven {
		return nil
	}
	return spellings(word)
}

func spellings(word string) []string {
	all := []string{word}
	last := ""
	for i, r := range word {
		without := word[:i] + word[i+utf8.RuneLen(r):]
		if without != last { // of equal letters side by side it does not matter which one goes
			all = append(all, without)
		}
		last = without
	}
	return all
}

// Forgiven are the words that each of some may be with one typing error, those of the same rules as in a search of everything;
// look finds the known words that have one of the spellings.
func Forgiven(words []string, look func(spellings []string) ([]string, error)) (map[string][]string, error) {
	all := make([]wanted, len(words))
	for i, word := range words {
		all[i].word = word
	}
	longestFirst(all)
	candidates, err := look(spellingsOf(mayBeMistyped(all)))
	if err != nil {
		return nil, err
	}
	complete(all, nil, candidates)
	forgiven := map[string][]string{}
	for _, w := range all {
		if len(w.mistyped) > 0 {
			forgiven[w.word] = w.mistyped
		}
	}
	return forgiven, nil
}

// near says whether one typing error leads from one word to the other: a letter changed, left out, added, or two
// neighbours in the wrong order.
func near(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	same := 0
	for same < len(x) && x[same] == y[same] {
		same++
	}
	x, y = x[same:], y[same:]
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	switch {
	case len(y) == 1:
		return len(x) <= 1
	case len(x) == 2 && len(y) == 2:
		return x[0] == y[1] && x[1] == y[0]
	default:
		return false
	}
}
