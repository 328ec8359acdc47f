package account

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	passwordMin = 10
	passwordMax = 128
	// namesInside: shorter parts of a name are found in good passwords by chance.
	namesInside = 4
)

//go:embed common.txt
var commonText string

// common holds passwords that are guessed first, in lower case. They are at least as long as
// the shortest password allowed; shorter ones are refused by length.
func common(lower string) bool {
	for line := range strings.Lines(commonText) {
		if strings.TrimSpace(line) == lower {
			return true
		}
	}
	return false
}

// ParsePassword gives the password in the form that is hashed (NFKC, as NIST SP 800-63B
// 3.1.1.2 asks). Length is what counts: no mixture of characters is demanded, but a password
// that is guessed first, or holds the person's own name or address, is refused.
func ParsePassword(s, username, email string) (string, error) {
	password := NormalPassword(s)
	lower := strings.ToLower(password)
	switch n := utf8.RuneCountInString(password); {
	case n == 0:
		return "", weak("Please choose a password.")
	case !utf8.ValidString(s):
		return "", weak("A password needs to be text.")
	case n < passwordMin:
		return "", weak("A password has at least 10 characters. Three unrelated words work well.")
	case n > passwordMax:
		return "", weak("A password has at most 128 characters.")
	case common(lower) || monotonous(lower):
		return "", weak("That password is one of the first to be guessed. Three unrelated words work well.")
	}
	local, _, _ := strings.Cut(strings.ToLower(email), "@")
	for _, own := range []string{strings.ToLower(username), strings.ToLower(email), local} {
		if utf8.RuneCountInString(own) >= namesInside && strings.Contains(lower, own) {
			return "", weak("Please leave your username and email out of the password.")
		}
	}
	return password, nil
}

// NormalPassword makes one password of its spellings in different keyboards' Unicode.
func NormalPassword(s string) string { return norm.NFKC.String(s) }

// monotonous finds one or two characters repeated, and runs along the alphabet or digits.
func monotonous(s string) bool {
	seen := map[rune]bool{}
	runs := true
	var before rune
	for i, r := range s {
		seen[r] = true
		if i > 0 && r != before+1 && r != before-1 {
			runs = false
		}
		before = r
	}
	return runs || len(seen) <= 2
}
