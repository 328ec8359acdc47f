package letters_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/mail/internal/letters"
)

var update = flag.Bool("update", false, "rewrite the golden letters")

// letter is the first sample of a template.
func letter(template letters.Template) letters.Letter {
	for _, s := range letters.Samples() {
		if l := s.Letter; l.Template == template {
			return l
		}
	}
	panic("no sample of " + string(template))
}

func composer(tb testing.TB) *letters.Composer {
	tb.Helper()
	c, err := letters.NewComposer("https://serein.example/", func() time.Time { return letters.SampleTime },
		func(letters.Letter) (string, error) { return "token", nil })
	require.NoError(tb, err)
	return c
}

// Run with -update after the words were changed, and read the difference.
func TestLettersReadAsTheyWereAgreed(t *testing.T) {
	t.Parallel()
	written := map[letters.Template]bool{}
	for _, sample := range letters.Samples() {
		written[sample.Letter.Template] = true
		require.NoError(t, sample.Letter.Check(), sample.Name)
		content, err := composer(t).Compose(sample.Letter)
		require.NoError(t, err)
		for ending, got := range map[string]string{
			".txt": "Subject: " + content.Subject + "\n\n" + content.Text, ".html": content.HTML,
		} {
			path := filepath.Join("testdata", sample.Name+ending)
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), got, path)
		}
	}
	require.Len(t, written, len(letters.Templates), "every letter has a sample")
}

// Days, credits and prices are an editor's to change; a letter that has been sent is not.
func TestTheWelcomePromisesNoNumbers(t *testing.T) {
	t.Parallel()
	content, err := composer(t).Compose(letter(letters.Welcome))
	require.NoError(t, err)
	require.NotRegexp(t, `\d`, content.Subject+content.Text)
	require.NotRegexp(t, `\d`, regexp.MustCompile(`(?s)<style.*?</style>|<[^>]*>|&#\d+;`).ReplaceAllString(content.HTML, ""))
}

// Everybody who confirms is welcomed: also whose mailbox had its trial before, and who bought a membership first.
func TestTheWelcomeClaimsNoTrialThatMayNotRun(t *testing.T) {
	t.Parallel()
	content, err := composer(t).Compose(letter(letters.Welcome))
	require.NoError(t, err)
	for _, body := range []string{content.Text, content.HTML} {
		for _, claim := range []string{"has begun", "our trial", "whole library", "are waiting", "The trial"} {
			require.NotContains(t, body, claim)
		}
		require.Contains(t, body, "The Members Area shows your plan")
	}
}

func TestALetterWithoutANameStillGreets(t *testing.T) {
	t.Parallel()
	l := letter(letters.Welcome)
	l.Data.GivenName = "  "
	content, err := composer(t).Compose(l)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(content.Text, "Hello,\n"))
}

// Mail programs make links of what looks like one, in plain text too.
func TestANameThatLooksLikeAnAddressGreetsNobody(t *testing.T) {
	t.Parallel()
	for _, template := range []letters.Template{letters.Welcome, letters.AccountExists, letters.Receipt, letters.RefundSent, letters.PaymentReturned} {
		l := letter(template)
		for _, name := range []string{"https://evil.example", "evil.example", "www.evil.example/x", "eve@example", "mailto:eve", "Ada evil.рф"} {
			l.Data.GivenName = name
			content, err := composer(t).Compose(l)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(content.Text, "Hello,\n"), name)
			require.NotContains(t, content.Text+content.HTML, name)
		}
		for _, name := range []string{"J.R.", "Mary Jo", "Zoë", "St. John", "O'Brien"} {
			l.Data.GivenName = name
			content, err := composer(t).Compose(l)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(content.Text, "Hello "+name+",\n"), name)
		}
	}
}

