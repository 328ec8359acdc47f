package smtp_test

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	gosmtp "github.com/emersion/go-smtp"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/smtp"
	"serein.app/services/mail/internal/smtp/smtptest"
)

func letter() letters.Letter {
	return letters.Letter{
		ID: uuid.MustParse("019aa3c4-0000-7000-8000-000000000001"), To: "ada@example.com", Template: letters.ConfirmationCode,
		Data:      letters.Data{GivenName: "Ada", Code: "042817"},
		CreatedAt: time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC), ExpiresAt: time.Date(2027, 3, 1, 9, 15, 0, 0, time.UTC),
	}
}

var content = letters.Content{Subject: "Your code", Text: "Hello\n.\nfull stop\n", HTML: "<p>Hello £ ä 😀</p>"}

func sender(tb testing.TB, url string) *smtp.Sender {
	tb.Helper()
	s, err := smtp.New(url, "Serein <hello@serein.example>")
	require.NoError(tb, err)
	return s
}

func TestAMessageHasTheHeadersAndPartsThatItShould(t *testing.T) {
	t.Parallel()
	server := smtptest.New(t)
	require.NoError(t, sender(t, server.URL).Send(t.Context(), letter(), content))
	require.Len(t, server.Accepted(), 1)
	message := server.Accepted()[0]
	require.Equal(t, "hello@serein.example", message.From)
	require.Equal(t, []string{"ada@example.com"}, message.To)

	parsed := message.Parse(t)
	require.Equal(t, `"Serein" <hello@serein.example>`, parsed.Header.Get("From"))
	require.Equal(t, `"Ada" <ada@example.com>`, parsed.Header.Get("To"))
	require.Equal(t, "<019aa3c4-0000-7000-8000-000000000001@serein.example>", parsed.Header.Get("Message-Id"))
	require.Equal(t, "auto-generated", parsed.Header.Get("Auto-Submitted"))
	date, err := parsed.Header.Date()
	require.NoError(t, err)
	require.True(t, date.Equal(letter().CreatedAt), "the date is the letter's, not the attempt's")
	requireHeaders(t, parsed)

	kind, params, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	require.NoError(t, err)
	require.Equal(t, "multipart/alternative", kind)
	parts := multipart.NewReader(parsed.Body, params["boundary"])
	for _, want := range []struct{ kind, body string }{
		{"text/plain; charset=UTF-8", content.Text}, {"text/html; charset=UTF-8", content.HTML},
	} {
		part, err := parts.NextRawPart()
		require.NoError(t, err)
		require.Equal(t, want.kind, part.Header.Get("Content-Type"))
		require.Equal(t, "quoted-printable", part.Header.Get("Content-Transfer-Encoding"))
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		require.NoError(t, err)
		require.Equal(t, strings.TrimSpace(want.body), strings.TrimSpace(strings.ReplaceAll(string(body), "\r\n", "\n")))
	}
	_, err = parts.NextPart()
	require.ErrorIs(t, err, io.EOF)
}

func requireHeaders(tb testing.TB, parsed *netmail.Message, more ...string) {
	tb.Helper()
	var names []string
	for name, values := range parsed.Header {
		require.Len(tb, values, 1, name)
		names = append(names, name)
	}
	require.ElementsMatch(tb, append(more, "Auto-Submitted", "Content-Type", "Date", "From", "Message-Id", "Mime-Version", "Subject", "To"), names)
}

func contact(name, email string) letters.Letter {
	l := letter()
	l.ID, l.To, l.Template = uuid.New(), "connect@serein.example", letters.Contact
	l.Data = letters.Data{Writer: &letters.Writer{Name: name, Email: email, Message: "Hello"}}
	return l
}

