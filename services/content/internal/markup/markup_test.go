package markup_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/markup"
)

func TestMarkdownBecomesTheHTMLOfAText(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"One *soft* and **strong** word":  "<p>One <em>soft</em> and <strong>strong</strong> word</p>\n",
		"# Title\n\n### Part":             "<h2>Title</h2>\n<h3>Part</h3>\n",
		"- a\n- b":                        "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n",
		"3. a":                            "<ol start=\"3\">\n<li>a</li>\n</ol>\n",
		"> said":                          "<blockquote>\n<p>said</p>\n</blockquote>\n",
		"[us](/about) <mailto:a@b.co>":    "<p><a href=\"/about\">us</a> <a href=\"mailto:a@b.co\">mailto:a@b.co</a></p>\n",
		"a < b & c":                       "<p>a &lt; b &amp; c</p>\n",
		"a <b onclick=x>bold</b> word":    "<p>a bold word</p>\n",
		"[x](javascript:alert(1))":        "<p>x</p>\n",
		"[x](java&#x09;script:alert(1))":  "<p>x</p>\n",
		"![alt](https://elsewhere/p.png)": "<p></p>\n",
		"<script>alert(1)</script>\n\nb":  "<p>b</p>\n",
	} {
		require.Equal(t, strings.TrimSpace(want), strings.TrimSpace(markup.HTML(source)), "%q", source)
	}
}

func TestHTMLThatIsSentIsKeptAsMarkdown(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"<h2>Part</h2><p>One <em>soft</em> and <strong>strong</strong> word</p><ul><li>a</li><li>b</li></ul>": "<h2>Part</h2>\n<p>One <em>soft</em> and <strong>strong</strong> word</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n",
		"<p>One.</p><p>Two<br>lines.</p>":    "<p>One.</p>\n<p>Two<br>\nlines.</p>\n",
		"<p>5 * 3 * 2, a_b_c, # no part</p>": "<p>5 * 3 * 2, a_b_c, # no part</p>\n",
		"<p>a<script>alert(1)</script><style>p{}</style> <u>b</u> <span onclick=x()>c</span></p>": "<p>a b c</p>\n",
		"<p><a href=\"javascript:alert(1)\">x</a> <a href=\"/about\">us</a></p>":                  "<p>x <a href=\"/about\">us</a></p>\n",
		"Plain words":                "<p>Plain words</p>\n",
		"<p>&lt;b&gt; a &amp; b</p>": "<p>a &amp; b</p>\n",
		"":                           "",
	} {
		markdown, err := markup.Markdown(source)
		require.NoError(t, err)
		require.Equal(t, want, markup.HTML(markup.Clean(markdown)), "%q", source)
	}
	_, err := markup.Markdown(strings.Repeat("<div>", 600) + "words")
	require.Error(t, err, "words that cannot be read are not taken for none")
}

func TestTheOpeningIsTwoParagraphs(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][2]string{
		"a\n\nb\n\n## c\n\nd":    {"<p>a</p>\n<p>b</p>\n", "<h2>c</h2>\n<p>d</p>\n"},
		"a\n\n## b\n\nc\n\nd":    {"<p>a</p>\n<h2>b</h2>\n<p>c</p>\n", "<p>d</p>\n"},
		"a":                      {"<p>a</p>\n", ""},
		"- a\n- b\n\n> c\n\nd":   {"<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<blockquote>\n<p>c</p>\n</blockquote>\n", "<p>d</p>\n"},
		"a [x]\n\nb\n\n[x]: /to": {"<p>a <a href=\"/to\">x</a></p>\n<p>b</p>\n", ""},
		"":                       {"", ""},
	} {
		opening, rest := markup.Split(source)
		require.Equal(t, want, [2]string{opening, rest}, "%q", source)
		require.Equal(t, markup.HTML(source), opening+rest)
	}
}

func TestAPreviewIsTheFirstTwentyFiveWords(t *testing.T) {
	t.Parallel()
	plain := markup.Plain("## A *half*way [house](/x)\n\n- one\n- two & <i>three</i>")
	require.Equal(t, "A halfway house one two & three", plain)
	require.Equal(t, plain, markup.Preview(plain))
	long := strings.Repeat("word ", 26)
	require.Equal(t, strings.TrimSpace(strings.Repeat("word ", 25))+"…", markup.Preview(long))
	require.Equal(t, 26, markup.Words(long))
}

func TestWhatIsKeptHasNoMarkupAndAllItsWords(t *testing.T) {
	t.Parallel()
	for _, kept := range []string{
		"> quote", "a < b", "Tea & cake", "a <3 b", "x > y < z", "**bold** _and_ `code`", "[a](https://b.example?c=1&copy=2)",
		"one\n\ntwo\ttabs", "‘It’s’ – \"fine\" 'so'", "# 1\n- 2", "",
	} {
		require.Equal(t, kept, markup.Clean(kept))
	}
	for dirty, want := range map[string]string{
		"a <b>bold</b> word":                           "a bold word",
		"x<script>alert(1)</script>y":                  "xy",
		"x<style>p{}</style><!-- hidden -->y":          "xy",
		"&lt;script&gt;alert(1)&lt;/script&gt;ok":      "ok",
		"&amp;lt;img src=x onerror=y&amp;gt;ok":        "ok",
		"<scr<script>ipt>alert(1)":                     "ipt>alert(1)",
		"<img src=x onerror=alert(1)>ok":               "ok",
		"Tea &amp; cake":                               "Tea & cake",
		"a\x00b\x1b\xff":                               "ab",
		"&" + strings.Repeat("amp;", 200) + "lt;b&gt;": strings.Repeat("amp;", 200-16) + "lt;b>",
	} {
		require.Equal(t, want, markup.Clean(dirty), "%q", dirty)
	}
}

func TestTheLeadOfATextIsItsOpeningWithoutHeadings(t *testing.T) {
	t.Parallel()
	const text = "# A title\n\nIt *rains*.\n\n## Later\n\nIt stops.\n\nFor members alone."
	require.Equal(t, "It rains. It stops.", markup.Lead(text))
	require.Empty(t, markup.Lead("# Nothing else"))
}
