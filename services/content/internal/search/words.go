package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longest is how many letters of a word count; what follows is left out, in texts as in queries.
const longest = 64

// Word is a word of a text as it is compared, and the bytes of the text where it stands.
type Word struct {
	Folded     string
	Start, End int
}

// Words are the words of a text in their order: letters, digits, and apostrophes between them.
func Words(text string) (words []Word) {
	for from := 0; ; {
		w, found := nextWord(text, from)
		if !found {
			return words
		}
		from = w.End
		if w.Folded != "" {
			words = append(words, w)
		}
	}
}

// nextWord is the first word at or behind a byte of the text.
func nextWord(text string, from int) (Word, bool) {
	start, ascii := -1, true
	for i := from; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case isLetter(r) || start >= 0 && (unicode.Is(unicode.M, r) || isApostrophe(r) && letterFollows(text[i+size:])):
			if start < 0 {
				start = i
			}
			ascii = ascii && r < utf8.RuneSelf
		case start >= 0:
			return Word{fold(text[start:i], ascii), start, i}, true
		}
		i += size
	}
	if start < 0 {
		return Word{}, false
	}
	return Word{fold(text[start:], ascii), start, len(text)}, true
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '‘' || r == 'ʼ' }

func letterFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isLetter(r)
}

// plain are letters with a stroke or joined to another, which do not come apart by themselves.
var plain = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ħ", "h", "ı", "i", "ŧ", "t")

// fold takes away what a reader does not look at: case, accents, apostrophes.
func fold(word string, ascii bool) string {
	if ascii {
		folded := strings.ReplaceAll(strings.ToLower(word), "'", "")
		return folded[:min(len(folded), longest)]
	}
	folded := strings.Map(func(r rune) rune {
		if !isLetter(r) || isApostrophe(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(plain.Replace(strings.ToLower(word))))
	return firstLetters(folded, longest)
}

// firstLetters are at most so many letters of a word.
func firstLetters(word string, most int) string {
	for i := range word {
		if most == 0 {
			return word[:i]
		}
		most--
	}
	return word
}
