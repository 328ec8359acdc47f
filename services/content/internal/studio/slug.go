package studio

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// maxSlug is how many characters of a title an address has.
const maxSlug = 80

var notWord = regexp.MustCompile(`[^a-z0-9]+`)

// slugOf makes an address of a title: "Café at Three" is cafe-at-three.
func slugOf(title string) string {
	plain, _, err := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn))), strings.ToLower(title))
	if err != nil {
		plain = title
	}
	plain = strings.NewReplacer("’", "", "'", "").Replace(plain)
	slug := strings.Trim(notWord.ReplaceAllString(plain, "-"), "-")
	if slug = strings.Trim(slug[:min(len(slug), maxSlug)], "-"); slug == "" {
		return "untitled"
	}
	return slug
}
