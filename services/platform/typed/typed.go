// Package typed reads codes and names as people type and paste them: with spaces, hyphens and characters that nobody sees, in the digits
// of their own script, in wide letters. It owns no code and no name: whether one is right is its owner's business.
package typed

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Digits gives the decimal digits of a text, those of every script as ASCII, and nothing else of it.
func Digits(text string) string {
	return strings.Map(func(r rune) rune {
		if value, ok := digit(r); ok {
			return '0' + value
		}
		return -1
	}, text)
}

// LettersAndDigits gives the letters and digits of a text, in capitals and in the form that stands for all their widths (NFKC), with
// the digits of every script as ASCII.
func LettersAndDigits(text string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if value, ok := digit(r); ok {
			return '0' + value
		}
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, norm.NFKC.String(text)))
}

// Name gives a name without the space around it and without the marks of direction that keyboards of scripts from right to left write by
// themselves (LRM, RLM, ALM): a name has its direction by its letters. What else steers a text stays, for its owner to refuse.
func Name(text string) string { return strings.TrimSpace(marks.Replace(text)) }

var marks = strings.NewReplacer("\u200E", "", "\u200F", "", "\u061C", "")

// digit is the value of a decimal digit. Unicode keeps the ten digits of a script in one row, so that each range of Nd is made of tens.
func digit(r rune) (value rune, ok bool) {
	for _, in := range unicode.Nd.R16 {
		if r >= rune(in.Lo) && r <= rune(in.Hi) {
			return (r - rune(in.Lo)) % 10, true
		}
	}
	for _, in := range unicode.Nd.R32 {
		if r >= rune(in.Lo) && r <= rune(in.Hi) {
			return (r - rune(in.Lo)) % 10, true
		}
	}
	return 0, false
}
