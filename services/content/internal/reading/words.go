package reading

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxWords of a search count.
const maxWords = 16

// maxLetters of a word count, in texts and in searches.
const maxLetters = 50

// Words cuts a text into words that hold letters and digits alone, without case, accents and apostrophes: "Don’t" is
// dont.
func Words(s string) []string {
	words := strings.FieldsFunc(fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		if letters := []rune(word); len(letters) > maxLetters {
			words[i] = string(letters[:maxLetters])
		}
	}
	return words
}

// SearchWords are those of a search, each the beginning of one that is looked for.
func SearchWords(search string) []string {
	words := Words(search)
	return words[:min(len(words), maxWords)]
}

func indexed(title, text string) string {
	return strings.Join(append(Words(title), Words(text)...), " ")
}

// Slug is a title as an address has it: "Awake at Three" is awake-at-three.
func Slug(title string) string { return strings.Join(Words(title), "-") }

func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' || r == '‘' || r == 'ʼ' {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}
