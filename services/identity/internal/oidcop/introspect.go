package oidcop

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	jose "github.com/go-jose/go-jose/v4"
	httphelper "github.com/zitadel/oidc/v3/pkg/http"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// ScopeIntrospect is a service account's that may ask about every client's tokens: an API of somebody else's, which
// members' tokens are brought to.
const ScopeIntrospect = "serein.token.introspect"

// introspection is what is said of a token (RFC 7662, 2.2). Of one that is not good, and of one that is not the
// asker's business, nothing but that is said. It names nobody but by the subject.
type introspection struct {
	Active    bool     `json:"active"`
	Scope     string   `json:"scope,omitempty"`
	ClientID  string   `json:"client_id,omitempty"`
	TokenType string   `json:"token_type,omitempty"`
	Expires   int64    `json:"exp,omitempty"`
	IssuedAt  int64    `json:"iat,omitempty"`
	Subject   string   `json:"sub,omitempty"`
	Audience  []string `json:"aud,omitempty"`
	Issuer    string   `json:"iss,omitempty"`
	ID        string   `json:"jti,omitempty"`
}

// introspect answers a client that has proved itself by its secret: one that can keep none proves nothing, and could
// be anybody who tries tokens (RFC 7662, 2.1 and 4).
func (p *Provider) introspect(w http.ResponseWriter, r *http.Request, c *client) {
	token := r.PostForm.Get("token")
	switch {
	case c.Public:
		op.RequestError(w, r, oidc.ErrUnauthorizedClient().WithDescription("a public client may not introspect"), p.cfg.Log)
		return
	case token == "":
		op.RequestError(w, r, oidc.ErrInvalidRequest().WithDescription("token is missing"), p.cfg.Log)
		return
	}
	found, err := p.inspect(r.Context(), token)
	if err != nil {
		p.cfg.Log.ErrorContext(r.Context(), "introspection failed", "error", err)
		httphelper.MarshalJSONWithStatus(w, oidc.ErrServerError(), http.StatusServiceUnavailable)
		return
	}
	itsBusiness := found.ClientID == c.ID || c.service() && slices.Contains(c.Scopes, ScopeIntrospect)
	if !found.Active || !itsBusiness {
		found = introspection{}
	}
	httphelper.MarshalJSON(w, found)
}

// inspect finds what a token is good for. What its bearer says of its kind is not needed: an access token has dots.
func (p *Provider) inspect(ctx context.Context, token string) (introspection, error) {
	if !strings.Contains(token, ".") {
		return p.inspectRefresh(ctx, token)
	}
	claims, err := p.accessToken(ctx, token)
	if err != nil || !p.cfg.Now().Before(claims.GetExpiration()) {
		return introspection{}, nil //nolint:nilerr // a token that is not good is an answer
	}
	found := introspection{
		Active: true, Scope: scopeOf(claims), ClientID: claims.ClientID, TokenType: oidc.BearerToken, Expires: claims.GetExpiration().Unix(),
		IssuedAt: claims.GetIssuedAt().Unix(), Subject: claims.Subject, Audience: claims.Audience, Issuer: claims.Issuer, ID: claims.JWTID,
	}
	if claims.Subject == claims.ClientID { // RFC 9068, 2.2: a service account's
		c, known := p.storage.clients.find(claims.ClientID)
		found.Active = known && c.service()
		return found, nil
	}
	g, err := p.storage.grantOf(ctx, claims.JWTID)
	if errors.Is(err, ErrNotFound) {
		return introspection{}, nil
	}
	found.Active = g.UID.String() == claims.Subject
	return found, err
}

// inspectRefresh is inspect for a refresh token: good while it is unused, in its time, and its grant stands.
func (p *Provider) inspectRefresh(ctx context.Context, token string) (introspection, error) {
	g, ends, err := p.cfg.Store.LiveRefreshToken(ctx, hash(token), p.storage.at())
	if errors.Is(err, ErrNotFound) {
		return introspection{}, nil
	}
	c, known := p.storage.clients.find(g.ClientID)
	return introspection{
		Active: known && c.staysSignedIn(), Scope: strings.Join(p.storage.stillAllowed(g), " "), ClientID: g.ClientID, Subject: g.UID.String(),
		Expires: ends.Unix(), IssuedAt: g.CreatedAt.Unix(), Issuer: p.cfg.Issuer,
	}, err
}

// accessToken proves one of our access tokens: our signature and time, and its kind, so that no other of our signed
// tokens passes for one (RFC 9068, 4). Whether what it came of still stands is another question.
func (p *Provider) accessToken(ctx context.Context, raw string) (*oidc.AccessTokenClaims, error) {
	signed, err := jose.ParseSignedCompact(raw, algorithms())
	if err != nil {
		return nil, err
	}
	if kind, _ := signed.Signatures[0].Protected.ExtraHeaders[jose.HeaderType].(string); kind != accessTokenType {
		return nil, errors.New("the token is of another kind")
	}
	return op.VerifyAccessToken[*oidc.AccessTokenClaims](ctx, raw, p.op.AccessTokenVerifier(ctx))
}

func scopeOf(claims *oidc.AccessTokenClaims) string { return strings.Join(claims.Scopes, " ") }
