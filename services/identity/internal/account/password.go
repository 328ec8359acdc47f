package account

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	passwordMin = 10
	passwordMax = 128
	// namesInside: shorter parts of a name are found in good passwords by chance.
	namesInside = 4
	// product and motto are guessed here before anywhere else.
	product = "serein"
	motto   = "craftedcalm"
	// shortUnit that a password repeats is no more than itself.
	shortUnit = 4
)

//go:embed common_passwords.txt
var commonText string

// common holds what is guessed first, in lower case. Where it comes from says common_passwords.LICENSE.txt.
var common = sync.OnceValue(func() map[string]struct{} {
	words := map[string]struct{}{}
	for line := range strings.Lines(commonText) {
		words[strings.TrimSpace(line)] = struct{}{}
	}
	return words
})

// ParsePassword gives the password in the form that is hashed (NFKC, as NIST SP 800-63B
// 3.1.1.2 asks). Length is what counts: no mixture of characters is demanded, but a password
// that is guessed first, or holds what others know of the person or the product's name, is refused.
// own is what others know: names, username, address.
func ParsePassword(s string, own ...string) (string, error) {
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
	case holds(lower, product) || holds(strings.Map(letterOrDigit, lower), motto):
		return "", weak("Please leave Serein's name out of the password. Three unrelated words work well.")
	case guessedFirst(lower) || monotonous(lower):
		return "", weak("That password is too easy to guess. Three unrelated words work well.")
	}
	for _, part := range ownParts(own) {
		if holds(lower, part) {
			return "", weak("Please leave your name, username and email out of the password.")
		}
	}
	return password, nil
}

// NormalPassword makes one password of its spellings in different keyboards' Unicode.
func NormalPassword(s string) string { return norm.NFKC.String(s) }

// ownParts are the names whole and in their parts, as far as they are long enough to be found.
func ownParts(own []string) []string {
	var parts []string
	for _, name := range own {
		name = strings.ToLower(norm.NFKC.String(name))
		for _, part := range append(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), name) {
			if utf8.RuneCountInString(part) >= namesInside {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

// leet are the signs that people write for letters. One and a bar stand for two.
var leet = []*strings.Replacer{
	strings.NewReplacer("0", "o", "1", "i", "|", "i", "!", "i", "3", "e", "4", "a", "@", "a", "5", "s", "$", "s", "7", "t", "+", "t", "8", "b", "9", "g"),
	strings.NewReplacer("0", "o", "1", "l", "|", "l", "!", "i", "3", "e", "4", "a", "@", "a", "5", "s", "$", "s", "7", "t", "+", "t", "8", "b", "6", "g"),
}

// holds finds a word in a password, also where signs stand for its letters.
func holds(lower, word string) bool {
	if strings.Contains(lower, word) {
		return true
	}
	for _, letters := range leet {
		if strings.Contains(letters.Replace(lower), word) {
			return true
		}
	}
	return false
}

// guessedFirst finds a common password, whole or as the one word of it: with digits and signs before and
// behind ("Welcome2026!"), with signs for its letters ("p4$$w0rd99"), or several times over.
func guessedFirst(lower string) bool {
	other := func(r rune) bool { return unicode.IsDigit(r) || r < utf8.RuneSelf && !unicode.IsLetter(r) } // emoji are not guessed
	for _, core := range []string{lower, strings.TrimRightFunc(lower, other), strings.TrimFunc(lower, other)} {
		for _, word := range []string{core, leet[0].Replace(core), leet[1].Replace(core)} {
			_, whole := common()[word]
			if _, repeated := common()[once(word)]; whole || repeated {
				return true
			}
		}
	}
	return false
}

// once gives what a text repeats, or the text.
func once(s string) string {
	if at := strings.Index((s + s)[min(1, len(s)):], s) + 1; at > 0 && at < len(s) && len(s)%at == 0 {
		return s[:at]
	}
	return s
}

// letterOrDigit leaves out what is neither.
func letterOrDigit(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return r
	}
	return -1
}

// monotonous finds a few characters repeated, and runs along the alphabet or digits.
func monotonous(s string) bool {
	if unit := once(s); unit != s && utf8.RuneCountInString(unit) <= shortUnit {
		return true
	}
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
