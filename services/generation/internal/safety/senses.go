package safety

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"

	"serein.app/services/generation/internal/safety/linear"
)

//go:embed senses.txt
var sensesText string

// senses of words, by their stems.
var senses = sync.OnceValue(func() map[string][]string {
	of := map[string][]string{}
	for line := range strings.Lines(sensesText) {
		sense, words, _ := strings.Cut(line, ":")
		if strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(words) {
			if stem := stemmed(squeeze(word)); !slices.Contains(of[stem], sense) {
				of[stem] = append(of[stem], sense)
			}
		}
	}
	return of
})

// longestStemmed is the length of the longest words, in bytes, that have a stem.
const longestStemmed = 30

// stemmed is a squeezed word without its ending. What is too long for a word stays as it is: it would take long.
func stemmed(word string) string {
	if len(word) > longestStemmed {
		return word
	}
	return english.Stem(word, false)
}

// known are squeezed words with their stems and senses.
func known(words []string) []linear.Word {
	out := make([]linear.Word, len(words))
	for i, word := range words {
		stem := stemmed(word)
		out[i] = linear.Word{Text: word, Stem: stem, Senses: senses()[stem]}
	}
	return out
}
