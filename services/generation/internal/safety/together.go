package safety

import (
	"slices"
	"strings"
	"sync"
)

// phrases are found however their letters are parted: "wanttodie", "k ill mys elf", "su icide". Only
// where their letters are not parted as here; that is left to the rules.
var phrases = []string{
	"kill myself", "killing myself", "killed myself", "kill yourself", "kill me now", "want to die", "wanted to die", "wanna die", "want to be dead",
	"want to end it", "want to kill", "end my life", "ending my life", "end it all", "ending it all", "take my life", "take my own life",
	"hurt myself", "hurting myself", "harm myself", "cut myself", "cutting myself", "hate myself", "hate my life", "hang myself", "shoot myself",
	"off myself", "dont want to live", "dont wanna live", "dont want to be here", "dont want to be alive", "dont want to wake up",
	"dont want to exist", "no reason to live", "suicide", "suicidal", "suicide note", "unalive", "unaliving", "self harm", "self harming", "better off dead", "wish i was dead",
	"wish i were dead", "wish i was never born", "wish i was gone", "slit my wrists", "cut my wrists", "cant go on", "cant do this anymore",
	"cant live like this", "tired of living", "tired of life", "tired of being alive", "want to disappear", "i want death", "ready to die",
	"let me die", "overdose", "i was raped", "he raped me", "he hits me", "he beats me", "no point living", "no will to live", "i am worthless",
}

// beside are words that may touch a phrase: "iwanttodietonight".
var beside = []string{
	"i", "im", "ive", "id", "just", "to", "so", "really", "please", "gonna", "going", "dont", "not", "me", "my", "wanna", "want", "now",
	"tonight", "today", "anymore", "all", "and", "the", "lol", "pls", "help", "am", "feel", "feeling", "like", "thinking", "of", "about", "again",
	"this", "here", "be", "is", "a", "it", "will", "should", "might", "u", "you", "go", "gotta", "need", "he", "she", "die", "kill", "self",
	"myself", "life", "live", "wish", "was", "dead", "end", "hate", "hurt", "cut", "do", "cant", "no", "on", "how", "suicide", "kms", "kys",
}

// run is text without spaces and doubled letters, and the places where a word may begin or end.
type run struct {
	text         string
	begins, ends []bool
	// word[i] is the number of the word that letter i belongs to, the first of two that share it.
	word  []int
	words []string
}

func newRun(words []string) run {
	r := run{words: words}
	var b []byte
	for n, word := range words {
		for i := range len(word) {
			if len(b) == 0 || b[len(b)-1] != word[i] {
				b = append(b, word[i])
				r.begins, r.ends, r.word = append(r.begins, false), append(r.ends, false), append(r.word, n)
			}
			if i == 0 {
				r.begins[len(b)-1] = true
			}
		}
		if word != "" {
			r.ends[len(b)-1] = true
		}
	}
	r.text = string(b)
	return r
}

var phraseRuns = sync.OnceValue(func() (runs []run) {
	for _, phrase := range phrases {
		runs = append(runs, newRun(strings.Fields(phrase)))
	}
	return runs
})

// besideWords squeezed, and the longest of them in bytes.
var besideWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, word := range beside {
		words[squeeze(word)] = true
	}
	for _, phrase := range phrases {
		for word := range strings.FieldsSeq(phrase) {
			words[squeeze(word)] = true
		}
	}
	return words
})

// runTogether are the words of the phrases that stand in these tokens with their letters parted in
// another way.
func runTogether(tokens []string) (found []string) {
	text := newRun(tokens)
	for i, phrase := range phraseRuns() {
		for from := 0; ; from++ {
			at := strings.Index(text.text[from:], phrase.text)
			if at < 0 {
				break
			}
			from += at
			if text.holds(phrase, from) {
				found = append(found, strings.Fields(phrases[i])...)
				break
			}
		}
	}
	return found
}

// holds says whether the phrase that begins at a place is a sequence of whole words there, divided in another way.
func (r run) holds(phrase run, at int) bool {
	to := at + len(phrase.text)
	if !r.begins[at] && !sayable(r.head(at)) || !r.ends[to-1] && !sayable(r.tail(to)) {
		return false
	}
	// An edge that is shared with a neighbour begins or ends both; only what is inside counts.
	return !slices.Equal(r.begins[at+1:to], phrase.begins[1:]) || !slices.Equal(r.ends[at:to-1], phrase.ends[:len(phrase.ends)-1]) ||
		!r.begins[at] || !r.ends[to-1]
}

// head is what stands before the letter in its word, tail what follows from it on.
func (r run) head(at int) string {
	from := at
	for from > 0 && !r.begins[from] {
		from--
	}
	return r.text[from:at]
}

func (r run) tail(at int) string {
	to := at
	for to < len(r.text) && !r.ends[to] {
		to++
	}
	return r.text[at:min(to+1, len(r.text))]
}

// maxTouching letters may touch a phrase in its word.
const maxTouching = 40

// sayable says whether a text is made of words that may touch a phrase.
func sayable(text string) bool { return len(text) <= maxTouching && parted(text) != nil }

// parted are the words that a text without spaces is made of; nil where it is not made of known ones.
func parted(text string) []string {
	type step struct{ from, words int }
	best := make([]step, len(text)+1)
	for to := 1; to <= len(text); to++ {
		best[to] = step{-1, len(text) + 1}
		for from := range to {
			if best[from].from >= 0 && best[from].words+1 < best[to].words && besideWords()[squeeze(text[from:to])] {
				best[to] = step{from, best[from].words + 1}
			}
		}
	}
	var words []string
	for to := len(text); to > 0; to = best[to].from {
		if best[to].from < 0 {
			return nil
		}
		words = append(words, text[best[to].from:to])
	}
	slices.Reverse(words)
	return words
}
