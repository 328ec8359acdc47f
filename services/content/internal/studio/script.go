package studio

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/markup"
	"serein.app/services/content/internal/narrate"
)

// Bounds of a pause, in seconds.
const (
	shortestPause = 1
	longestPause  = 60
)

var (
	// bracketed is anything in square brackets, or that begins like it.
	bracketed = regexp.MustCompile(`\[[^\]\n]*\]?|\]`)
	pause     = regexp.MustCompile(`^\[pause ([0-9]{1,2})\]$`)
)

// checkScript finds a bracket that is no pause, and says on which line. Errors: ErrScriptRequired, ErrScriptInvalid.
func checkScript(script string) error {
	if len(strings.Fields(bracketed.ReplaceAllString(script, " "))) == 0 {
		return ErrScriptRequired
	}
	for i, line := range strings.Split(script, "\n") {
		for _, said := range bracketed.FindAllString(line, -1) {
			if !isPause(said) {
				refusal := *ErrScriptInvalid
				refusal.Public = fmt.Sprintf("Line %d: “%s” isn’t a pause. Write one as [pause 8], of %d to %d seconds.", i+1, said, shortestPause, longestPause)
				return &refusal
			}
		}
	}
	return nil
}

func isPause(said string) bool {
	found := pause.FindStringSubmatch(said)
	if found == nil {
		return false
	}
	seconds, _ := strconv.Atoi(found[1]) // two digits at most
	return seconds >= shortestPause && seconds <= longestPause
}

// Preview is a draft whose beginning an admin wants to hear before they make the item.
type Preview struct {
	// Text is a meditation's script, or an article's Markdown.
	Text string
	// Article says which; Title is an article's.
	Article bool
	Title   string
	// Type may be missing, NarratorID is in place of the type's own.
	Type, NarratorID string
}

// FirstPassage returns the sentences of a preview and their narrator; an empty narrator is generation's default. Errors: those of
// MakeMeditation and MakeArticle, for the fields that a preview needs.
func (s *Studio) FirstPassage(p Preview) (narrator string, sentences []string, err error) {
	if sentences, err = p.beginning(); err != nil {
		return "", nil, err
	}
	switch of := slices.IndexFunc(s.offer.Types, func(t catalogue.Type) bool { return p.Type == t.ID || p.Type == t.Name }); {
	case p.NarratorID != "" && !s.narrates(p.NarratorID):
		return "", nil, ErrNarrator
	case p.NarratorID != "":
		narrator = p.NarratorID
	case of >= 0:
		narrator = s.offer.Types[of].Narrator.ID
	case p.Type != "":
		return "", nil, ErrType
	}
	return narrator, sentences, nil
}

// beginning is what is said first, of maxPassage characters at most: up to the first pause of a script; of an article its title,
// and its text to the end of the first part that is no heading, as its narration says them.
func (p Preview) beginning() ([]string, error) {
	text := markup.Clean(p.Text)
	if !p.Article {
		return firstPassage(text), checkScript(text)
	}
	said := narrate.Opening(strings.Join(strings.Fields(markup.Clean(p.Title)), " "), text)
	if markup.Plain(text) == "" || len(said) == 0 {
		return nil, ErrScriptRequired.On("text")
	}
	return atMost(said, maxPassage), nil
}

// maxPassage is how many characters of a passage are said at once.
const maxPassage = 1200

// firstPassage is what is said up to the first pause, sentence by sentence, of maxPassage characters at most.
func firstPassage(script string) (sentences []string) {
	for _, part := range bracketed.Split(script, -1) {
		rest, state := strings.Join(strings.Fields(part), " "), -1
		for rest != "" {
			var sentence string
			sentence, rest, state = uniseg.FirstSentenceInString(rest, state)
			sentences = append(sentences, strings.TrimSpace(sentence))
		}
		if len(sentences) > 0 {
			return atMost(sentences, maxPassage)
		}
	}
	return nil
}

// atMost leaves so many sentences that they have that many characters at most, and one at least.
func atMost(sentences []string, characters int) []string {
	for i, sentence := range sentences {
		if characters -= utf8.RuneCountInString(sentence) + 1; characters < 0 && i > 0 {
			return sentences[:i]
		}
	}
	return sentences
}
