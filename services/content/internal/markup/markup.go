// Package markup makes clean HTML, plain words and previews of the Markdown in which texts are kept, and takes
// markup out of texts before they are kept. HTML is made here and nowhere else: what leaves this package may be
// put into a page as it is. Raw HTML within Markdown is refused.
package markup

import (
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// openingBlocks is the number of paragraphs that every visitor may read.
const openingBlocks = 2

// markdown is CommonMark; its renderer leaves raw HTML and dangerous links out.
var markdown = goldmark.New()

// policy is what a text needs, and no picture, style or script. It looks at what the renderer wrote once more.
var policy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "h2", "h3", "h4", "h5", "h6", "em", "strong", "ul", "ol", "li", "blockquote", "hr", "br", "code", "pre")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowURLSchemes("https", "http", "mailto")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	return p
}()

// HTML of the whole text.
func HTML(source string) string {
	document := parse(source)
	return render(source, document)
}

// Split is HTML in two parts: the opening two paragraphs, with headings before and between them, and the rest. Lists,
// quotes and the like count as paragraphs, so that a text without any is not open as a whole.
func Split(source string) (opening, rest string) {
	document := parse(source)
	first := ast.NewDocument()
	for blocks := 0; blocks < openingBlocks && document.HasChildren(); {
		block := document.FirstChild()
		if block.Kind() != ast.KindHeading {
			blocks++
		}
		first.AppendChild(first, block) // and so out of the other
	}
	return render(source, first), render(source, document)
}

// parse reads Markdown. A page's title is its only heading of the first level.
func parse(source string) ast.Node {
	document := markdown.Parser().Parse(text.NewReader([]byte(source)))
	for block := document.FirstChild(); block != nil; block = block.NextSibling() {
		if h, ok := block.(*ast.Heading); ok {
			h.Level = max(h.Level, 2)
		}
	}
	return document
}

func render(source string, document ast.Node) string {
	var b strings.Builder
	if err := markdown.Renderer().Render(&b, []byte(source), document); err != nil {
		return "" // a strings.Builder takes everything
	}
	return policy.Sanitize(b.String())
}