// FuzzWriters: whatever passes the check arrives as one message to our mailbox, with exactly the expected headers, whose
// answer goes to the writer and whose subject names them.
func FuzzWriters(f *testing.F) {
	for _, seed := range []struct{ name, email string }{
		{"Ada Lovelace", "ada@example.com"},
		{`"Ada" <eve@example.com>`, "o'brien@example.ie"},
		{"Ada\r\nBcc: eve@example.com", "ada@example.com\r\nBcc: eve@example.com"},
		{"日本 😀", "zoë@exämple.de"},
		{strings.Repeat("ä", 100), "a=b@example.com"},
		{"=?utf-8?q?Eve=0D=0ABcc:_x?=", "{a|b}~$%@example.com"},
		{strings.Repeat("a", 100), strings.Repeat("b", 64) + "@" + strings.Repeat("c.", 90) + "de"},
	} {
		f.Add(seed.name, seed.email)
	}
	server := smtptest.New(f)
	s := sender(f, server.URL)
	composer, err := letters.NewComposer("https://serein.example", time.Now, func(letters.Letter) (string, error) { return "token", nil })
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, name, email string) {
		l := contact(name, email)
		words, err := composer.Compose(l)
		require.NoError(t, err)
		if l.Check() != nil {
			require.ErrorIs(t, s.Send(t.Context(), l, words), smtp.ErrRejected)
			return
		}
		require.NoError(t, s.Send(t.Context(), l, words))
		message := server.Accepted()[len(server.Accepted())-1]
		require.Equal(t, []string{"connect@serein.example"}, message.To)
		parsed := message.Parse(t)
		requireHeaders(t, parsed, "Reply-To")
		list, err := parsed.Header.AddressList("Reply-To")
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, email, list[0].Address)
		subject, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
		require.NoError(t, err)
		// Blanks may be folded, and what looks like an encoded word has one more.
		require.Equal(t, strings.Join(strings.Fields(words.Subject), ""), strings.Join(strings.Fields(subject), ""))
	})
}

