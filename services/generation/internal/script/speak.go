package script

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// maxSpokenName is the longest name that is said, in letters, and maxNameWords how many words it has: "Anne Marie".
const maxSpokenName, maxNameWords = 20, 2

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

// spokenName is a given name as the narrator can say it. The form decides by the same rule whether it offers to say the name
// (frontend/src/features/generator/spokenName.ts), and testdata/names.json has names for both.
func spokenName(name string) (string, bool) {
	words := strings.Fields(foldAccents(name))
	name = strings.Join(words, " ")
	said := len(name) >= 2 && len(name) <= maxSpokenName && len(words) <= maxNameWords
	return name, said && !slices.ContainsFunc(words, func(word string) bool { return !sayable(word) })
}

// withoutAccents are the letters of Latin alphabets that are no letter with an accent.
var withoutAccents = strings.NewReplacer(
	"ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ð", "d", "Ð", "D", "þ", "th", "Þ", "Th", "æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe",
	"ß", "ss", "ı", "i",
)

// foldAccents turns "Café" into "Cafe", which a simple synthesiser says better.
func foldAccents(s string) string {
	s = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", ", ").Replace(s)
	folded, _, err := transform.String(
		transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s)
	if err != nil {
		return s
	}
	return withoutAccents.Replace(folded)
}