// A person who signs up with somebody else's address chooses the username. Only that name shows the
// address's owner that the code is not for them.
func TestTheCodesMailNamesTheAccountItIsFor(t *testing.T) {
	t.Parallel()
	l := letter(letters.ConfirmationCode)
	l.Data.Username = "att1"
	content, err := composer(t).Compose(l)
	require.NoError(t, err)
	for body, name := range map[string]string{content.Text: `"att1"`, content.HTML: "<strong>att1</strong>"} {
		require.Contains(t, body, "the code for the account "+name)
		require.Contains(t, body, "Ignore this email and don’t share the code")
	}
	l.Data.Username = ""
	content, err = composer(t).Compose(l)
	require.NoError(t, err)
	require.NotContains(t, content.Text, "account")
	require.Contains(t, content.Text, "Ignore this email and don’t share the code.")
}

func TestTheCodesMailLeadsBackToTheConfirmStep(t *testing.T) {
	t.Parallel()
	for username, query := range map[string]string{"ada": "ada", "李小龍": "%E6%9D%8E%E5%B0%8F%E9%BE%8D", `a&b="<x>`: "a%26b%3D%22%3Cx%3E"} {
		l := letter(letters.ConfirmationCode)
		l.Data.Username = username
		content, err := composer(t).Compose(l)
		require.NoError(t, err)
		address := "https://serein.example/signup/confirm?username=" + query
		require.Contains(t, content.Text, address+"\n")
		require.Contains(t, content.HTML, `href="`+address+`"`)
	}
	l := letter(letters.ConfirmationCode)
	l.Data.Username = ""
	content, err := composer(t).Compose(l)
	require.NoError(t, err)
	require.NotContains(t, content.Text+content.HTML, "/signup/confirm")
}

func TestNamesCannotAddMarkup(t *testing.T) {
	t.Parallel()
	l := letter(letters.AccountExists)
	l.Data.GivenName, l.Data.Username = `<img src=x onerror=alert(1)>`, `</strong><script>`
	content, err := composer(t).Compose(l)
	require.NoError(t, err)
	require.NotContains(t, content.HTML, "<img")
	require.NotContains(t, content.HTML, "<script>")
}

func TestOnlyLettersWithACodeHoldItAndNoSubjectDoes(t *testing.T) {
	t.Parallel()
	for _, template := range letters.Templates {
		l := letter(template)
		l.Data.Code = "042817"
		content, err := composer(t).Compose(l)
		require.NoError(t, err)
		require.NotContains(t, content.Subject, "042817")
		require.Equal(t, template.HasCode(), strings.Contains(content.Text, "042817"), template)
		require.Equal(t, template.HasCode(), strings.Contains(content.HTML, "042817"), template)
		require.NotContains(t, content.HTML, "<img", "no remote images: opening a mail tells nobody")
		require.NotContains(t, content.HTML, "url(")
	}
}

func TestTheSubjectOfAContactMessageNamesItsWriter(t *testing.T) {
	t.Parallel()
	content, err := composer(t).Compose(letter(letters.Contact))
	require.NoError(t, err)
	require.Equal(t, "New message from Ada Lovelace: ada@example.com via the contact form", content.Subject)
}

func TestWhatSomebodyWritesCannotAddMarkup(t *testing.T) {
	t.Parallel()
	l := letter(letters.Contact)
	l.Data.Writer.Name, l.Data.Writer.Phone, l.Data.Writer.Message = `<img src=x>`, `"><script>`, `</p><img src=x onerror=alert(1)>`
	content, err := composer(t).Compose(l)
	require.NoError(t, err)
	require.NotContains(t, content.HTML, "<img")
	require.NotContains(t, content.HTML, "<script>")
}

