package identity_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

func (br *browser) do(req *http.Request) page {
	br.t.Helper()
	res, err := br.Do(req)
	require.NoError(br.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(br.t, err)
	return page{status: res.StatusCode, header: res.Header, body: string(body), at: res.Request.URL}
}

func (br *browser) get(address string) page {
	br.t.Helper()
	req, err := http.NewRequestWithContext(br.t.Context(), http.MethodGet, address, nil)
	require.NoError(br.t, err)
	return br.do(req)
}

func (br *browser) post(path string, values url.Values) page {
	br.t.Helper()
	req, err := http.NewRequestWithContext(br.t.Context(), http.MethodPost, br.b.server.URL+path, strings.NewReader(values.Encode()))
	require.NoError(br.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return br.do(req)
}

// open begins an authorization and gives the sign-in page (or the redirect, where none is needed).
func (br *browser) open(client *rp, verifier string, extra ...oauth2.AuthCodeOption) page {
	br.t.Helper()
	options := append([]oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("nonce", "n-1")}, extra...)
	return br.get(client.AuthCodeURL("state-1", options...))
}

// submit fills in the sign-in page.
func (br *browser) submit(p page, login, password string) page {
	br.t.Helper()
	values := p.fields()
	values.Set("login", login)
	values.Set("password", password)
	return br.post("/sign-in", values)
}

// signIn goes all the way to tokens.
func (br *browser) signIn(client *rp, login string) *oauth2.Token {
	br.t.Helper()
	verifier := oauth2.GenerateVerifier()
	answer := br.submit(br.open(client, verifier), login, goodPassword)
	require.Equal(br.t, http.StatusFound, answer.status, answer.body)
	token, err := client.Exchange(client.ctx, answer.location(br.t).Query().Get("code"), oauth2.VerifierOption(verifier))
	require.NoError(br.t, err)
	return token
}
