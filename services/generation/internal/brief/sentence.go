package brief

import (
	_ "embed" // the patterns
	"regexp"
	"strings"

	"serein.app/services/generation/internal/title"
)

// maxSentence is the longest sentence that a narrator says in one breath, in words.
const maxSentence = 45

var (
	// speakable is what the narrators read exactly: letters of the Latin alphabet, commas, colons, apostrophes and hyphens, from a
	// capital to the mark that ends the sentence.
	speakable = regexp.MustCompile(`^[A-Z\p{Lu}][\p{Latin} ,:?'-]*[.?!]$`)
	// shouted is a word in capitals, which a synthesiser spells.
	shouted = regexp.MustCompile(`\b\p{Lu}{2,}\b`)
)

// What no sentence may say: a pattern a line, whole words, in any case.
var (
	//go:embed refused/outside.txt
	outsideText string
	//go:embed refused/echo.txt
	echoText string
	//go:embed refused/unsafe.txt
	harmfulText string

	outsideSaid, echoed, harmful = patterns(outsideText), patterns(echoText), patterns(harmfulText)
)

func patterns(text string) *regexp.Regexp {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return words(strings.Join(all, "|"))
}

// judge finds the first fault of one sentence.
func (b Brief) judge(sentence string, never *regexp.Regexp) (Fault, bool) {
	fault := func(r Reason, say string) (Fault, bool) { return Fault{r, sentence, say}, true }
	switch {
	case outsideSaid.MatchString(sentence):
		return fault(Outside, "A sentence has a link, a brand or an offer")
	case echoed.MatchString(sentence):
		return fault(Echo, "A sentence speaks of the request instead of to the listener")
	case harmful.MatchString(sentence), title.Profane(sentence):
		return fault(Unsafe, "A sentence could hurt")
	case !speakable.MatchString(sentence), shouted.MatchString(sentence), strings.Contains(sentence, "  "):
		return fault(Unspeakable, "A sentence begins with a capital, ends with a mark, and has letters, commas, colons, apostrophes and hyphens only")
	case len(strings.Fields(sentence)) > maxSentence:
		return fault(Unspeakable, "A sentence is too long to be said in one breath")
	case never != nil && never.MatchString(sentence):
		return fault(Never, "This listener must not be told a sentence")
	case b.quotes(sentence):
		return fault(Quoted, "The title must not be said")
	}
	return Fault{}, false
}

// quotes says that a sentence says a title which must not be said. A title of one word is an ordinary word too.
func (b Brief) quotes(sentence string) bool {
	if b.Quotable() {
		return false
	}
	words := folded(b.Title)
	return strings.Contains(words, " ") && strings.Contains(" "+folded(sentence)+" ", " "+words+" ")
}
