// Package oidcop is the OpenID provider: zitadel/oidc's protocol over identity's own tables,
// and the sign-in that stands between an authorization request and its code.
//
// It refuses what OAuth's security guidance (RFC 9700) refuses: no code without PKCE S256, no
// redirect but the exact registered one, no implicit or password grant, no code twice. A
// refresh token is used once; using it again ends the whole family. An authorization request
// goes on only in the browser that began it.
package oidcop

import (
	"time"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

// Lifetimes.
const (
	// TokenLife of access and ID tokens.
	TokenLife = 15 * time.Minute
	// RefreshLife is how long an unused refresh token is good.
	RefreshLife = 30 * 24 * time.Hour
	// GrantLife is when a member signs in again, however busy the tokens are.
	GrantLife = 90 * 24 * time.Hour
	// RefreshGrace is how long after its use a refresh token gives its successor once more, if that was never
	// used: the answer was lost on its way, or two asked at once. Longer than a retry takes.
	RefreshGrace = 10 * time.Second
	// RequestLife is how long the sign-in page may stay open.
	RequestLife = 30 * time.Minute
	// CodeLife of an authorization code, seconds rather than RFC 6749's ten minutes at most.
	CodeLife = time.Minute
	// SessionLife of the provider's own session: a second sign-in the same day is silent.
	SessionLife = 12 * time.Hour
)

// Request is an authorization request from its start to the exchange of its code. Until somebody has
// signed in to it the browser carries it, sealed; then it is a row.
type Request struct {
	ID            uuid.UUID
	ClientID      string
	RedirectURI   string
	Scopes        []string
	State         string
	Nonce         string
	CodeChallenge string
	Prompt        []string
	// MaxAge in seconds; nil: any.
	MaxAge    *int32
	LoginHint string
	// HintUID is who the client expects (id_token_hint); empty: anybody.
	HintUID string
	// Browser is the hash of the cookie of the browser that began.
	Browser   []byte
	CreatedAt time.Time
	ExpiresAt time.Time
	// PendingUID is the account that gave its password here and waits for its code.
	PendingUID *uuid.UUID
	// UID, SID and AuthTime are set once somebody has signed in.
	UID      *uuid.UUID
	SID      *uuid.UUID
	AuthTime *time.Time
	// Exchanged: the code was used; GrantID is what came of it.
	Exchanged bool
	GrantID   *uuid.UUID

	// sealed is the form in which the browser carries it.
	sealed string
}

// Session is the provider's own session of one browser.
type Session struct {
	SID        uuid.UUID
	CookieHash []byte
	UID        uuid.UUID
	AuthTime   time.Time
	ExpiresAt  time.Time
}

// Grant is the family of tokens of one sign-in at one client.
type Grant struct {
	ID        uuid.UUID
	UID       uuid.UUID
	ClientID  string
	SID       uuid.UUID
	Scopes    []string
	AuthTime  time.Time
	CreatedAt time.Time
	ExpiresAt time.Time
}

// The methods that op.AuthRequest asks for.

// GetID is the request's id.
func (r *Request) GetID() string { return r.ID.String() }

// GetACR is empty: there is one way to sign in.
func (r *Request) GetACR() string { return "" }

// GetAMR says that a password was given (RFC 8176).
func (r *Request) GetAMR() []string { return []string{"pwd"} }

// GetAudience of the ID token; that of the access token is accessAudience.
func (r *Request) GetAudience() []string { return []string{r.ClientID} }

// GetAuthTime is when the password was given.
func (r *Request) GetAuthTime() time.Time {
	if r.AuthTime == nil {
		return time.Time{}
	}
	return *r.AuthTime
}

// GetClientID is the client.
func (r *Request) GetClientID() string { return r.ClientID }

// GetCodeChallenge is always there: PKCE is required.
func (r *Request) GetCodeChallenge() *oidc.CodeChallenge {
	return &oidc.CodeChallenge{Challenge: r.CodeChallenge, Method: oidc.CodeChallengeMethodS256}
}

// GetNonce is the client's nonce.
func (r *Request) GetNonce() string { return r.Nonce }

// GetRedirectURI is one of the client's registered ones.
func (r *Request) GetRedirectURI() string { return r.RedirectURI }

// GetResponseType is always code.
func (r *Request) GetResponseType() oidc.ResponseType { return oidc.ResponseTypeCode }

// GetResponseMode is always query.
func (r *Request) GetResponseMode() oidc.ResponseMode { return oidc.ResponseModeQuery }

// GetScopes are those granted.
func (r *Request) GetScopes() []string { return r.Scopes }

// GetState is the client's state.
func (r *Request) GetState() string { return r.State }

// GetSubject is who signed in.
func (r *Request) GetSubject() string {
	if r.UID == nil {
		return ""
	}
	return r.UID.String()
}

// Done says whether somebody has signed in.
func (r *Request) Done() bool { return r.UID != nil }

// refreshRequest is a grant that is being refreshed.
type refreshRequest struct {
	Grant
	scopes []string
}

func (r *refreshRequest) GetAMR() []string                 { return []string{"pwd"} }
func (r *refreshRequest) GetAudience() []string            { return []string{r.ClientID} }
func (r *refreshRequest) GetAuthTime() time.Time           { return r.AuthTime }
func (r *refreshRequest) GetClientID() string              { return r.ClientID }
func (r *refreshRequest) GetScopes() []string              { return r.scopes }
func (r *refreshRequest) GetSubject() string               { return r.UID.String() }
func (r *refreshRequest) SetCurrentScopes(scopes []string) { r.scopes = scopes }

// serviceRequest is a service account that asks for its access token.
type serviceRequest struct {
	clientID string
	scopes   []string
}

func (r *serviceRequest) GetSubject() string    { return r.clientID }
func (r *serviceRequest) GetAudience() []string { return []string{ServiceAudience} }
func (r *serviceRequest) GetScopes() []string   { return r.scopes }
