package oidcop

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/keys"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
)

// ServiceAudience is the audience of service accounts' access tokens; services accept no other.
const ServiceAudience = auth.ServiceAudience

// ClientConfig is one client as the configuration names it. With redirect addresses it is a web
// client that signs members in, and its scopes are what it may ask for in a member's name. Without
// them it is a service account, and its scopes are what it may do itself. It is never both.
type ClientConfig struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
	// Public is an app that can keep no secret: a page's script, or a program on somebody's own machine. It
	// is known by its redirect addresses alone, and proves with PKCE that it goes on with what it began.
	Public bool `json:"public"`
	// PreviousSecret also proves the client, while its secret is being replaced; empty at all other times.
	PreviousSecret string `json:"previous_secret"`
	// RedirectURIs and PostLogoutRedirectURIs are compared exactly.
	RedirectURIs           []string `json:"redirect_uris"`
	PostLogoutRedirectURIs []string `json:"post_logout_redirect_uris"`
	// BackChannelLogoutURI is the address to which the provider sends a notice of each ended session; empty: it sends none.
	BackChannelLogoutURI string `json:"backchannel_logout_uri"`
	// Scopes that may be granted, for example "billing.ledger.read" or "serein.user.read"; and
	// "offline_access" where a client of somebody else may have refresh tokens.
	Scopes []string `json:"scopes"`
	// FirstParty is our own client: members are not asked whether it may act for them, and it may
	// have refresh tokens.
	FirstParty bool `json:"first_party"`
	// PasswordAuth: the client may bring members' passwords (SignInWithPassword). For clients of ours alone.
	PasswordAuth bool `json:"password_auth"`
	// Name is what members are told that the app is called; empty: its id.
	Name string `json:"name"`
	// SigningAlgorithm is what its tokens are signed with (OpenID Connect Dynamic Client Registration 1.0, 2): its ID tokens, and with them
	// its access and logout tokens; empty: RS256.
	SigningAlgorithm keys.Algorithm `json:"id_token_signed_response_alg"`
}

func (c ClientConfig) validate() error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("CLIENTS: %q: "+format, append([]any{c.ID}, args...)...))
	}
	if c.ID == "" || strings.ContainsFunc(c.ID, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' }) {
		fault("an id has printable characters without spaces and colons")
	}
	// The audience of a client's tokens is its id: with such an id members' tokens would be taken
	// for a service account's, or for ones that the API accepts.
	if c.ID == auth.ServiceAudience || c.ID == auth.APIAudience {
		fault("an audience of access tokens cannot be a client's id")
	}
	switch {
	case c.Public && (c.Secret != "" || c.PreviousSecret != ""):
		fault("a public client has no secret")
	case c.Public && len(c.RedirectURIs) == 0:
		fault("a public client needs redirect_uris")
	case !c.Public && (len(c.Secret) < config.MinSecret || c.PreviousSecret != "" && len(c.PreviousSecret) < config.MinSecret):
		fault("a secret needs at least %d characters", config.MinSecret)
	}
	if len(c.RedirectURIs) == 0 && len(c.Scopes) == 0 {
		fault("needs redirect_uris or scopes")
	}
	for _, uri := range slices.Concat(c.RedirectURIs, c.PostLogoutRedirectURIs, c.logoutURIs()) {
		if err := config.CheckURL(uri); err != nil {
			fault("%v", err)
		}
	}
	if c.BackChannelLogoutURI != "" && len(c.RedirectURIs) == 0 {
		fault("nobody signs in to a service account: backchannel_logout_uri is for clients with redirect_uris")
	}
	if c.FirstParty && len(c.RedirectURIs) == 0 {
		fault("a service account is nobody's app: first_party is for clients with redirect_uris")
	}
	if c.PasswordAuth && (!c.FirstParty || c.Secret == "") {
		fault("only a client of ours that has a secret may bring passwords")
	}
	if c.SigningAlgorithm != "" && !slices.Contains(keys.Algorithms, c.SigningAlgorithm) {
		fault("id_token_signed_response_alg is one of %v", keys.Algorithms)
	}
	for _, scope := range c.Scopes {
		if _, said := scopeWords[scope]; !said && !c.FirstParty && len(c.RedirectURIs) > 0 {
			fault("there are no words for members about the scope %q", scope)
		}
		if scope == oidc.ScopeOfflineAccess && len(c.RedirectURIs) > 0 {
			continue
		}
		if scope == "" || slices.Contains(standardScopes, scope) || strings.ContainsFunc(scope, func(r rune) bool { return r <= ' ' || r > '~' }) {
			fault("%q is no scope that can be given", scope)
		}
	}
	return errors.Join(faults...)
}

