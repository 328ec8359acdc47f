package script

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

const (
	// maxSpokenTitle is what a narrator can say as a name without losing breath.
	maxSpokenTitle, maxSpokenTitleWords = 60, 10
	maxSpokenName                       = 20
)

var (
	plainWord = regexp.MustCompile(`^[a-z]+(['-][a-z]+)*$`)
	vowel     = regexp.MustCompile(`[aeiouy]`)
	// jumble is more consonants in a row than English can say.
	jumble = regexp.MustCompile(`[bcdfghjklmnpqrstvwxz]{5}`)
)

// WordCount counts words the one way used everywhere: what spaces separate.
func WordCount(text string) int { return len(strings.Fields(text)) }

// spokenTitle is the title as it can be said in a sentence; ok is false for one that is better
// left unspoken: other scripts, digits, markup, jumbles, a word alone without a vowel.
func spokenTitle(title string) (spoken string, ok bool) {
	fields := strings.Fields(strings.ReplaceAll(withoutPictures(foldAccents(title)), "&", " and "))
	for i, field := range fields {
		word := strings.Trim(field, `.,!?:;"'()-`)
		if word == "" || !sayable(word) {
			return "", false
		}
		if i < len(fields)-1 && strings.ContainsAny(field[len(field)-1:], ",:;") {
			word += ","
		}
		fields[i] = word
	}
	spoken = strings.Join(fields, " ")
	letters := len(strings.ReplaceAll(spoken, " ", ""))
	return quieten(spoken), letters >= 3 && len(spoken) <= maxSpokenTitle && len(fields) <= maxSpokenTitleWords
}

func sayable(word string) bool {
	w := strings.ToLower(word)
	return plainWord.MatchString(w) && vowel.MatchString(w) && !jumble.MatchString(w)
}

// spokenName is a given name as the narrator can say it.
func spokenName(name string) (string, bool) {
	name = strings.TrimSpace(foldAccents(name))
	return name, len(name) >= 2 && len(name) <= maxSpokenName && sayable(name)
}

// quieten keeps capitals from being spelled out letter by letter.
func quieten(s string) string {
	if s == "" || s != strings.ToUpper(s) {
		return s
	}
	return strings.ReplaceAll(s[:1]+strings.ToLower(s[1:]), " i ", " I ")
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

// withoutPictures drops emoji and the marks that join and colour them.
func withoutPictures(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.So, unicode.Sk, unicode.Cf, unicode.Variation_Selector):
			return ' '
		default:
			return r
		}
	}, s)
}
