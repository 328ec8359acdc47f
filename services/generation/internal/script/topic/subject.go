package topic

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Subject is a title as a narrator can name it to the member; at most one of the two is set.
type Subject struct {
	// Thing is what the title names: "your driving test", "letting go of your ex".
	Thing string
	// Time is when the title lies: "before your wedding".
	Time string
}

// longest subject that a narrator can say in one breath, in words.
const maxWords = 8

//go:embed words.txt
var wordsFile string

// wordLists are the lists of words.txt by their names.
var wordLists = sync.OnceValue(func() map[string]map[string]bool {
	lists := map[string]map[string]bool{}
	for line := range strings.Lines(wordsFile) {
		name, words, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		if lists[name] == nil {
			lists[name] = map[string]bool{}
		}
		for _, word := range strings.Fields(words) {
			lists[name][word] = true
		}
	}
	return lists
})

func is(list, word string) bool { return wordLists()[list][word] }

// Name turns the title to the member. It is empty for a sentence and for words that no list of words.txt has: no narrator
// could name them without sounding wrong.
func Name(title string) Subject {
	words := turned(spoken(title))
	if len(words) == 0 || len(words) > maxWords || slices.ContainsFunc(words, unknown) {
		return Subject{}
	}
	if !is("when", words[0]) {
		return Subject{Thing: named(words)}
	}
	if thing := named(words[1:]); thing != "" {
		return Subject{Time: words[0] + " " + thing}
	}
	return Subject{}
}

// spoken are the words of a title without the marks around it and its pictures.
func spoken(title string) []string {
	return slices.DeleteFunc(strings.Fields(strings.ToLower(strings.Trim(title, " .!?,"))), func(word string) bool {
		return !strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

func unknown(word string) bool {
	lists := []string{"joint", "article", "when", "day", "quality", "particle"}
	return !noun(word) && !slices.ContainsFunc(lists, func(list string) bool { return is(list, word) })
}

// noun says whether things are named by the word.
func noun(word string) bool {
	return is("your", word) || is("bare", word) || is("doing", word) || is("occasion", word) || plural(word)
}

// plural of a noun that one says "your" to.
func plural(word string) bool {
	one := func(end, instead string) bool {
		stem, ok := strings.CutSuffix(word, end)
		return ok && (is("your", stem+instead) || is("occasion", stem+instead))
	}
	return one("s", "") || one("es", "") || one("ies", "y")
}

// turned to the member: what was mine is yours.
func turned(words []string) []string {
	yours := map[string]string{"my": "your", "our": "your", "me": "you", "us": "you", "myself": "yourself", "mine": "yours"}
	turned := slices.Clone(words)
	for i, word := range turned {
		if other, ok := yours[word]; ok {
			turned[i] = other
		}
	}
	return turned
}

// named is the name of a thing with its article. Empty where the words name none.
func named(words []string) string {
	head, whole := headOf(words), written(words)
	switch {
	case head == "":
		return ""
	case is("article", words[0]), is("bare", head), is("doing", words[0]) && !is("occasion", head):
		return whole
	case is("doing", head):
		return ""
	default:
		return "your " + whole
	}
}

// written are the words with their capitals.
func written(words []string) string {
	written := slices.Clone(words)
	for i, word := range written {
		if is("proper", word) {
			written[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(written, " ")
}

// headOf is the noun that the words up to the first joint are about: in "the exam on Friday" the exam. Empty without one.
func headOf(words []string) string {
	if len(words) == 0 || is("joint", words[len(words)-1]) || is("article", words[len(words)-1]) {
		return ""
	}
	end := slices.IndexFunc(words, func(word string) bool { return is("joint", word) || is("when", word) })
	if end < 0 {
		end = len(words)
	}
	for end > 1 && (is("day", words[end-1]) || is("particle", words[end-1])) {
		end--
	}
	if end == 0 || !noun(words[end-1]) {
		return ""
	}
	return words[end-1]
}
