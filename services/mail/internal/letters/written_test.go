package letters_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/mail/internal/letters"
)

func TestALetterInSomebodysOwnWordsKeepsWordsAndLinksAndNothingThatActs(t *testing.T) {
	t.Parallel()
	w, err := letters.Write("About\r\nyour parcel ", `<h2>Dear Ada,</h2><p>it is &amp; stays <b>yours</b>.<br>Look <a href="https://post.example/x?a=1&amp;b=2" onclick="x()" style="color:red">here</a>.</p>
		<ul><li>one</li><li>two</li></ul><script>alert(1)</script><style>p{}</style><img src="https://evil.example/p.gif"><form action="/x"><input name="a"></form>
		<a href="javascript:x()">no</a><iframe src="//evil.example"></iframe><p style="background:url(x)">End</p>`)
	require.NoError(t, err)
	require.Equal(t, "About your parcel", w.Subject)
	for _, gone := range []string{"script", "alert", "img", "evil", "form", "input", "onclick", "style", "javascript", "iframe"} {
		require.NotContains(t, w.HTML, gone)
		require.NotContains(t, w.Text, gone)
	}
	require.Contains(t, w.HTML, `<a href="https://post.example/x?a=1&amp;b=2"`)
	require.Equal(t, "Dear Ada,\n\nit is & stays yours.\nLook here (https://post.example/x?a=1&b=2).\n\n- one\n- two\n\nno\n\nEnd", w.Text)
}

func TestALetterOfNothingIsRefused(t *testing.T) {
	t.Parallel()
	for what, c := range map[string][2]string{
		"no subject": {" \n", "<p>a</p>"}, "no words": {"a", "<p> </p>"}, "a picture alone": {"a", `<img src="x">`}, "a script alone": {"a", "<script>x</script>"},
	} {
		_, err := letters.Write(c[0], c[1])
		require.ErrorIs(t, err, letters.ErrText, what)
	}
}

var allowed = regexp.MustCompile(`^</?(p|h[1-4]|em|strong|b|i|ul|ol|li|blockquote|hr|br|div|span|table|tbody|thead|tr|td|th)/?>$|^<a href="(https?://|mailto:)[^"<>]*"( rel="nofollow")?/?>$|^</a>$`)

func TestWhateverIsWrittenOnlyMarkupOfAListIsLeft(t *testing.T) {
	t.Parallel()
	parts := rapid.SampledFrom([]string{
		"<p>", "</p>", "<a href=", `"https://a.example"`, `'javascript:x'`, `"data:text/html,x"`, ">", "<", "<svg/onload=x>", "<math>", "<!--", "-->", "<a", " onmouseover=x",
		"<style>", "</style>", "<p style=x>", "<script", "</script>", "<meta http-equiv=refresh>", "<base href=x>", "&lt;script&gt;", "\x00", "\u2028", "word", "<b/>", "<li>", "\"", "'",
	})
	rapid.Check(t, func(rt *rapid.T) {
		w, err := letters.Write("a", strings.Join(rapid.SliceOfN(parts, 0, 20).Draw(rt, "html"), ""))
		if err != nil {
			require.ErrorIs(rt, err, letters.ErrText)
			return
		}
		for _, tag := range regexp.MustCompile(`<[^>]*>?`).FindAllString(w.HTML, -1) {
			require.Regexp(rt, allowed, tag, w.HTML)
		}
		content, err := composer(t).Compose(letters.Letter{To: "ada@example.com", Template: letters.Free, Data: letters.Data{Written: w}})
		require.NoError(rt, err)
		require.Contains(rt, content.HTML, w.HTML)
		require.True(rt, strings.HasPrefix(content.Text, w.Text))
	})
}
