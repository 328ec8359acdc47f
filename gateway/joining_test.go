package gateway

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/session"
	"serein.app/services/platform/outgoing"
	"serein.app/services/testkit/issuer"
)

const (
	confirmCall = "/serein.web.v1.AccountService/ConfirmSignUp"
	resendCall  = "/serein.web.v1.AccountService/ResendConfirmationCode"
	adasCode    = `{"username":"Ada ","code":"123456","timeZone":"Europe/London"}`
)

// answers has the provider answer authorization requests without a page.
func (s *stack) answers(t *testing.T) {
	t.Helper()
	s.services.proofs = map[string]string{"ada": "proof-of-ada", "bela": "proof-of-bela"}
	s.services.answered = func(query string) string {
		res, err := (&http.Client{CheckRedirect: outgoing.StayHere}).Get(s.op.URL + "/authorize?" + query)
		if err != nil {
			return ""
		}
		_ = res.Body.Close()
		back, err := url.Parse(res.Header.Get("Location"))
		if err != nil {
			return ""
		}
		return back.Query().Get("code")
	}
}

func TestWhoConfirmsInTheBrowserThatSignedUpHasASession(t *testing.T) {
	t.Parallel()
	s := start(t, 2)
	s.answers(t)
	b := s.gateways[0].browser(t)
	up := b.call(t, signUpCall, signUp)
	require.Equal(t, http.StatusOK, up.StatusCode)
	require.Contains(t, up.body, `"codeHeldBack":true`)
	require.NotContains(t, up.body, "proof-of-ada", "no page sees it")
	for _, part := range []string{"__Host-serein-joining-", "HttpOnly", "Secure", "SameSite=Lax", "Max-Age=86400"} {
		require.Contains(t, up.Header.Get("Set-Cookie"), part)
	}
	confirmed := b.call(t, confirmCall, adasCode)
	require.Equal(t, http.StatusOK, confirmed.StatusCode, confirmed.body)
	require.Contains(t, confirmed.body, `"signedIn":true`)
	require.Contains(t, b.call(t, getSession, "{}").body, `"givenName":"Ada"`)
	require.Equal(t, "Europe/London", s.op.Asked()[0].Get("time_zone"))
	require.Equal(t, "proof-of-ada", s.services.confirms[0].GetProof())

	b.call(t, confirmCall, adasCode)
	require.Empty(t, s.services.confirms[1].GetProof(), "it is used")
	require.Equal(t, 1, s.sessions())
}

func TestNobodyElseHasASessionByACode(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.answers(t)
	signedUp, other := s.gateways[0].browser(t), s.gateways[0].browser(t)
	require.Equal(t, http.StatusOK, signedUp.call(t, signUpCall, signUp).StatusCode)
	require.Equal(t, http.StatusOK, other.call(t, signUpCall, strings.Replace(signUp, `"ada"`, `"bela"`, 1)).StatusCode)
	confirmed := other.call(t, confirmCall, adasCode)
	require.Equal(t, http.StatusOK, confirmed.StatusCode)
	require.NotContains(t, confirmed.body, "signedIn")
	require.Empty(t, s.services.confirms[0].GetProof(), "another account's proof is not brought")
	require.Empty(t, s.services.confirms[0].GetAuthorization())
	require.Zero(t, s.sessions())
}

func TestSignUpsInTwoTabsKeepEachItsProof(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.answers(t)
	b := s.gateways[0].browser(t)
	for _, name := range []string{"ada", "bela"} {
		require.Equal(t, http.StatusOK, b.call(t, signUpCall, strings.Replace(signUp, `"ada"`, `"`+name+`"`, 1)).StatusCode)
	}
	for _, name := range []string{"ada", "bela"} {
		require.Equal(t, http.StatusOK, b.call(t, resendCall, `{"username":"`+name+`"}`).StatusCode)
	}
	require.Equal(t, "proof-of-ada", s.services.resends[0].GetProof())
	require.Equal(t, "proof-of-bela", s.services.resends[1].GetProof())
}

// The account is confirmed all the same, and its person signs in as ever.
func TestAConfirmationStandsWhereTheSignInBesideItFails(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.answers(t)
	s.op.With(func(b *issuer.Behaviour) { b.NoIDToken = true })
	b := s.gateways[0].browser(t)
	b.call(t, signUpCall, signUp)
	confirmed := b.call(t, confirmCall, adasCode)
	require.Equal(t, http.StatusOK, confirmed.StatusCode)
	require.NotContains(t, confirmed.body, "signedIn")
	require.Empty(t, b.cookie(session.CookieName))
}
