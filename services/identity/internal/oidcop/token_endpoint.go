package oidcop

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	httphelper "github.com/zitadel/oidc/v3/pkg/http"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/keys"
)

// grantsOffered keeps the token endpoint to what is offered; the library would also try
// assertions.
var grantsOffered = []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken, oidc.GrantTypeClientCredentials}

// accessTokenType keeps access tokens apart from ID tokens, which have the same issuer and keys (RFC 9068, 2.1).
const accessTokenType = "at+jwt"

// token answers a client that has proved itself. The library proves grants; the answer is made here,
// since its access tokens cannot be told from ID tokens.
func (p *Provider) token(w http.ResponseWriter, r *http.Request, c *client) {
	grant := oidc.GrantType(r.PostForm.Get("grant_type"))
	answer, err := func() (*oidc.AccessTokenResponse, error) {
		switch {
		case r.PostForm.Get("client_assertion") != "" || !slices.Contains(grantsOffered, grant):
			return nil, errNotOffered
		case !slices.Contains(c.GrantTypes(), grant):
			return nil, oidc.ErrUnauthorizedClient().WithDescription("this client may not use this grant") // RFC 6749, 5.2
		}
		return p.grant(r, c, grant)
	}()
	if err != nil {
		op.RequestError(w, r, err, p.cfg.Log)
		return
	}
	httphelper.MarshalJSON(w, answer)
}

func (p *Provider) grant(r *http.Request, c *client, grant oidc.GrantType) (*oidc.AccessTokenResponse, error) {
	ctx, decoder := r.Context(), p.op.Decoder()
	switch grant { //nolint:exhaustive // the others are not offered
	case oidc.GrantTypeCode:
		in, err := op.ParseAccessTokenRequest(r, decoder)
		if err == nil && in.Code == "" {
			err = oidc.ErrInvalidRequest().WithDescription("code missing")
		}
		if err != nil {
			return nil, err
		}
		request, _, err := op.ValidateAccessTokenRequest(ctx, in, p.op)
		if err != nil {
			return nil, err
		}
		return p.storage.answer(ctx, p.cfg.Issuer, c, request, in.Code, "")
	case oidc.GrantTypeRefreshToken:
		in, err := op.ParseRefreshTokenRequest(r, decoder)
		if err != nil {
			return nil, err
		}
		request, _, err := op.ValidateRefreshTokenRequest(ctx, in, p.op)
		if err != nil {
			return nil, err
		}
		return p.storage.answer(ctx, p.cfg.Issuer, c, request, "", in.RefreshToken)
	}
	request, err := p.storage.ClientCredentialsTokenRequest(ctx, c.GetID(), strings.Fields(r.PostForm.Get("scope")))
	if err != nil {
		return nil, err
	}
	return p.storage.answer(ctx, p.cfg.Issuer, c, request, "", "")
}

// answer makes the tokens of a proved request, all signed with the client's algorithm. A member's come with an ID token.
func (s *storage) answer(ctx context.Context, issuer string, c *client, request op.TokenRequest, code, current string) (*oidc.AccessTokenResponse, error) {
	out := &oidc.AccessTokenResponse{TokenType: oidc.BearerToken, ExpiresIn: uint64(TokenLife.Seconds()), Scope: request.GetScopes()}
	var id string
	var ends time.Time
	key, err := s.ring.Signing(ctx, c.algorithm())
	if err != nil {
		return nil, err // before the code or the refresh token is used up
	}
	if current != "" || slices.Contains(request.GetScopes(), oidc.ScopeOfflineAccess) {
		id, out.RefreshToken, ends, err = s.CreateAccessAndRefreshTokens(ctx, request, current)
	} else {
		id, ends, err = s.CreateAccessToken(ctx, request)
	}
	if err != nil {
		return nil, err
	}
	if out.AccessToken, err = signAccess(key, issuer, c, request, id, ends); err != nil {
		return nil, err
	}
	if member, ok := request.(op.IDTokenRequest); ok {
		out.IDToken, err = op.CreateIDToken(ctx, issuer, member, c.IDTokenLifetime(), out.AccessToken, code, signedBy{s, key}, c)
	}
	return out, err
}

func signAccess(key keys.Signing, issuer string, c *client, request op.TokenRequest, id string, ends time.Time) (string, error) {
	claims := oidc.NewAccessTokenClaims(issuer, request.GetSubject(), accessAudience(issuer, request), ends, id, c.GetID(), 0)
	claims.Claims = map[string]any{"scope": strings.Join(request.GetScopes(), " ")} // RFC 9068, 2.2.3
	return sign(key, accessTokenType, claims)
}

// clientOf is who asks: in the Authorization header or in the form, by its secret, or, where it can keep none,
// by its id alone (RFC 6749, 2.3 and 3.2.1).
func (p *Provider) clientOf(r *http.Request) (*client, bool) {
	if r.Header.Get("Authorization") != "" {
		return p.basicClient(r)
	}
	id, secret := r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	if c, ok := p.storage.clients.find(id); ok && c.Public && secret == "" {
		return c, true
	}
	return p.proves(id, secret)
}

// proved lets a client pass that is who it says. Everybody else is answered as RFC 6749, 5.2 asks:
// 401 invalid_client with the scheme that would do.
func (p *Provider) proved(next func(http.ResponseWriter, *http.Request, *client)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if c, ok := p.clientOf(r); ok {
			next(w, r, c)
			return
		}
		if p.refusable(w, r) {
			w.Header().Set("WWW-Authenticate", `Basic realm="serein", charset="UTF-8"`)
			op.RequestError(w, r, oidc.ErrInvalidClient().WithDescription("unknown client or wrong secret"), p.cfg.Log)
		}
	}
}

// parseForm refuses a form that is too large or repeats a parameter.
func parseForm(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return err
	}
	if repeated(r.Form) {
		return errors.New("a parameter is there twice") // its name is the caller's, and this is logged
	}
	return nil
}

// repeated finds a parameter that is there twice (RFC 6749, 3.1 and 3.2).
func repeated(form url.Values) bool {
	for _, values := range form {
		if len(values) > 1 {
			return true
		}
	}
	return false
}
