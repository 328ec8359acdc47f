package login

import (
	"context"
	"errors"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"

	"serein.app/services/platform/auth"
)

// maxAccessToken bounds what is parsed before anything is proved, in bytes.
const maxAccessToken = 4096

// Access is whom an access token of our provider speaks for.
type Access struct {
	// UID of the member; empty for a service account.
	UID string
	// Account is a service account's client id; empty for a member.
	Account string
	// Scopes that were granted.
	Scopes []string
}

// Access proves an access token: our provider's signature, the audience "serein" (so an ID token,
// or a token for another service, is none), and its time. Errors: auth.ErrUnauthenticated,
// PROVIDER_UNAVAILABLE.
func (p *Provider) Access(ctx context.Context, raw string) (Access, error) {
	if len(raw) > maxAccessToken {
		return Access{}, auth.ErrUnauthenticated.Because(errors.New("the token is too long"))
	}
	k, err := p.discover(ctx)
	if err != nil {
		return Access{}, err
	}
	verifier := k.oidc.Verifier(&oidc.Config{ClientID: auth.ServiceAudience, SupportedSigningAlgs: signingAlgs, Now: p.now})
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		return Access{}, auth.ErrUnauthenticated.Because(err)
	}
	var c struct {
		ClientID string `json:"client_id"`
		Scope    string `json:"scope"`
	}
	if err := token.Claims(&c); err != nil || token.Subject == "" {
		return Access{}, auth.ErrUnauthenticated.Because(errors.New("the token names nobody"))
	}
	out := Access{Scopes: strings.Fields(c.Scope)}
	if c.ClientID == token.Subject { // RFC 9068, 2.2: no member stands behind the client
		out.Account = c.ClientID
	} else {
		out.UID = token.Subject
	}
	return out, nil
}
