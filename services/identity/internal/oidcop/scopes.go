package oidcop

import (
	"slices"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/platform/auth"
)

// standardScopes are OpenID Connect's own; every web client may ask for them. All others are of the
// API, and only a client that is configured with them may.
var standardScopes = []string{
	oidc.ScopeOpenID, oidc.ScopeProfile, oidc.ScopeEmail, oidc.ScopePhone, oidc.ScopeAddress, oidc.ScopeOfflineAccess,
}

// accessAudience is where an access token counts: a service account's at services, a member's here, and at
// the API where it has scopes of the API. No client stands in it, so that it passes for no ID token, and
// services refuse both, so that a token held outside never stands for a call of the gateway.
func accessAudience(issuer string, request op.TokenRequest) []string {
	if _, ok := request.(*serviceRequest); ok {
		return []string{ServiceAudience}
	}
	if slices.ContainsFunc(request.GetScopes(), func(scope string) bool { return !slices.Contains(standardScopes, scope) }) {
		return []string{issuer, auth.APIAudience}
	}
	return []string{issuer}
}

// stillAllowed are the grant's scopes that its client may still have: what the configuration takes
// away ends with the next refresh.
func (s *storage) stillAllowed(g Grant) []string {
	c, ok := s.clients.find(g.ClientID)
	return slices.DeleteFunc(slices.Clone(g.Scopes), func(scope string) bool {
		return !slices.Contains(standardScopes, scope) && (!ok || !c.IsScopeAllowed(scope))
	})
}

// scopes are what web clients may ask for.
func (p *Provider) scopes() []string {
	scopes := []string{oidc.ScopeOpenID, oidc.ScopeProfile, oidc.ScopeEmail, oidc.ScopePhone, oidc.ScopeOfflineAccess}
	var api []string
	for _, c := range p.storage.clients.all() {
		if !c.service() {
			api = append(api, c.Scopes...)
		}
	}
	slices.Sort(api)
	api = slices.DeleteFunc(api, func(scope string) bool { return slices.Contains(standardScopes, scope) })
	return append(scopes, slices.Compact(api)...)
}
