// Package topic says what a title speaks of, and by which words a narrator can name it.
//
// It knows words and phrases by their stems. It owns no texts of meditations and no rules of care: those are package
// script's and package safety's.
package topic

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// Weights of a word of a phrase. A weak word alone is enough where a title has nothing else.
const (
	strongWord = 4
	weakWord   = 1
)

// Keywords are the words and phrases by which titles name one topic: lower case, without accents.
type Keywords struct {
	Topic        string
	Strong, Weak []string
}

// Index finds topics in titles.
type Index struct {
	// phrases by their first stem.
	phrases map[string][]phrase
	// keywords are all words of the phrases, longKeywords those that have slips, in alphabetical order.
	keywords     map[string]bool
	longKeywords []string
	// known says of a word that it is no slip.
	known func(word string) bool
}

type phrase struct {
	topic string
	stems []string
	// weight of each of the stems.
	weight int
}

// Found is a topic of a title. Score grows with the words that speak of it.
type Found struct {
	Topic string
	Score int
	// at is the place of its first word.
	at int
}

// Sure says that more than weak words speak of the topic.
func (f Found) Sure() bool { return f.Score >= strongWord }

// NewIndex of the topics. A phrase that two of them have is the first one's. A word of a title that is neither a keyword nor
// known is taken for the keyword that it is a slip of.
func NewIndex(topics []Keywords, known func(word string) bool) *Index {
	x := &Index{phrases: map[string][]phrase{}, keywords: map[string]bool{}, known: known}
	for _, k := range topics {
		x.add(k.Topic, k.Strong, strongWord)
		x.add(k.Topic, k.Weak, weakWord)
	}
	for _, word := range slices.Sorted(maps.Keys(x.keywords)) {
		if len(word) >= minSlip {
			x.longKeywords = append(x.longKeywords, word)
		}
	}
	return x
}

func (x *Index) add(topic string, keywords []string, weight int) {
	for _, keyword := range keywords {
		words := Words(keyword)
		if len(words) == 0 {
			continue
		}
		for _, word := range words {
			x.keywords[word] = true
		}
		of := stems(words)
		x.phrases[of[0]] = append(x.phrases[of[0]], phrase{topic, of, weight})
	}
}

// Find returns the topics of the title, the one that most of its words speak of first, and of two equal ones that
// which comes first in the title.
func (x *Index) Find(title string) []Found {
	found := map[string]Found{}
	stems := stems(x.spelled(Words(title)))
	for at := 0; at < len(stems); {
		p, ok := x.longest(stems[at:])
		if !ok {
			at++
			continue
		}
		f, again := found[p.topic]
		if !again {
			f = Found{Topic: p.topic, at: at}
		}
		// A phrase says more than its words one by one.
		f.Score += p.weight * (2*len(p.stems) - 1)
		found[p.topic] = f
		at += len(p.stems)
	}
	return sorted(found)
}

// longest phrase that the stems begin with, of two equal ones the strong one.
func (x *Index) longest(stems []string) (best phrase, ok bool) {
	for _, p := range x.phrases[stems[0]] {
		if len(p.stems) > len(stems) || !slices.Equal(p.stems, stems[:len(p.stems)]) {
			continue
		}
		if len(p.stems) > len(best.stems) || len(p.stems) == len(best.stems) && p.weight > best.weight {
			best, ok = p, true
		}
	}
	return best, ok
}

func sorted(found map[string]Found) []Found {
	all := make([]Found, 0, len(found))
	for _, f := range found {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b Found) int {
		return cmp.Or(b.Score-a.Score, a.at-b.at, strings.Compare(a.Topic, b.Topic))
	})
	return all
}

// Words of a text, in lower case and in order. An apostrophe belongs to its word and is left out, a hyphen parts two.
func Words(text string) []string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	words := make([]string, 0, len(fields))
	for _, word := range fields {
		word = strings.TrimSuffix(strings.Trim(word, "'"), "'s")
		if word = strings.ReplaceAll(word, "'", ""); word != "" {
			words = append(words, word)
		}
	}
	return words
}

func stems(words []string) []string {
	stems := make([]string, len(words))
	for i, word := range words {
		stems[i] = stem(word)
	}
	return stems
}

// stem of a word. An evening is not even.
func stem(word string) string {
	if strings.HasPrefix(word, "evening") {
		return "evening"
	}
	return english.Stem(word, true)
}
