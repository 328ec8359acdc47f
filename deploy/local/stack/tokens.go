package stack

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/google/uuid"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// signInTime is how long MemberToken waits for somebody to sign in.
const signInTime = 5 * time.Minute

// Token signs a service account in with its own credentials and gives its access token. No scope
// asks for all that it may have.
func (s *Stack) Token(ctx context.Context, client string, scopes ...string) (string, error) {
	grant := clientcredentials.Config{
		ClientID: client, ClientSecret: s.ClientSecret(client), TokenURL: s.Issuer() + "/oauth/token", Scopes: scopes,
	}
	token, err := grant.Token(ctx)
	if err != nil {
		return "", fmt.Errorf("sign %s in: %w", client, err)
	}
	return token.AccessToken, nil
}

// MemberToken has a member sign in to the companion in a browser, and returns the access token that
// the companion gets in the member's name, as an app on the member's machine does (RFC 8252, section 7.3). It
// calls show with the address to open.
func (s *Stack) MemberToken(ctx context.Context, show func(address string)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, signInTime)
	defer cancel()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.loopback(companionPart))
	if err != nil {
		return "", err
	}
	app := s.companion(s.companionCallback())
	verifier, state := oauth2.GenerateVerifier(), uuid.NewString()
	came := make(chan string, 1)
	back := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("state") != state {
			http.Error(w, "This is not the sign-in that was begun.", http.StatusBadRequest)
			return
		}
		_, _ = fmt.Fprintln(w, "Signed in. The token is in the terminal, and this page can be closed.")
		select {
		case came <- r.FormValue("code"):
		default:
		}
	})}
	go func() { _ = back.Serve(listener) }()
	defer func() { _ = back.Shutdown(context.WithoutCancel(ctx)) }()
	show(app.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	select {
	case code := <-came:
		token, err := app.Exchange(ctx, code, oauth2.VerifierOption(verifier))
		if err != nil {
			return "", fmt.Errorf("the sign-in was refused: %w", err)
		}
		return token.AccessToken, nil
	case <-ctx.Done():
		return "", errors.New("nobody signed in")
	}
}

// companion is the app of somebody else's that members may sign in to.
func (s *Stack) companion(redirect string) oauth2.Config {
	return oauth2.Config{
		ClientID: CompanionClient, ClientSecret: s.ClientSecret(CompanionClient), RedirectURL: redirect,
		Scopes:   append([]string{"openid"}, RESTScopes...),
		Endpoint: oauth2.Endpoint{AuthURL: s.Issuer() + "/oauth/authorize", TokenURL: s.Issuer() + "/oauth/token"},
	}
}

// companionPart names the port where MemberToken listens.
const companionPart = "companion"

func (s *Stack) companionCallback() string {
	return "http://" + s.loopback(companionPart) + "/signed-in"
}
