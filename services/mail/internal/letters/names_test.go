package letters_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/mail/internal/letters"
)

// pieces are what somebody would make a link, a heading or a line of their own of.
var pieces = []string{
	"http://", "HTTPS://", "//", "www.", "evil", ".example", ".рф", "。com", "．com", "｡com", "/", "@", ":", "#", "# ", "\n", "\r\n", "\u2028", "\t",
	"<a href=", "<h1>", "</p>", "&lt;", "](", "[x](", "**", "=?utf-8?q?", "\u200b", "\u202e", "\x00", " ", "-", "1.", ">", "Ada", "O'Brien", "J.R.", "李",
}

var (
	webAddress = regexp.MustCompile(`(?i)https?://[^\s"<]*`)
	domain     = regexp.MustCompile(`(?i)[\pL\pN-]+\s*[.．。｡][\pL\pN]{2,}|www`)
	heading    = regexp.MustCompile(`(?m)^ {0,3}(#{1,6}(\s|$)|=+\s*$)`)
	tags       = regexp.MustCompile(`(?s)<style.*?</style>|<[^>]*>`)
)

// said is what a member's words made of a letter: its text without our own links.
func said(text string) string { return webAddress.ReplaceAllString(text, "") }

// A5: a member's words go to people who have not asked for them. They can say a name and nothing else.
func TestAMembersWordsNeverBecomeALinkAHeadingOrALine(t *testing.T) {
	t.Parallel()
	words := rapid.OneOf(rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6), func(p []string) string { return strings.Join(p, "") }), rapid.String())
	c := composer(t)
	var ours []letters.Letter // the others are written by somebody else to ourselves, or by one of us
	var nameless []letters.Content
	for _, sample := range letters.Samples() {
		if l := sample.Letter; l.Template != letters.Contact && l.Template != letters.Free {
			without, err := c.Compose(named(l, "", ""))
			require.NoError(t, err)
			ours, nameless = append(ours, l), append(nameless, without)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		given, friend := words.Draw(rt, "given name"), words.Draw(rt, "friend")
		for i, l := range ours {
			requireName(rt, c, named(l, given, friend), nameless[i])
		}
	})
}

// named is a letter with those words of members in it.
func named(l letters.Letter, given, friend string) letters.Letter {
	l.Data.GivenName = given
	if l.Data.Invite != nil {
		invite := *l.Data.Invite
		invite.Inviter, invite.Friend = given, friend
		l.Data.Invite = &invite
	}
	return l
}

// requireName says that a letter has nothing but names more than the one without them.
func requireName(t *rapid.T, c *letters.Composer, l letters.Letter, without letters.Content) {
	got, err := c.Compose(l)
	require.NoError(t, err)
	require.Equal(t, without.Subject, got.Subject, "%s: no name is in a subject", l.Template)
	require.Equal(t, strings.Count(without.Text, "\n"), strings.Count(got.Text, "\n"), "%s: no line more", l.Template)
	require.Equal(t, strings.Count(without.HTML, "\n"), strings.Count(got.HTML, "\n"), l.Template)
	require.Equal(t, webAddress.FindAllString(without.Text, -1), webAddress.FindAllString(got.Text, -1), "%s: no address more", l.Template)
	require.Equal(t, webAddress.FindAllString(without.HTML, -1), webAddress.FindAllString(got.HTML, -1), l.Template)
	require.Equal(t, tags.FindAllString(without.HTML, -1), tags.FindAllString(got.HTML, -1), "%s: no markup more", l.Template)
	for body, calm := range map[string]string{got.Text: without.Text, tags.ReplaceAllString(got.HTML, ""): tags.ReplaceAllString(without.HTML, "")} {
		require.Equal(t, domain.FindAllString(said(calm), -1), domain.FindAllString(said(body), -1), "%s: nothing like a domain more", l.Template)
		require.Empty(t, heading.FindString(said(body)), l.Template)
	}
}

func TestAnInvitationNamesItsInviterAsPlainText(t *testing.T) {
	t.Parallel()
	l := letter(letters.Invitation)
	content := compose(t, l)
	for _, body := range []string{content.Text, content.HTML} {
		require.Contains(t, body, "Hello Grace,")
		require.Contains(t, body, "Ada thinks you might like Serein")
		require.Contains(t, body, "free for 21 days")
		require.Contains(t, body, "https://serein.example/signup?invite=ADA-7K2M")
	}
	for _, name := range []string{"evil.example", "https://evil.example", "Call\n0800 1", "# Win", "Ada\u200b.com", "", strings.Repeat("a ", 40)} {
		l.Data.Invite.Inviter, l.Data.Invite.Friend = name, name
		content, err := composer(t).Compose(l)
		require.NoError(t, err)
		require.Contains(t, content.Text, "Hello,\n", "%q", name)
		require.Contains(t, content.Text, "A friend of yours thinks you might like Serein", "%q", name)
	}
	l.Data.Invite.Code = `a b&c="<x>`
	require.Contains(t, compose(t, l).HTML, `href="https://serein.example/signup?invite=a&#43;b%26c%3D%22%3Cx%3E"`)
}

func TestANumberOrAnAddressInOtherLettersGreetsNobody(t *testing.T) {
	t.Parallel()
	l := letter(letters.Welcome)
	for _, name := range []string{
		"call +44 77 00 90 01 23", "٠٧٧٠٠", "a＠b.c", "＃ Heading", "evil․com", "http：evil",
		"evil﹒com", "evil.\u0301com", "evil۔com", "evil dot com", "evil⁄com", "Ⓦⓦⓦ evil", "¹²³⁴ call",
	} {
		l.Data.GivenName = name
		got, err := composer(t).Compose(l)
		require.NoError(t, err)
		require.NotContains(t, got.Text+got.HTML, name)
	}
	for _, name := range []string{"Ada", "J. R.", "Ludwig 14", "李", "O'Brien", "Zoë", "Zoe\u0308", "Dot Cotton", "देवी", "Нгуен"} {
		l.Data.GivenName = name
		got, err := composer(t).Compose(l)
		require.NoError(t, err)
		require.Contains(t, got.Text, name)
	}
}
