package letters

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// Written is a letter in an admin's own words: cleaned HTML, and the same as plain text.
type Written struct {
	Subject string `json:"subject"`
	HTML    string `json:"html"`
	Text    string `json:"text"`
}

// maxWritten bounds such a letter, in bytes, of HTML and of text.
const maxWritten = 64 << 10

// policy is what a letter needs: no picture, form, style or script, so that opening it tells nobody and looks as ours does.
var policy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "h1", "h2", "h3", "h4", "em", "strong", "b", "i", "ul", "ol", "li", "blockquote", "hr", "br", "div", "span",
		"table", "tbody", "thead", "tr", "td", "th")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("https", "http", "mailto")
	p.RequireParseableURLs(true)
	return p
}()

// Write makes a letter of somebody's own words. What it may not hold is taken out; a letter of nothing is refused.
func Write(subject, source string) (*Written, error) {
	clean := strings.TrimSpace(policy.Sanitize(Printable(source)))
	w := &Written{Subject: OneLine(subject), HTML: clean, Text: plain(clean)}
	if w.Subject == "" {
		return nil, ErrText.On("subject")
	}
	if w.Text == "" {
		return nil, ErrText.On("html")
	}
	return w, w.check()
}

func (w *Written) check() error {
	if w == nil {
		return nil
	}
	if len(w.HTML) > maxWritten || len(w.Text) > maxWritten || !utf8.ValidString(w.HTML+w.Text) || strings.ContainsFunc(w.HTML+w.Text, unprintable) {
		return ErrText.On("html")
	}
	return checkLines(map[string]string{"subject": w.Subject})
}

var (
	blanks = regexp.MustCompile(`[ \t\n]+`)
	gaps   = regexp.MustCompile(` *\n[ \n]*\n`)
	edges  = regexp.MustCompile(` *\n *`)
)

// plain is the text of clean HTML: blocks are paragraphs, items of a list have a dash, a link's address stands behind its words.
func plain(clean string) string {
	var b strings.Builder
	var links []string
	tokens := html.NewTokenizer(strings.NewReader(clean))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return strings.TrimSpace(edges.ReplaceAllString(gaps.ReplaceAllString(b.String(), "\n\n"), "\n"))
		case html.TextToken:
			b.WriteString(blanks.ReplaceAllString(html.UnescapeString(string(tokens.Raw())), " "))
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			b.WriteString(opening(token.Data))
			if token.Data == "a" {
				links = append(links, target(token))
			}
		case html.EndTagToken:
			token := tokens.Token()
			if token.Data == "a" && len(links) > 0 {
				if last := links[len(links)-1]; last != "" {
					b.WriteString(" (" + last + ")")
				}
				links = links[:len(links)-1]
			}
			b.WriteString(closing(token.Data))
		case html.CommentToken, html.DoctypeToken:
		}
	}
}

func opening(tag string) string {
	switch tag {
	case "br", "tr":
		return "\n"
	case "li":
		return "\n- "
	case "hr":
		return "\n\n--\n\n"
	case "p", "h1", "h2", "h3", "h4", "blockquote", "div", "table", "ul", "ol":
		return "\n\n"
	case "td", "th":
		return " "
	}
	return ""
}

func closing(tag string) string {
	switch tag {
	case "p", "h1", "h2", "h3", "h4", "blockquote", "div", "table", "ul", "ol":
		return "\n\n"
	}
	return ""
}

// target is where a link leads; empty where it leads nowhere.
func target(token html.Token) string {
	for _, a := range token.Attr {
		if a.Key == "href" {
			if u, err := url.Parse(a.Val); err == nil {
				return u.String()
			}
		}
	}
	return ""
}
