package script

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// maxSpokenName is the longest name that is said, in letters.
const maxSpokenName = 20

var (
	plainWord = regexp.MustCompile(`^[a-z]+(['-][a-z]+)*$`)
	vowel     = regexp.MustCompile(`[aeiouy]`)
	// jumble is more consonants in a row than English can say.
	jumble = regexp.MustCompile(`[bcdfghjklmnpqrstvwxz]{5}`)
)

// WordCount counts words the one way used everywhere: what spaces separate.
func WordCount(text string) int { return len(strings.Fields(text)) }

func sayable(word string) bool {
	w := strings.ToLower(word)
	return plainWord.MatchString(w) && vowel.MatchString(w) && !jumble.MatchString(w)
}

// spokenName is a given name as the narrator can say it.
func spokenName(name string) (string, bool) {
	name = strings.TrimSpace(foldAccents(name))
	return name, len(name) >= 2 && len(name) <= maxSpokenName && sayable(name)
}

// foldAccents turns "Café" into "Cafe", which a simple synthesiser says better.
func foldAccents(s string) string {
	s = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", ", ").Replace(s)
	folded, _, err := transform.String(
		transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s)
	if err != nil {
		return s
	}
	return folded
}
