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

// exactly stands before a keyword that is meant in this form alone.
const exactly = "="

// Keywords are the words and phrases by which titles name one topic: lower case, without accents. They stand for all words of
// their stems; with "=" before them, only for themselves: "=weeding" is not weed. Keywords without a topic are sayings, which name
// something else than their words do.
type Keywords struct {
	Topic        string
	Strong, Weak []string
}

// Index finds topics in titles.
type Index struct {
	// phrases by their first stem.
	phrases map[string][]phrase
	// keywords are all words of the phrases, keyStems their stems, longKeywords those that have slips, in alphabetical order.
	keywords, keyStems map[string]bool
	longKeywords       []string
	// known says of a word that it is no slip.
	known func(word string) bool
}

type phrase struct {
	topic string
	stems []string
	// words are what must stand in the title, letter by letter; nil where all words of the stems will do.
	words []string
	// weight of each of the stems.
	weight int
}

// Found is a topic of a title. Score grows with the words that speak of it.
type Found struct {
	Topic string
	Score int
	// Words is how many words speak of it.
	Words int
	// at is the place of its first word.
	at int
}

// Sure says that more than weak words speak of the topic.
func (f Found) Sure() bool { return f.Score >= strongWord }

// NewIndex of the topics. A phrase that two of them have is the first one's. A word of a title that is neither a keyword nor
// known is taken for the keyword that it is a slip of.
func NewIndex(topics []Keywords, known func(word string) bool) *Index {
	x := &Index{phrases: map[string][]phrase{}, keywords: map[string]bool{}, keyStems: map[string]bool{}, known: known}
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
			x.keywords[word], x.keyStems[stem(word)] = true, true
		}
		p := phrase{topic: topic, stems: stems(words), weight: weight}
		if strings.HasPrefix(keyword, exactly) {
			p.words = words
		}
		x.phrases[p.stems[0]] = append(x.phrases[p.stems[0]], p)
	}
}

// Find returns the topics of the title, the one that most of its words speak of first, and of two equal ones that
// which comes first in the title.
func (x *Index) Find(title string) []Found {
	found := map[string]Found{}
	words := x.spelled(Words(title))
	stems := stems(words)
	for at := 0; at < len(stems); {
		p, ok := x.longest(words[at:], stems[at:])
		if !ok {
			at++
			continue
		}
		if p.topic != "" {
			found[p.topic] = found[p.topic].with(p, at)
		}
		at += len(p.stems)
	}
	return sorted(found)
}

// with adds a phrase of the topic that stands at a place of the title.
func (f Found) with(p phrase, at int) Found {
	if f.Topic == "" {
		f = Found{Topic: p.topic, at: at}
	}
	// A phrase says more than its words one by one.
	f.Score += p.weight * (2*len(p.stems) - 1)
	f.Words += len(p.stems)
	return f
}

// beats says whether a phrase says more of the words that both begin: the longer one does, of two equal ones that which is meant in this
// form alone, and then the strong one.
func (p phrase) beats(other phrase) bool {
	exact, otherExact := p.words != nil, other.words != nil
	switch {
	case len(p.stems) != len(other.stems):
		return len(p.stems) > len(other.stems)
	case exact != otherExact:
		return exact
	default:
		return p.weight > other.weight
	}
}

// longest phrase that the words with these stems begin with.
func (x *Index) longest(words, stems []string) (best phrase, ok bool) {
	for _, p := range x.phrases[stems[0]] {
		n := len(p.stems)
		if n > len(stems) || !slices.Equal(p.stems, stems[:n]) || p.words != nil && !slices.Equal(p.words, words[:n]) {
			continue
		}
		if !ok || p.beats(best) {
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

// Words of a text, in lower case and in order. An apostrophe belongs to its word and is left out, a hyphen parts two. What stands for
// "is" and "will" is left out too: she'll is no shell.
func Words(text string) []string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	words := make([]string, 0, len(fields))
	for _, word := range fields {
		word = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(word, "'"), "'s"), "'ll")
		if word = strings.ReplaceAll(word, "'", ""); word != "" {
			words = append(words, word)
		}
	}
	return words
}

// IsAll says that the title speaks of nothing but this: all its words do, but for articles and the like.
func (f Found) IsAll(title string) bool {
	small := func(word string) bool { return is("article", word) || is("joint", word) }
	return f.Words >= len(slices.DeleteFunc(Words(title), small))
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
