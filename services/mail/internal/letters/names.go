package letters

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxName is how many letters a name has in a letter: longer ones are messages.
const maxName = 60

// notName is what mail programs, or readers of plain text, would make more of than a name: an address or a part of one, with the
// full stops of all scripts that a domain may have (UTS 46) and those that look like one, markup, a heading, a list, a telephone number.
var notName = regexp.MustCompile(`[/⁄∕⧸\\@＠:：#＃*_<>\[\]{}|=~` + "`" + `]|[.。۔܁܂]\s*[.。۔܁܂]|[.。۔܁܂]\p{Cf}*[\pL\pN]{2}|(?i:www|https?)\b|(?i:\bdot\s+(?:com|net|org|info|co|uk|eu|io|app|xyz|online|shop|site|link|click|top)\b)|\p{Cf}|(?:\p{Nd}.*){3}|^\s*[-+>\d]`)

// plainName is a name that somebody gave as it can stand in a letter, in one line; empty for one that would be more than a name.
// Nobody is greeted by an address.
func plainName(given string) string {
	name := strings.Join(strings.FieldsFunc(given, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if len([]rune(name)) > maxName || notName.MatchString(plainest(name)) {
		return ""
	}
	return name
}

// plainest is a name as its reader's eye, or a program, reads it: "evil﹒com" and "¹²³" in common letters, and without marks that stand on no
// letter of their own.
func plainest(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Mn, unicode.Me) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
}
