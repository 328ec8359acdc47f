package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

func compareTerms(a, b Term) int {
	return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Word, b.Word))
}

// wanted is one word of a query with everything that stands for it.
type wanted struct {
	word string
	// open: it may be the beginning of a word, since nothing follows it.
	open bool
	// longer are the words that begin with an unfinished last word that is too long to have its own term.
	longer []string
	// mistyped are words that it may be with one typing error.
	mistyped []string
}

// parse reads the words of a query, each once, the longest first: those are in the fewest items.
func parse(text string) []wanted {
	words := Words(text)
	var all []wanted
	for i, w := range words {
		last := i == len(words)-1
		if at := slices.IndexFunc(all, func(other wanted) bool { return other.word == w.Folded }); at >= 0 {
			all[at].open = all[at].open || last
			continue
		}
		all = append(all, wanted{word: w.Folded, open: last})
	}
	longestFirst(all)
	return all
}

func longestFirst(all []wanted) {
	slices.SortStableFunc(all, func(a, b wanted) int {
		return cmp.Compare(utf8.RuneCountInString(b.word), utf8.RuneCountInString(a.word))
	})
}

// maxForgiven is how many words of a query may have an error each, the longest ones.
const maxForgiven = 10

// mayBeMistyped are the words of which right ones are looked for.
func mayBeMistyped(all []wanted) []wanted {
	n := 0
	for n < len(all) && n < maxForgiven && utf8.RuneCountInString(all[n].word) >= leastMistyped {
		n++
	}
	return all[:n]
}

// spellingsOf are what the right words and these ones may have in common.
func spellingsOf(all []wanted) (keys []string) {
	for _, w := range all {
		keys = append(keys, spellings(w.word)...)
	}
	return keys
}

// beginning is what has to be looked up in the list of words; empty where there is nothing to look up.
func beginning(all []wanted) string {
	for _, w := range all {
		if w.open && utf8.RuneCountInString(w.word) > shortPrefix {
			return w.word
		}
	}
	return ""
}

// complete adds what was looked up.
func complete(all []wanted, longer, candidates []string) {
	for i := range mayBeMistyped(all) {
		for _, word := range candidates {
			if near(word, all[i].word) {
				all[i].mistyped = append(all[i].mistyped, word)
			}
		}
	}
	for i := range all {
		if all[i].open {
			all[i].longer = longer
		}
	}
}

// terms by which the word is found as it stands there, at these places.
func (w wanted) terms(word, beginning Place) []Term {
	terms := []Term{{word, w.word}}
	if !w.open {
		return terms
	}
	if utf8.RuneCountInString(w.word) <= shortPrefix {
		return append(terms, Term{beginning, w.word})
	}
	return append(terms, termsAt(word, w.longer)...)
}

func termsAt(p Place, words []string) []Term {
	terms := make([]Term, len(words))
	for i, word := range words {
		terms[i] = Term{p, word}
	}
	return terms
}

// means says whether a word of a text is one that was asked for.
func (w wanted) means(folded string) bool {
	return folded == w.word || w.open && strings.HasPrefix(folded, w.word) || slices.Contains(w.mistyped, folded)
}
