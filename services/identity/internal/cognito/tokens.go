package cognito

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"serein.app/services/identity/internal/oidcop"
)

// Provider gives tokens and knows whose they are; oidcop.Provider does.
type Provider interface {
	Bearer(ctx context.Context, token string) (oidcop.Bearer, error)
	SignInWithPassword(ctx context.Context, in oidcop.PasswordSignIn) (oidcop.Tokens, error)
	Renew(ctx context.Context, address, clientID, secret, token string) (oidcop.Tokens, error)
	RevokeRefreshToken(ctx context.Context, address, clientID, secret, token string) error
	SignOutEverywhere(ctx context.Context, uid uuid.UUID) error
}

// flowPassword is the one way of InitiateAuth that is offered: no password that is chosen here is kept in the form that SRP needs,
// and refresh tokens are replaced at each use, which is GetTokensFromRefreshToken.
const flowPassword = "USER_PASSWORD_AUTH"

type authenticated struct {
	ChallengeParameters  struct{}
	AuthenticationResult result
}

type result struct {
	AccessToken, RefreshToken, TokenType string
	IDToken                              string `json:"IdToken"`
	// ExpiresIn is in seconds.
	ExpiresIn int
}

func resultOf(t oidcop.Tokens) authenticated {
	return authenticated{AuthenticationResult: result{
		AccessToken: t.Access, IDToken: t.ID, RefreshToken: t.Refresh, TokenType: "Bearer", ExpiresIn: int(oidcop.TokenLife.Seconds()),
	}}
}

// initiateAuth gives tokens for a password, to a client that is configured for it.
func (h *Handler) initiateAuth(ctx context.Context, c *call) (any, error) {
	if c.AuthFlow != flowPassword {
		return nil, parameter("AuthFlow " + flowPassword + " alone is offered, to clients that are configured for it.")
	}
	username, password := c.AuthParameters["USERNAME"], c.AuthParameters["PASSWORD"]
	if err := errors.Join(need("USERNAME", username), need("PASSWORD", password)); err != nil {
		return nil, err
	}
	tokens, err := h.cfg.Provider.SignInWithPassword(ctx, oidcop.PasswordSignIn{
		ClientID: c.ClientID, Login: username, Password: password, SecretHash: c.AuthParameters["SECRET_HASH"], Address: c.address,
	})
	if errors.Is(err, oidcop.ErrUnknownClient) && c.ClientID == h.cfg.ClientID {
		err = oidcop.ErrPasswordsOff
	}
	if err != nil {
		return nil, err
	}
	return resultOf(tokens), nil
}

// getTokensFromRefreshToken renews tokens; an answer that was lost is given again for some seconds (oidcop.RefreshGrace).
func (h *Handler) getTokensFromRefreshToken(ctx context.Context, c *call) (any, error) {
	if err := need("RefreshToken", c.RefreshToken); err != nil {
		return nil, err
	}
	tokens, err := h.cfg.Provider.Renew(ctx, c.address, c.ClientID, c.ClientSecret, c.RefreshToken)
	if err != nil {
		return nil, err
	}
	return resultOf(tokens), nil
}

// revokeToken ends a refresh token and what came of it. It may be called again.
func (h *Handler) revokeToken(ctx context.Context, c *call) (any, error) {
	if err := need("Token", c.Token); err != nil {
		return nil, err
	}
	return struct{}{}, h.cfg.Provider.RevokeRefreshToken(ctx, c.address, c.ClientID, c.ClientSecret, c.Token)
}
