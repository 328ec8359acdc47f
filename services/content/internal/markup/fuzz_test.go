package markup_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"serein.app/services/content/internal/markup"
)

var hostile = []string{
	"<script>alert(1)</script>", "[x](javascript:alert(1))", "<img src=x onerror=alert(1)>", "<a href=\"java\tscript:x\">y</a>", "[x](data:text/html,<script>)",
	"<svg/onload=alert(1)>", "&lt;script&gt;", "&amp;lt;b&amp;gt;", "<<b>script>", "![x](x \"onerror=alert(1)\")", "[x]: javascript:x\n\n[x]", "<javascript:alert(1)>",
	"> a\n> <iframe srcdoc=x>", "a < b & c > d", "# a\n\nb\n\nc\n\n- d", "```<script>\nx\n```", "<!-- a --> b", "<math><mi//xlink:href=\"data:x\">", "\x00<\x00script>",
	"</textarea><script>x</script>", "<title><b>", "<noscript><p title=\"</noscript><img src=x onerror=x>\">", "<xmp><script>", "<plaintext><b>",
}

// FuzzHTMLIsClean: whatever goes in, a page that takes what comes out gets elements of text alone, no handlers, and links that go
// to the web, to a page or to a mailbox.
func FuzzHTMLIsClean(f *testing.F) {
	for _, seed := range hostile {
		f.Add(seed)
	}
	elements := strings.Fields("html head body p h2 h3 h4 h5 h6 em strong ul ol li blockquote hr br code pre a")
	f.Fuzz(func(t *testing.T, source string) {
		opening, rest := markup.Split(source)
		markdown, err := markup.Markdown(source)
		if err != nil {
			markdown = "" // elements that lie too deep in one another
		}
		for _, part := range []string{opening, rest, markup.HTML(source), markup.HTML(markup.Clean(markdown))} {
			document, err := html.Parse(strings.NewReader(part))
			require.NoError(t, err)
			for node := range document.Descendants() {
				require.NotEqual(t, html.CommentNode, node.Type)
				if node.Type != html.ElementNode {
					continue
				}
				require.True(t, slices.Contains(elements, node.Data), "<%s> in %q", node.Data, part)
				for _, a := range node.Attr {
					checkAttribute(t, node.Data, a)
				}
			}
		}
		require.LessOrEqual(t, markup.Words(markup.Preview(markup.Plain(source))), markup.PreviewWords)
	})
}

func checkAttribute(t *testing.T, element string, a html.Attribute) {
	t.Helper()
	require.Contains(t, []string{"a href", "ol start"}, element+" "+a.Key)
	if a.Key == "href" {
		to, err := url.Parse(a.Val)
		require.NoError(t, err)
		require.Contains(t, []string{"", "http", "https", "mailto"}, strings.ToLower(to.Scheme))
	}
}

// FuzzWhatIsKeptStaysClean: nothing that is kept holds a tag, and cleaning it again changes nothing.
func FuzzWhatIsKeptStaysClean(f *testing.F) {
	for _, seed := range hostile {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		kept := markup.Clean(s)
		require.Equal(t, kept, markup.Clean(kept))
		require.NotContains(t, kept, "\x00")
		for tokens := html.NewTokenizer(strings.NewReader(kept)); tokens.Next() != html.ErrorToken; {
			require.Equal(t, html.TextToken, tokens.Token().Type, "%q of %q", kept, s)
		}
	})
}