// FuzzNamesAndAddresses: whatever passes the check arrives as one message to one recipient
// with exactly the expected headers, and the name reads back as it was.
func FuzzNamesAndAddresses(f *testing.F) {
	for _, seed := range []struct{ name, to string }{
		{"Ada", "ada@example.com"},
		{`"Ada" <eve@example.com>`, "ada@example.com"},
		{"Ada, Eve", "o'brien@example.ie"},
		{"Ada\r\nBcc: eve@example.com", "ada@example.com\r\nRCPT TO:<eve@example.com>"},
		{"日本 😀", "zoë@exämple.de"},
		{"=?utf-8?q?Eve=0D=0ABcc:_x?=", "a=b@example.com"},
		{strings.Repeat("long name ", 40), "a@b"},
		{"(comment)", "{a|b}~$%@example.com"},
		{".", "a..b@example.com"},
		{"\\", "a%b@example.com"},
		{"a\u00a0b", "a/b@example.com"},
		{"Ada:;", "a@example.com:25"},
		{"Ada  Eve", "a@example.com"},
	} {
		f.Add(seed.name, seed.to)
	}
	server := smtptest.New(f)
	s := sender(f, server.URL)
	f.Fuzz(func(t *testing.T, name, to string) {
		l := letter()
		l.ID = uuid.New()
		l.Data.GivenName, l.To = name, to
		if l.Check() != nil {
			require.ErrorIs(t, s.Send(t.Context(), l, content), smtp.ErrRejected)
			return
		}
		require.NoError(t, s.Send(t.Context(), l, content))
		message := server.Accepted()[len(server.Accepted())-1]
		require.Equal(t, []string{to}, message.To)
		parsed := message.Parse(t)
		requireHeaders(t, parsed)
		list, err := parsed.Header.AddressList("To")
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, to, list[0].Address)
		// Spaces side by side come as one, and a backslash in a name of other than ASCII letters as its full-width twin.
		said := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' }), " ")
		if said = strings.TrimSpace(said); strings.ContainsFunc(said, func(r rune) bool { return r > unicode.MaxASCII }) {
			said = strings.ReplaceAll(said, `\`, "＼")
		}
		require.Equal(t, said, list[0].Name)
	})
}

func TestALetterThatPeopleMayDoWithoutHasTheHeadersOfOneClick(t *testing.T) {
	t.Parallel()
	server := smtptest.New(t)
	c := content
	c.Unsubscribe = "https://serein.example/unsubscribe/" + strings.Repeat("a", 300)
	require.NoError(t, sender(t, server.URL).Send(t.Context(), letter(), c))
	parsed := server.Accepted()[0].Parse(t)
	requireHeaders(t, parsed, "List-Unsubscribe", "List-Unsubscribe-Post")
	require.Equal(t, "<"+c.Unsubscribe+">", parsed.Header.Get("List-Unsubscribe"))
	require.Equal(t, "List-Unsubscribe=One-Click", parsed.Header.Get("List-Unsubscribe-Post"))
}

func TestThatNobodyIsThereIsToldFromARefusalByPolicy(t *testing.T) {
	t.Parallel()
	for status, nobody := range map[gosmtp.EnhancedCode]bool{
		{5, 1, 1}: true, {5, 1, 2}: true, {5, 1, 3}: true, {5, 1, 6}: true, {5, 1, 10}: true, {5, 2, 1}: true,
		{5, 0, 0}: false, {5, 1, 7}: false, {5, 1, 8}: false, {5, 2, 2}: false, {5, 3, 4}: false, {5, 7, 1}: false, {5, 7, 26}: false,
	} {
		server := smtptest.New(t)
		server.Fail = func(smtptest.Message) error { return &gosmtp.SMTPError{Code: 550, EnhancedCode: status, Message: "no"} }
		err := sender(t, server.URL).Send(t.Context(), letter(), content)
		require.ErrorIs(t, err, smtp.ErrRejected)
		require.Equal(t, nobody, errors.Is(err, smtp.ErrNobody), status)
	}
	server := smtptest.New(t)
	server.Fail = func(smtptest.Message) error {
		return &gosmtp.SMTPError{Code: 450, EnhancedCode: gosmtp.EnhancedCode{4, 1, 1}, Message: "later"}
	}
	require.NotErrorIs(t, sender(t, server.URL).Send(t.Context(), letter(), content), smtp.ErrRejected)
}

func TestRefusalsForGoodAndForNowAreToldApart(t *testing.T) {
	t.Parallel()
	for code, good := range map[int]bool{421: false, 450: false, 451: false, 452: false, 550: true, 552: true, 554: true} {
		server := smtptest.New(t)
		server.Fail = func(smtptest.Message) error {
			return &gosmtp.SMTPError{Code: code, Message: "<" + letter().To + "> is not welcome"}
		}
		err := sender(t, server.URL).Send(t.Context(), letter(), content)
		require.Error(t, err)
		require.NotContains(t, err.Error(), letter().To, "errors are logged")
		require.Contains(t, err.Error(), strconv.Itoa(code))
		if good {
			require.ErrorIs(t, err, smtp.ErrRejected, "%d", code)
		} else {
			require.NotErrorIs(t, err, smtp.ErrRejected, "%d", code)
		}
		require.NotErrorIs(t, err, smtp.ErrUncertain, "the server has answered")
		require.NotContains(t, err.Error(), "042817")
	}
}

func TestAServerThatIsAwayIsWorthAnotherAttempt(t *testing.T) {
	t.Parallel()
	err := sender(t, "smtp://127.0.0.1:1").Send(t.Context(), letter(), content)
	require.Error(t, err)
	require.NotErrorIs(t, err, smtp.ErrRejected)
}

func TestAddressesOfServersAreChecked(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "localhost:25", "http://host:25", "smtp://", "smtp://host:x", "smtp://user:s3cret@host:25/path", "smtp://user:s3cret@ho st"} {
		_, err := smtp.New(url, "Serein <hello@serein.example>")
		require.Error(t, err, url)
		require.NotContains(t, err.Error(), "s3cret", "passwords stay out of errors")
	}
	_, err := smtp.New("smtp://host:25", "not an address")
	require.Error(t, err)
	_, err = smtp.New("smtp://user:pass@host", "hello@serein.example")
	require.NoError(t, err)
}

// A server that does not offer STARTTLS, or whose offer somebody took away, gets nothing in the clear.
func TestRequiredTLSSendsNothingInTheClear(t *testing.T) {
	t.Parallel()
	server := smtptest.New(t)
	for _, url := range []string{server.URL + "?tls=required", strings.Replace(server.URL, "smtp:", "smtps:", 1)} {
		require.Error(t, sender(t, url).Send(t.Context(), letter(), content), url)
	}
	require.Empty(t, server.Accepted())
	require.NoError(t, sender(t, server.URL+"?tls=opportunistic").Send(t.Context(), letter(), content))
	require.Len(t, server.Accepted(), 1)
}

// The name leads to this machine in the end, but it is not one of those that are known to.
func TestTLSIsRequiredOffThisMachineUnlessItIsSaidOtherwise(t *testing.T) {
	t.Parallel()
	server := smtptest.New(t)
	elsewhere := strings.Replace(server.URL, "127.0.0.1", "LocalHost", 1)
	require.Error(t, sender(t, elsewhere).Send(t.Context(), letter(), content))
	require.Empty(t, server.Accepted())
	require.NoError(t, sender(t, elsewhere+"?tls=opportunistic").Send(t.Context(), letter(), content))
	require.Len(t, server.Accepted(), 1)
	for _, bad := range []string{"smtp://h?tls=off", "smtps://h?tls=opportunistic", "smtp://h?tls=", "http://h", "smtps://", "smtp://h/path"} {
		_, err := smtp.New(bad, "a@b.example")
		if bad == "smtp://h?tls=" { // nothing said is the default
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "SMTP_URL", bad)
	}
}
