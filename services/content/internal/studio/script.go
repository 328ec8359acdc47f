package studio

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/markup"
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
				refusal.Public = fmt.Sprintf("Line %d: “%s” is no pause. Write one as [pause 8], of %d to %d seconds.", i+1, said, shortestPause, longestPause)
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

// FirstPassage is what a preview says and who says it; narrator is empty for the house's default. Errors: those of
// MakeMeditation, for what it needs.
func (s *Studio) FirstPassage(script, kind, narratorID string) (narrator string, sentences []string, err error) {
	script = markup.Clean(script)
	if err := checkScript(script); err != nil {
		return "", nil, err
	}
	switch of := slices.IndexFunc(s.offer.Types, func(t catalogue.Type) bool { return kind == t.ID || kind == t.Name }); {
	case narratorID != "" && !s.narrates(narratorID):
		return "", nil, ErrNarrator
	case narratorID != "":
		narrator = narratorID
	case of >= 0:
		narrator = s.offer.Types[of].Narrator.ID
	case kind != "":
		return "", nil, ErrType
	}
	return narrator, firstPassage(script), nil
}

// mostPassage is how many characters of a passage are said at once.
const mostPassage = 1200

// firstPassage is what is said up to the first pause, sentence by sentence, of mostPassage characters at most.
func firstPassage(script string) (sentences []string) {
	for _, part := range bracketed.Split(script, -1) {
		rest, state, left := strings.Join(strings.Fields(part), " "), -1, mostPassage
		for rest != "" {
			var sentence string
			sentence, rest, state = uniseg.FirstSentenceInString(rest, state)
			if left -= len([]rune(sentence)); left < 0 && len(sentences) > 0 {
				break
			}
			sentences = append(sentences, strings.TrimSpace(sentence))
		}
		if len(sentences) > 0 {
			return sentences
		}
	}
	return nil
}
