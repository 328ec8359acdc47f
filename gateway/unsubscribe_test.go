package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/telemetry"
)

const unsubscribeCall = mailv1connect.DeliveryServiceUnsubscribeProcedure

// follow opens the link of a letter.
func (b *browser) follow(t *testing.T, token string) answer {
	t.Helper()
	return b.get(t, "/unsubscribe/"+token, "Accept", "text/html")
}

// oneClick is what a mail program sends (RFC 8058): no cookie and no header of ours.
func (b *browser) oneClick(t *testing.T, token string) answer {
	t.Helper()
	return b.send(t, http.MethodPost, "/unsubscribe/"+token, strings.NewReader("List-Unsubscribe=One-Click"), "Content-Type", "application/x-www-form-urlencoded",
		"Origin", "https://mail.example", "Sec-Fetch-Site", "cross-site")
}

func TestRFC8058OneClickEndsTheLettersAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	program := s.gateways[0].browser(t)
	for range 2 {
		got := program.oneClick(t, aLink)
		require.Equal(t, http.StatusOK, got.StatusCode, "and no redirect")
		require.Contains(t, got.body, "You won’t get any more emails that remind you about your trial and your credits.")
	}
	require.True(t, s.services.ended[aLink])
	require.Equal(t, auth.Subject{}, s.services.subjectOf(unsubscribeCall))
	require.Empty(t, program.cookie("__Host-serein"))

	other := start(t, 1)
	for _, body := range []string{"", "x", strings.Repeat("x", 1<<20)} {
		got := other.gateways[0].browser(t).send(t, http.MethodPost, "/unsubscribe/"+aFriendsLink, strings.NewReader(body), "Content-Type", "multipart/form-data; boundary=x")
		require.Equal(t, http.StatusOK, got.StatusCode, "the link says it all")
	}
	require.True(t, other.services.ended[aFriendsLink])
}

func TestLookingAtALinkChangesNothingAndItsOneButtonEndsTheLetters(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	page := b.follow(t, aLink)
	require.Equal(t, http.StatusOK, page.StatusCode)
	require.Contains(t, page.body, "you won’t get any more emails that remind you about your trial and your credits.")
	require.Contains(t, page.body, `<form method="post">`, "to the same address")
	require.NotContains(t, page.body, "<script")
	require.NotContains(t, page.body, aLink, "the address has it already")
	require.Equal(t, http.StatusOK, b.send(t, http.MethodHead, "/unsubscribe/"+aLink, nil).StatusCode)
	require.Zero(t, s.services.asks(unsubscribeCall))
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
	} {
		require.Equal(t, want, page.Header.Get(name), name)
	}
	require.Equal(t, http.StatusOK, b.oneClick(t, aLink).StatusCode)
	after := b.follow(t, aLink)
	require.Contains(t, after.body, "You won’t get any more")
	require.NotContains(t, after.body, "<form")
}

func TestOnlyMembersAreToldWhereToWishForLettersAgain(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	require.Contains(t, b.oneClick(t, aLink).body, `href="/members"`)
	friend := b.oneClick(t, aFriendsLink).body
	require.Contains(t, friend, "You won’t get any more invitations from friends at Serein.")
	require.NotContains(t, friend, `href="/members"`)
}

func TestALinkThatIsNotOursLeadsToAPageThatSaysSo(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	for _, token := range []string{"x", aLink + "x", "%3Cscript%3E", "%ff%fe", strings.Repeat("x", 513)} {
		for _, got := range []answer{b.follow(t, token), b.oneClick(t, token)} {
			require.Equal(t, http.StatusNotFound, got.StatusCode, token)
			require.Contains(t, got.body, "This link doesn’t work")
			require.NotContains(t, got.body, "<script")
		}
	}
	require.Equal(t, 3, s.services.asks(unsubscribeCall), "what cannot be one is not asked for")
	for _, path := range []string{"/unsubscribe", "/unsubscribe/", "/unsubscribe/a/b"} {
		require.Equal(t, http.StatusNotFound, b.get(t, path).StatusCode, path)
	}
	for _, verb := range []string{http.MethodPut, http.MethodDelete, http.MethodOptions} {
		require.Equal(t, http.StatusNotFound, b.send(t, verb, "/unsubscribe/"+aLink, nil).StatusCode, verb)
	}
	require.Empty(t, s.services.ended)
}

func TestALinksSecretStandsInNoLog(t *testing.T) {
	t.Parallel()
	log := &journal{}
	s := start(t, 1, func(_ *Config, p *settings) {
		var err error
		p.tel, err = telemetry.SetupTo(t.Context(), "gateway", log)
		require.NoError(t, err)
	})
	b := s.gateways[0].browser(t)
	const secret = "v1.bm90LW91cnM.U0VDUkVU"
	b.follow(t, secret)
	b.oneClick(t, secret)
	s.services.mail.Close()
	for _, got := range []answer{b.follow(t, secret), b.oneClick(t, secret)} {
		require.Equal(t, http.StatusServiceUnavailable, got.StatusCode, "so that a mail program comes again")
		require.NotEmpty(t, got.Header.Get("Retry-After"))
		require.Contains(t, got.body, "Nothing has changed yet")
	}
	lines := strings.Join(log.all(), "\n")
	require.Contains(t, lines, "could not be followed")
	require.NotContains(t, lines, secret)
}
