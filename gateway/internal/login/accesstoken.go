package login

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

// maxAccessToken bounds what is parsed before anything is proved, in bytes.
const maxAccessToken = 4096

// Access is whom an access token of our provider speaks for.
type Access struct {
	// UID of the member; empty for a service account.
	UID string
	// Account is a service account's client id; empty for a member.
	Account string
	// TokenID is the token's jti.
	TokenID string
	// Scopes that were granted.
	Scopes []string
}

// What a caller hears who may bring an access token.
var (
	// ErrCaller: there is neither a session nor a token that is good.
	ErrCaller = errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_UNAUTHENTICATED, "Please sign in, or bring an access token.")
	// ErrScope: the token is good, and was not granted what the call needs.
	ErrScope = errs.New(errs.Forbidden, errorsv1.Reason_REASON_SCOPE_REQUIRED, "This access token was not granted the scope of this call.")
)

// Challenge says in the answer's headers what a token lacks (RFC 6750, 3 and 3.1), where the refusal is about a token. Who brought none
// hears no error. scopes are those of which the token needs one.
func Challenge(h, asked http.Header, refusal error, scopes ...string) {
	challenge := `Bearer realm="serein"`
	switch {
	case errors.Is(refusal, ErrScope):
		challenge += `, error="insufficient_scope", scope="` + strings.Join(scopes, " ") + `"`
	case errs.KindOf(refusal) != errs.Unauthenticated:
		return
	case asked.Get("Authorization") != "":
		challenge += `, error="invalid_token"`
	}
	h.Set("WWW-Authenticate", challenge)
}

// Access proves an access token: our provider's signature, its time, and the audience: that of the
// API where a client holds it for a member, that of services where it is a service account's own. So
// a token of mere sign-in is none, and what a member's client holds opens no service. An ID token
// has no scopes. Errors: auth.ErrUnauthenticated, PROVIDER_UNAVAILABLE.
func (p *Provider) Access(ctx context.Context, raw string) (Access, error) {
	if len(raw) > maxAccessToken {
		return Access{}, auth.ErrUnauthenticated.Because(errors.New("the token is too long"))
	}
	d, err := p.discover(ctx)
	if err != nil {
		return Access{}, err
	}
	verifier := oidc.NewVerifier(p.cfg.Issuer, d.keys, &oidc.Config{SkipClientIDCheck: true, SupportedSigningAlgs: signingAlgs, Now: p.now})
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		return Access{}, auth.ErrUnauthenticated.Because(err)
	}
	var c struct {
		ClientID string `json:"client_id"`
		Scope    string `json:"scope"`
		ID       string `json:"jti"`
	}
	if err := token.Claims(&c); err != nil || token.Subject == "" {
		return Access{}, auth.ErrUnauthenticated.Because(errors.New("the token names nobody"))
	}
	out, audience := Access{UID: token.Subject, TokenID: c.ID, Scopes: strings.Fields(c.Scope)}, auth.APIAudience
	if c.ClientID == token.Subject { // RFC 9068, 2.2: no member stands behind the client
		out.UID, out.Account, audience = "", c.ClientID, auth.ServiceAudience
	}
	if !slices.Contains(token.Audience, audience) {
		return Access{}, auth.ErrUnauthenticated.Because(fmt.Errorf("the token is for %v, not %q", token.Audience, audience))
	}
	return out, nil
}
