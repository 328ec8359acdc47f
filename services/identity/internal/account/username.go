package account

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	usernameMin = 3
	usernameMax = 32
)

// ParseUsername gives the username as it is kept (NFKC) and the key that makes it unique
// whatever its case. A username is 3 to 32 letters, digits, dots, dashes or underscores, begins
// with a letter or a digit, and keeps to one script, so that it cannot pass for another's.
func ParseUsername(s string) (username, key string, err error) {
	username = norm.NFKC.String(s)
	switch n := utf8.RuneCountInString(username); {
	case !utf8.ValidString(s):
		return "", "", invalid("username", "A username needs to be text.")
	case n == 0:
		return "", "", invalid("username", "Please choose a username.")
	case n < usernameMin:
		return "", "", invalid("username", "A username has at least 3 characters.")
	case n > usernameMax:
		return "", "", invalid("username", "A username has at most 32 characters.")
	}
	for i, r := range username {
		if !usernameRune(r, i == 0) {
			return "", "", invalid("username", "A username has letters, digits, dots, dashes and underscores, and begins with a letter or a digit.")
		}
	}
	if hidden(username) || marksInARow(username) > marksMax {
		return "", "", invalid("username", "A username can’t have invisible characters.")
	}
	if kept(UsernameKey(username)) {
		return "", "", invalid("username", "That username is reserved. Please choose another.")
	}
	if looksLikeAWebAddress(username) {
		return "", "", invalid("username", "A username can’t look like a web address.")
	}
	if mixedScripts(username) {
		return "", "", invalid("username", "A username can only use one alphabet.")
	}
	return username, UsernameKey(username), nil
}

// keptNames would make their owner pass for us: our name, our roles, and the mailboxes that RFC 2142 gives to those who run a site.
var keptNames = map[string]bool{
	"": true, "abuse": true, "account": true, "accounts": true, "admin": true, "administrator": true, "billing": true, "contact": true, "editor": true,
	"editorial": true, "help": true, "helpdesk": true, "hostmaster": true, "info": true, "mail": true, "mailer": true, "moderator": true, "news": true,
	"newsletter": true, "noreply": true, "office": true, "official": true, "operator": true, "owner": true, "payments": true, "postmaster": true,
	"privacy": true, "root": true, "sales": true, "security": true, "service": true, "staff": true, "support": true, "sysadmin": true, "system": true,
	"team": true, "webmaster": true,
}

// kept says whether a name is one of those, also with dots, dashes and digits in it, and with our name before or behind.
func kept(key string) bool {
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, key)
	if letters == "" {
		return false
	}
	return keptNames[letters] || keptNames[strings.TrimPrefix(letters, product)] || keptNames[strings.TrimSuffix(letters, product)]
}

// looksLikeAWebAddress finds what mail programs make a link of: the mail that asks for a confirmation names the username, and anybody can
// have it sent to anybody's address.
func looksLikeAWebAddress(s string) bool {
	lower := strings.ToLower(s)
	if strings.HasPrefix(lower, "www.") {
		return true
	}
	suffix, registered := publicsuffix.PublicSuffix(lower)
	return registered && strings.HasSuffix(lower, "."+suffix)
}

// UsernameKey is what two spellings of one username share. It accepts any text: looking up a
// name that cannot exist finds nothing. Fold alone keeps the dotted İ and the dotless ı apart from i, and
// exchanges the two cases of Cherokee: through capitals and back they are one letter.
func UsernameKey(s string) string {
	capitals := norm.NFKC.String(strings.ToUpper(norm.NFKC.String(storable(s))))
	small := dottedI.ReplaceAllLiteralString(strings.ToLower(capitals), "i")
	return norm.NFKC.String(cases.Fold().String(small))
}

// dottedI matches an i with a separate dot above, which İ, the Turkish letter, becomes in lower case.
var dottedI = regexp.MustCompile("i\u0307+")

// storable replaces what PostgreSQL's text cannot hold: invalid UTF-8 and NUL.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

func usernameRune(r rune, first bool) bool {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return true
	}
	return !first && (r == '.' || r == '_' || r == '-' || unicode.Is(unicode.M, r))
}

// mixedScripts finds letters of two alphabets in one name, such as a Cyrillic "а" among Latin
// letters. Han, Hiragana and Katakana are written together and count as one.
func mixedScripts(s string) bool {
	var seen string
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		script := scriptOf(r)
		if seen != "" && script != seen {
			return true
		}
		seen = script
	}
	return false
}

func scriptOf(r rune) string {
	if r <= unicode.MaxLatin1 || unicode.Is(unicode.Latin, r) {
		return "Latin"
	}
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Common) {
		return "East Asian"
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return "unknown"
}
