package reading

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"serein.app/services/content/internal/search"
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

// Query is a search of the cards' words for all of the words, each the beginning of one, or one of the others that it may be. They hold
// letters and digits alone.
func Query(words []string, others map[string][]string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = "('" + word + "':*"
		for _, other := range others[word] {
			all[i] += " | '" + other + "'"
		}
		all[i] += ")"
	}
	return strings.Join(all, " & ")
}

// ForgivingQuery is Query for the words or those that they may be with a typing error; empty where none may be another. spelled gives
// the words of the search index that have one of the spellings.
func ForgivingQuery(words []string, spelled func(spellings []string) ([]string, error)) (string, error) {
	others, err := search.Forgiven(words, spelled)
	if err != nil || len(others) == 0 {
		return "", err
	}
	return Query(words, others), nil
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