func (c ClientConfig) logoutURIs() []string {
	if c.BackChannelLogoutURI == "" {
		return nil
	}
	return []string{c.BackChannelLogoutURI}
}

// client is a registered client in the form the protocol library asks for.
type client struct {
	ClientConfig
	// secretHashes are of the secret and, if there is one, of that before it; none of a public client.
	secretHashes [][sha256.Size]byte
	// origins are those of a public client's redirect addresses, whose scripts may read what it is answered.
	origins map[string]bool
	// passwordSecrets are both themselves, where the client may bring passwords: it proves itself with a keyed hash.
	passwordSecrets []config.Secret
}

func newClient(c ClientConfig) *client {
	made := &client{}
	for _, secret := range []string{c.Secret, c.PreviousSecret} {
		if secret != "" {
			made.secretHashes = append(made.secretHashes, sha256.Sum256([]byte(secret)))
		}
		if secret != "" && c.PasswordAuth {
			made.passwordSecrets = append(made.passwordSecrets, config.Secret(secret))
		}
	}
	if c.Public {
		made.origins = origins(c.RedirectURIs)
	}
	c.Secret, c.PreviousSecret = "", ""
	made.ClientConfig = c
	return made
}

// proves compares in constant time. A plain hash will do: the secret is random, not chosen.
func (c *client) proves(secret string) bool {
	given := sha256.Sum256([]byte(secret))
	equal := 0
	for _, known := range c.secretHashes {
		equal |= subtle.ConstantTimeCompare(given[:], known[:])
	}
	return equal == 1
}

func (c *client) service() bool { return len(c.ClientConfig.RedirectURIs) == 0 }

// algorithm is what its tokens are signed with.
func (c *client) algorithm() keys.Algorithm { return cmp.Or(c.SigningAlgorithm, keys.RS256) }

// staysSignedIn says whether it may have refresh tokens, where it asks for them.
func (c *client) staysSignedIn() bool {
	return c.FirstParty || slices.Contains(c.Scopes, oidc.ScopeOfflineAccess)
}

func (c *client) GetID() string                       { return c.ID }
func (c *client) RedirectURIs() []string              { return c.ClientConfig.RedirectURIs }
func (c *client) PostLogoutRedirectURIs() []string    { return c.ClientConfig.PostLogoutRedirectURIs }
func (c *client) ApplicationType() op.ApplicationType { return op.ApplicationTypeWeb }
func (c *client) LoginURL(id string) string           { return pathSignIn + "?request=" + url.QueryEscape(id) }
func (c *client) AccessTokenType() op.AccessTokenType { return op.AccessTokenTypeJWT }
func (c *client) IDTokenLifetime() time.Duration      { return TokenLife }
func (c *client) DevMode() bool                       { return false }
func (c *client) IsScopeAllowed(scope string) bool {
	return !c.service() && slices.Contains(c.Scopes, scope)
}
func (c *client) ClockSkew() time.Duration { return 0 }

// AuthMethod is for the library, which asks a public client for no secret. How others bring theirs is clientOf's to judge.
func (c *client) AuthMethod() oidc.AuthMethod {
	if c.Public {
		return oidc.AuthMethodNone
	}
	return oidc.AuthMethodBasic
}

// IDTokenUserinfoClaimsAssertion puts the profile into the ID token, which saves a round trip.
func (c *client) IDTokenUserinfoClaimsAssertion() bool { return true }

func (c *client) ResponseTypes() []oidc.ResponseType {
	if c.service() {
		return nil
	}
	return []oidc.ResponseType{oidc.ResponseTypeCode}
}

func (c *client) GrantTypes() []oidc.GrantType {
	if c.service() {
		return []oidc.GrantType{oidc.GrantTypeClientCredentials}
	}
	return []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken}
}

func (c *client) RestrictAdditionalIdTokenScopes() func([]string) []string { //nolint:staticcheck // named by the library
	return func(scopes []string) []string { return scopes }
}

func (c *client) RestrictAdditionalAccessTokenScopes() func([]string) []string {
	return func(scopes []string) []string { return scopes }
}
