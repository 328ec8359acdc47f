package markup

import (
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/microcosm-cc/bluemonday"
)

// maxRounds of cleaning; an honest text needs two. More are needed for markup that is packed into markup, again and again.
const maxRounds = 16

var strict = bluemonday.StrictPolicy()

// reference is an ampersand, with the character reference that it begins, if any.
var reference = regexp.MustCompile(`&(#?[0-9A-Za-z]+;)?`)

// Clean takes tags, comments and scripts out of a text that is going to be kept, also those that would appear once
// references such as &lt; have been read: what it answers is what it answers for that again. Markdown stays, and so do
// "a < b" and "&". Control characters go, except line breaks and tabs.
func Clean(s string) string {
	s = strings.Map(printable, strings.ToValidUTF8(s, ""))
	for range maxRounds {
		cleaner := clean(s)
		if cleaner == s {
			return s
		}
		s = cleaner
	}
	return strings.NewReplacer("<", "", "&", "").Replace(s)
}

func clean(s string) string {
	// An ampersand in a link, as in ?a=1&copy=2, is none of HTML's references, though browsers would take it for one.
	s = reference.ReplaceAllStringFunc(s, func(found string) string {
		if found == "&" {
			return "&amp;"
		}
		return found
	})
	return strings.Map(printable, html.UnescapeString(strict.Sanitize(s)))
}

// printable drops what no text needs and PostgreSQL does not take.
func printable(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' {
		return -1
	}
	return r
}
