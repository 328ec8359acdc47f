package safety

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"

	"serein.app/services/generation/internal/safety/linear"
)

// senseFiles say what words mean. The head of common.txt explains how they are written.
//
//go:embed senses/*.txt
var senseFiles embed.FS

// lexicon has the senses of words and of phrases, by their stems; those of a phrase have a blank between them.
type lexicon struct {
	words, phrases map[string][]string
	// longest is the most words of a phrase that begins with a stem.
	longest map[string]int
}

var senses = sync.OnceValue(func() lexicon {
	read := lexicon{map[string][]string{}, map[string][]string{}, map[string]int{}}
	files, err := senseFiles.ReadDir("senses")
	for _, file := range files {
		text, failed := senseFiles.ReadFile("senses/" + file.Name())
		if failed != nil {
			err = failed
		}
		for sense, words := range senseLines(string(text)) {
			for word := range strings.FieldsSeq(words) {
				read.add(word, sense)
			}
		}
	}
	if err != nil {
		panic(err) // the files are part of the program
	}
	return read
})

// senseLines are the lines of a text that are no comment: a sense and its words.
func senseLines(text string) func(yield func(sense, words string) bool) {
	return func(yield func(sense, words string) bool) {
		for line := range strings.Lines(text) {
			sense, words, ok := strings.Cut(line, ":")
			if ok && !strings.HasPrefix(line, "#") && !yield(sense, words) {
				return
			}
		}
	}
}

// add gives a sense to a word, or to a phrase of words with "_" between them. The words of a phrase are read as those of a title.
func (l *lexicon) add(word, sense string) {
	of, stems := l.words, []string(nil)
	for _, part := range rewrite(strings.Split(word, "_")) {
		stems = append(stems, stemmed(part))
	}
	if len(stems) == 0 {
		return // nothing but words that change nothing, and a test finds it
	}
	if len(stems) > 1 {
		of = l.phrases
		l.longest[stems[0]] = max(l.longest[stems[0]], len(stems))
	}
	if key := strings.Join(stems, " "); !slices.Contains(of[key], sense) {
		of[key] = append(of[key], sense)
	}
}

// phrase that begins with the first of some words: its length and senses; of several the longest, and 0 words where none does.
func (l *lexicon) phrase(words []linear.Word) (length int, senses []string) {
	longest := min(l.longest[words[0].Stem], len(words))
	stems := make([]string, 0, longest)
	for _, word := range words[:longest] {
		stems = append(stems, word.Stem)
	}
	for length = len(stems); length > 1; length-- {
		if senses, ok := l.phrases[strings.Join(stems[:length], " ")]; ok {
			return length, senses
		}
	}
	return 0, nil
}

// longestStemmed is the length of the longest words, in bytes, that have a stem.
const longestStemmed = 30

// stemmed is a squeezed word without its ending. What is too long for a word stays as it is: it would take long.
func stemmed(word string) string {
	if len(word) > longestStemmed {
		return word
	}
	return english.Stem(word, false)
}

// known are squeezed words with their stems and senses. The first word of a phrase has the senses of the phrase, and the
// others have no sense.
func known(words []string) []linear.Word {
	out := make([]linear.Word, len(words))
	for i, word := range words {
		out[i] = linear.Word{Text: word, Stem: stemmed(word)}
	}
	of := senses()
	for i := 0; i < len(out); {
		length, means := of.phrase(out[i:])
		if length == 0 {
			length, means = 1, of.words[out[i].Stem]
		}
		out[i].Senses = means
		i += length
	}
	return out
}
