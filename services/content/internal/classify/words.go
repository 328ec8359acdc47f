package classify

import (
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// word is a word of a text: as it was written but for case, accents and apostrophes, and its stem.
type word struct{ form, stem string }

// passages cuts a text into runs of words that no punctuation interrupts, so that a phrase is never
// found across the end of a sentence. A hyphen counts as a space.
func passages(text string) [][]word {
	var all [][]word
	for _, run := range strings.FieldsFunc(fold(text), interrupts) {
		if words := wordsOf(run); len(words) > 0 {
			all = append(all, words)
		}
	}
	return all
}

func wordsOf(run string) []word {
	fields := strings.FieldsFunc(run, separates)
	words := make([]word, len(fields))
	for i, form := range fields {
		words[i] = word{form: form, stem: english.Stem(form, true)}
	}
	return words
}

// fold takes away case, accents and apostrophes: "Café" and "CAFE" are one word, as are "don’t",
// "don't" and "dont".
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' || r == '‘' || r == 'ʼ' {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
}

func interrupts(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !separates(r) || r == '\n'
}

func separates(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) && r != '—' && r != '–'
}
