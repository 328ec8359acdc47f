package oidcop

import (
	"context"
	"errors"
	"slices"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/account"
)

var errClient = errors.New("unknown client or wrong secret")

// GetClientByClientID finds a configured client.
func (s *storage) GetClientByClientID(_ context.Context, id string) (op.Client, error) {
	c, ok := s.clients.find(id)
	if !ok {
		return nil, oidc.ErrInvalidClient().WithParent(errClient)
	}
	return c, nil
}

// AuthorizeClientIDSecret proves a client.
func (s *storage) AuthorizeClientIDSecret(_ context.Context, id, secret string) error {
	c, ok := s.clients.find(id)
	if !ok || !c.proves(secret) {
		return errClient
	}
	return nil
}

// ClientCredentials proves a service account.
func (s *storage) ClientCredentials(ctx context.Context, id, secret string) (op.Client, error) {
	if err := s.AuthorizeClientIDSecret(ctx, id, secret); err != nil {
		return nil, err
	}
	return s.GetClientByClientID(ctx, id)
}

// ClientCredentialsTokenRequest refuses scopes that the account was not given; none asked for
// means all it has.
func (s *storage) ClientCredentialsTokenRequest(_ context.Context, id string, scopes []string) (op.TokenRequest, error) {
	c, ok := s.clients.find(id)
	if !ok || !c.service() {
		return nil, oidc.ErrInvalidClient().WithParent(errClient)
	}
	if len(scopes) == 0 {
		scopes = c.Scopes
	}
	for _, scope := range scopes {
		if !slices.Contains(c.Scopes, scope) {
			return nil, oidc.ErrInvalidScope().WithDescription("this client may not have scope %q", scope)
		}
	}
	return &serviceRequest{clientID: id, scopes: scopes}, nil
}

// SetUserinfoFromScopes does nothing: SetUserinfoFromRequest does.
func (s *storage) SetUserinfoFromScopes(context.Context, *oidc.UserInfo, string, string, []string) error {
	return nil
}

// SetUserinfoFromRequest fills the ID token.
func (s *storage) SetUserinfoFromRequest(ctx context.Context, info *oidc.UserInfo, request op.IDTokenRequest, scopes []string) error {
	a, err := s.member(ctx, request)
	if err != nil {
		return oidc.ErrInvalidGrant().WithParent(err)
	}
	fill(info, a, scopes)
	switch r := request.(type) {
	case *Request:
		info.AppendClaims("sid", r.SID.String())
	case *refreshRequest:
		info.AppendClaims("sid", r.SID.String())
	}
	return nil
}

// member is whom a request's tokens speak of: read with the request where that was found by its code.
func (s *storage) member(ctx context.Context, request op.IDTokenRequest) (account.Account, error) {
	if r, ok := request.(*Request); ok && r.member != nil && r.member.Confirmed {
		return *r.member, nil
	}
	return s.accounts.ByUID(ctx, request.GetSubject())
}

// errTokenEnded is a token whose grant or member is no more.
var errTokenEnded = errors.New("the token has ended")

// SetUserinfoFromToken is not called: userinfo reads the token itself.
func (s *storage) SetUserinfoFromToken(context.Context, *oidc.UserInfo, string, string, string) error {
	return errNotOffered
}

func fill(info *oidc.UserInfo, a account.Account, scopes []string) {
	info.Subject = a.UID.String()
	if slices.Contains(scopes, oidc.ScopeProfile) {
		info.GivenName, info.FamilyName = a.GivenName, a.FamilyName
		info.Name = a.GivenName + " " + a.FamilyName
		info.PreferredUsername = a.Username
	}
	if slices.Contains(scopes, oidc.ScopeEmail) {
		info.Email = a.Email
		info.EmailVerified = oidc.Bool(a.Confirmed)
	}
}

// GetPrivateClaimsFromScopes is not called: signAccess makes access tokens.
func (s *storage) GetPrivateClaimsFromScopes(context.Context, string, string, []string) (map[string]any, error) {
	return nil, errNotOffered
}

// The rest of the library's interface belongs to features that are not offered.

var errNotOffered = oidc.ErrUnsupportedGrantType()

// SetIntrospectionFromToken is not called: introspect answers.
func (s *storage) SetIntrospectionFromToken(context.Context, *oidc.IntrospectionResponse, string, string, string) error {
	return errNotOffered
}

// GetKeyByIDAndClientID is not offered: clients prove themselves by a secret.
func (s *storage) GetKeyByIDAndClientID(context.Context, string, string) (*jose.JSONWebKey, error) {
	return nil, errNotOffered
}

// ValidateJWTProfileScopes is not offered.
func (s *storage) ValidateJWTProfileScopes(context.Context, string, []string) ([]string, error) {
	return nil, errNotOffered
}

// sessionKey is where the handlers hand the browser's session to the storage, through the library.
type sessionKey struct{}

func sessionFrom(ctx context.Context) (Session, bool) {
	session, ok := ctx.Value(sessionKey{}).(Session)
	return session, ok
}