func TestAWriterWhoCouldAddHeadersOrNotBeAnsweredIsRefused(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		change func(*letters.Writer)
		err    error
	}{
		"no name":                 {func(w *letters.Writer) { w.Name = "" }, letters.ErrText},
		"no message":              {func(w *letters.Writer) { w.Message = "" }, letters.ErrText},
		"a header in the name":    {func(w *letters.Writer) { w.Name = "Ada\r\nBcc: eve@example.com" }, letters.ErrText},
		"reversed text in a name": {func(w *letters.Writer) { w.Name = "\u202eadA" }, letters.ErrText},
		"a header in the phone":   {func(w *letters.Writer) { w.Phone = "1\nBcc: eve@example.com" }, letters.ErrText},
		"a header in the address": {func(w *letters.Writer) { w.Email = "ada@example.com\r\nBcc: eve@example.com" }, letters.ErrAddress},
		"two addresses":           {func(w *letters.Writer) { w.Email = "ada@example.com,eve@example.com" }, letters.ErrAddress},
		"no address":              {func(w *letters.Writer) { w.Email = "" }, letters.ErrAddress},
		"a message too long":      {func(w *letters.Writer) { w.Message = strings.Repeat("a", 20_001) }, letters.ErrText},
		"a control character":     {func(w *letters.Writer) { w.Message = "\x1b[31m" }, letters.ErrText},
	} {
		l := letter(letters.Contact)
		c.change(l.Data.Writer)
		require.ErrorIs(t, l.Check(), c.err, what)
	}
	require.NoError(t, letter(letters.Contact).Check())
	l := letter(letters.Contact)
	l.Data.Writer = nil
	require.ErrorIs(t, l.Check(), letters.ErrText, "a letter from nobody")
	l = letter(letters.Welcome)
	l.Data.Writer = &letters.Writer{Email: "eve@example.com"}
	require.ErrorIs(t, l.Check(), letters.ErrText, "only the contact form's letters have a writer")
}

func TestATextIsMadePrintableAndKeepsItsLines(t *testing.T) {
	t.Parallel()
	require.Equal(t, "one\ntwo\n\tthree\nfour, שלום\u200f", letters.Printable("one\r\ntwo\n\tth\x00ree\rfour\x1b, שלום\u200f"))
}

func TestAddressesAndNamesThatCouldAddHeadersAreRefused(t *testing.T) {
	t.Parallel()
	for _, to := range []string{
		"", "a", "@", "a@", "@b", "a b@example.com", "a@example.com, b@example.com", "a@example.com;b@example.com",
		"Ada <ada@example.com>", "<ada@example.com>", "ada@example.com\r\nBcc: eve@example.com", "ada@example.com\n",
		"ada@exam\x00ple.com", "ada@example.com (comment)", `"a\"b"@example.com`, `"ada lovelace"@example.com`, "a@[127.0.0.1]",
		"ada\u202e@example.com", "ada@example.com\u2028", strings.Repeat("a", 65) + "@example.com", "a@" + strings.Repeat("b", 260) + ".com", "ada@b@example.com",
		"ada@example.com\xff", "zoë@example.com", "ada@example.com\u200b", "ada@exam\u00adple.com", "\uff41da@example.com",
	} {
		l := letter(letters.Welcome)
		l.To = to
		require.ErrorIs(t, l.Check(), letters.ErrAddress, "%q", to)
	}
	for _, name := range []string{"Ada\r\nBcc: eve@example.com", "Ada\n", "A\x00da", "\x1b[31m", "Ada\u2029", "\u202eadA", "Ada\xff"} {
		l := letter(letters.Welcome)
		l.Data.GivenName = name
		require.ErrorIs(t, l.Check(), letters.ErrText, "%q", name)
		l = letter(letters.AccountExists)
		l.Data.Username = name
		require.ErrorIs(t, l.Check(), letters.ErrText, "%q", name)
	}
	for _, to := range []string{"ada@example.com", "ada+trial@sub.example.co.uk", "o'brien@example.ie", "zoe@exämple.de", "a@b"} {
		l := letter(letters.Welcome)
		l.To, l.Data.GivenName = to, `Zoë "Z" O'Brien, 日本 😀 <b>`
		require.NoError(t, l.Check(), to)
	}
}

func TestALettersDataIsNeverPrinted(t *testing.T) {
	t.Parallel()
	require.NotContains(t, letter(letters.ConfirmationCode).Data.String(), "042817")
	require.NotContains(t, letter(letters.ConfirmationCode).Data.GoString(), "042817")
}
