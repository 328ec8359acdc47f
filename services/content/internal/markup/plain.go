package markup

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// PreviewWords is how many words a preview has.
const PreviewWords = 25

// Plain is the text without its Markdown, in one line.
func Plain(source string) string { return PlainOf(HTML(source)) }

// PlainOf is HTML of this package without its elements, in one line.
func PlainOf(markup string) string {
	var words []string
	var word strings.Builder
	end := func() {
		words = append(words, strings.Fields(word.String())...)
		word.Reset()
	}
	tokens := html.NewTokenizer(strings.NewReader(markup))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		token := tokens.Token()
		switch {
		case kind == html.TextToken:
			word.WriteString(token.Data)
		case !inline[token.Data]: // words of two blocks are two words
			end()
		}
	}
	end()
	return strings.Join(words, " ")
}

// Lead is the part of a text that every visitor may read, in one line without headings and Markdown.
func Lead(source string) string {
	opening, _ := Split(source)
	return PlainOf(headings.ReplaceAllString(opening, " "))
}

// headings of HTML of this package.
var headings = regexp.MustCompile(`(?s)<h[1-6][^>]*>.*?</h[1-6]>`)

// inline elements may lie within a word.
var inline = map[string]bool{"em": true, "strong": true, "a": true, "code": true}

// Preview is the first PreviewWords words of a plain text, with an ellipsis where there are more.
func Preview(plain string) string {
	words := strings.Fields(plain)
	if len(words) <= PreviewWords {
		return strings.Join(words, " ")
	}
	return strings.Join(words[:PreviewWords], " ") + "…"
}

// Words counts those of a plain text.
func Words(plain string) int { return len(strings.Fields(plain)) }
