package oidcop

import (
	"slices"

	"github.com/zitadel/oidc/v3/pkg/oidc"

	"serein.app/services/platform/auth"
)

// standardScopes are OpenID Connect's own; every web client may ask for them. All others are of the
// API, and only a client that is configured with them may.
var standardScopes = []string{
	oidc.ScopeOpenID, oidc.ScopeProfile, oidc.ScopeEmail, oidc.ScopePhone, oidc.ScopeAddress, oidc.ScopeOfflineAccess,
}

// tokens of one answer. The library asks the same request for the audience of both: first of the
// access token, then of the ID token.
type tokens struct{ accessMade bool }

func (t *tokens) makeAccess() { t.accessMade = true }

// audience of a member's tokens: the client, and the API for an access token with scopes of the API.
// An ID token is its client's alone, so it is no proof at the API. Services refuse both audiences, so
// that a token held outside never stands for a call of the gateway.
func (t *tokens) audience(clientID string, scopes []string) []string {
	isAPI := func(scope string) bool { return !slices.Contains(standardScopes, scope) }
	if !t.accessMade && slices.ContainsFunc(scopes, isAPI) {
		return []string{clientID, auth.APIAudience}
	}
	return []string{clientID}
}

// stillAllowed are the grant's scopes that its client may still have: what the configuration takes
// away ends with the next refresh.
func (s *storage) stillAllowed(g Grant) []string {
	c, ok := s.clients[g.ClientID]
	return slices.DeleteFunc(slices.Clone(g.Scopes), func(scope string) bool {
		return !slices.Contains(standardScopes, scope) && (!ok || !c.IsScopeAllowed(scope))
	})
}

// scopes are what web clients may ask for.
func (p *Provider) scopes() []string {
	scopes := []string{oidc.ScopeOpenID, oidc.ScopeProfile, oidc.ScopeEmail, oidc.ScopePhone, oidc.ScopeOfflineAccess}
	var api []string
	for _, c := range p.storage.clients {
		if !c.service() {
			api = append(api, c.Scopes...)
		}
	}
	slices.Sort(api)
	api = slices.DeleteFunc(api, func(scope string) bool { return slices.Contains(standardScopes, scope) })
	return append(scopes, slices.Compact(api)...)
}
