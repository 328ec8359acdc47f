// Package oidcop is the OpenID provider: zitadel/oidc's protocol over identity's own tables,
// and the sign-in that stands between an authorization request and its code.
//
// It refuses what OAuth's security guidance (RFC 9700) refuses: no code without PKCE S256, no
// redirect but the exact registered one, no implicit or password grant, no code twice. (A client of
// ours that proves its secret may bring passwords by the sign-up API, where it is configured so.) A
// refresh token is used once; using it again ends the whole family. An authorization request
// goes on only in the browser that began it.
package oidcop

import (
	"time"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/oidc"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/device"
	"serein.app/services/platform/renewal"
)

// Lifetimes.
const (
	// TokenLife of access and ID tokens.
	TokenLife = 15 * time.Minute
	// RefreshLife is how long an unused refresh token is good.
	RefreshLife = 30 * 24 * time.Hour
	// GrantLife is when a member signs in again, however busy the tokens are.
	GrantLife = 90 * 24 * time.Hour
	// RequestLife is how long the sign-in page may stay open.
	RequestLife = 30 * time.Minute
	// OwnRequestLife is the same for a client of ours: it ends before the gateway forgets its sign-in (15 minutes), so that the page says
	// to start again and no right password ends at the gateway's refusal.
	OwnRequestLife = 14 * time.Minute
	// CodeLife of an authorization code, seconds rather than RFC 6749's ten minutes at most.
	CodeLife = time.Minute
	// SessionLife of the provider's own session: a second sign-in the same day is silent.
	SessionLife = 12 * time.Hour
	// UseEvery is how often the use of a session is written down, at most.
	UseEvery = 5 * time.Minute
)

// RefreshGrace is how long after its use a refresh token gives its successor once more, if that was never
// used: the answer was lost on its way, or two asked at once. Longer than the gateway's next try takes.
var RefreshGrace = renewal.Grace

// MaxSessions is how many sessions a member may have, of browsers that are known by their names and of all else: a sign-in beyond them
// ends the one of its sort that was not used for the longest time. So no program that signs in over and over ends those of browsers.
const MaxSessions = 50

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
	// Place is the city of the time zone that the client's page told; empty for none.
	Place string `json:",omitempty"`
	// ResetLogin is the username or address whose password is said to be forgotten here; empty for none.
	ResetLogin string `json:",omitempty"`
	// LeavingUID is the account that gave its password here and is to be deleted.
	LeavingUID *uuid.UUID
	// ByPasskey: the member signed in with a passkey, and not with a password.
	ByPasskey bool `json:",omitempty"`
	// CodeUID is the account that gave its password here and is asked for a code of its second step, and CodeBy until when.
	CodeUID *uuid.UUID `json:",omitempty"`
	CodeBy  time.Time  `json:",omitzero"`
	// SecondStep: the member gave a code of the second step as well.
	SecondStep bool `json:",omitempty"`
	// PasswordChanges is the account's number of them when its member was proved here.
	PasswordChanges int64 `json:",omitempty"`
	// UID, SID and AuthTime are set once somebody has signed in.
	UID      *uuid.UUID
	SID      *uuid.UUID
	AuthTime *time.Time
	// Exchanged: the code was used; GrantID is what came of it.
	Exchanged bool
	GrantID   *uuid.UUID

	// sealed is the form in which the browser carries it.
	sealed string
	// direct: a client of ours has brought the password, so there is no row of a request.
	direct bool
	// member is who has signed in, where it was read with the request; nil: not yet.
	member *account.Account
}

// Answer is a request that somebody has signed in to, with its one code; without a Request there is none.
type Answer struct {
	Request  *Request
	CodeHash []byte
	// Expires is the code's end.
	Expires time.Time
}

// Session is the provider's own session of one browser.
type Session struct {
	SID        uuid.UUID
	CookieHash []byte
	UID        uuid.UUID
	AuthTime   time.Time
	ExpiresAt  time.Time
	// Device is what the browser runs on, and Place where about it is, as it told when it last signed in; Place is empty where it did not.
	Device device.Device
	Place  string
	// BeganAt is the first sign-in, UsedAt the last use, to UseEvery.
	BeganAt time.Time
	UsedAt  time.Time
	// ByPasskey: it was begun with a passkey, and not with a password. SecondStep: with a password and a code beside it.
	ByPasskey, SecondStep bool
	// PasswordChanges is the account's number of them when its member was proved: a Store begins no session once that is past.
	PasswordChanges int64
	// Browser is the hash of the secret that the browser held before it signed in. It is empty for a session that no browser holds.
	Browser []byte
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
	// ByPasskey: it came of a session that was begun with a passkey; SecondStep: with a password and a code beside it.
	ByPasskey, SecondStep bool
}

// amr says how somebody signed in (RFC 8176): with a password, with a code beside it, or by the proof of a key and that they were there.
func amr(byPasskey, secondStep bool) []string {
	switch {
	case byPasskey:
		return []string{"pop", "user"}
	case secondStep:
		return []string{"pwd", "otp", "mfa"}
	}
	return []string{"pwd"}
}

// The methods that op.AuthRequest asks for.

// GetID is the request's id.
func (r *Request) GetID() string { return r.ID.String() }

// GetACR is empty: there is one way to sign in.
func (r *Request) GetACR() string { return "" }

// GetAMR says how somebody signed in.
func (r *Request) GetAMR() []string { return amr(r.ByPasskey, r.SecondStep) }

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

func (r *refreshRequest) GetAMR() []string                 { return amr(r.ByPasskey, r.SecondStep) }
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
