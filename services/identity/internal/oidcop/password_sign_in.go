package oidcop

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/device"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

// The refusals of clients that bring passwords.
var (
	ErrUnknownClient = errs.New(errs.NotFound, errorsv1.Reason_REASON_RESOURCE_NOT_FOUND, "There is no such client.")
	ErrPasswordsOff  = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_PARAMETER, "This client may not bring passwords: members sign in on the hosted page.")
	ErrClientSecret  = errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_NOT_AUTHORIZED, "The client could not be verified.")
	// ErrSecondStep answers only callers who gave the right password.
	ErrSecondStep   = errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_NOT_AUTHORIZED, "This account is asked for a code of its authenticator app: please sign in on the hosted page.")
	errRefreshEnded = errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_NOT_AUTHORIZED, "The refresh token is not good, or has ended.")
)

// passwordScopes are what a client of ours gets that brings a password.
var passwordScopes = []string{oidc.ScopeEmail, oidc.ScopeOfflineAccess, oidc.ScopeOpenID, oidc.ScopeProfile}

// Tokens are what a client is given in a member's name, for TokenLife.
type Tokens struct{ Access, ID, Refresh string }

// PasswordSignIn is a member's password in the hands of a client of ours.
type PasswordSignIn struct {
	ClientID, Login, Password string
	// SecretHash proves the client: the HMAC-SHA256 of login and client id under its secret, in base64.
	SecretHash string
	// Address is the caller's network address.
	Address string
}

// SignInWithPassword gives tokens for a password, without the hosted page. A client must be configured for it, be our own and prove its
// secret: OAuth's security guidance (RFC 9700, 2.4) lets no other program see a password. Tries are counted as on the page. A member with
// a second step is refused: the API cannot ask for a code here. Errors: ErrUnknownClient, ErrPasswordsOff, ErrClientSecret,
// ErrSecondStep, and those of account.Authenticate.
func (p *Provider) SignInWithPassword(ctx context.Context, in PasswordSignIn) (Tokens, error) {
	c, ok := p.storage.clients.find(in.ClientID)
	if !ok {
		return Tokens{}, ErrUnknownClient
	}
	if !c.PasswordAuth {
		return Tokens{}, ErrPasswordsOff
	}
	if !c.provesFor(in.Login, in.SecretHash) {
		return Tokens{}, p.notProved(in.Address)
	}
	if ok, after := p.limits.signIn.Allow(in.Address, p.cfg.Now()); !ok {
		return Tokens{}, guard.TooSoon(after)
	}
	a, err := p.cfg.Account.Authenticate(ctx, account.Attempt{Login: in.Login, Password: in.Password, Address: in.Address})
	if err != nil {
		return Tokens{}, err
	}
	s, err := p.programSession(ctx, c, a)
	if errors.Is(err, ErrSecondStepAsked) {
		return Tokens{}, ErrSecondStep
	}
	if err != nil {
		return Tokens{}, err
	}
	return p.tokens(ctx, c, &Request{ClientID: in.ClientID, Scopes: passwordScopes, UID: &a.UID, SID: &s.SID, AuthTime: &s.AuthTime, direct: true, member: &a}, "")
}

// programSession is the session of a client of ours that brings passwords, so that the member sees it among their devices. No cookie
// opens it. No letter tells of it: the program is ours, and knows no browser.
func (p *Provider) programSession(ctx context.Context, c *client, a account.Account) (Session, error) {
	now := p.storage.at()
	s := Session{
		SID: p.cfg.NewID(), CookieHash: hash(rand.Text()), UID: a.UID, AuthTime: now, ExpiresAt: now.Add(TokenLife),
		PasswordChanges: a.PasswordChanges,
		Device:          device.Device{Kind: device.Other, Name: p.storage.clients.shown(c.ID)},
	}
	return s, p.cfg.Store.StartSession(ctx, s, true)
}

// Renew gives fresh tokens for a refresh token, once. Errors: ErrClientSecret, and account.ErrNotAuthorized by its reason.
func (p *Provider) Renew(ctx context.Context, address, clientID, secret, token string) (Tokens, error) {
	c, ok := p.proves(clientID, secret)
	if !ok {
		return Tokens{}, p.notProved(address)
	}
	request, err := p.storage.TokenRequestByRefreshToken(ctx, token)
	if errors.Is(err, op.ErrInvalidRefreshToken) || err == nil && request.GetClientID() != clientID {
		return Tokens{}, errRefreshEnded
	}
	if err != nil {
		return Tokens{}, err
	}
	out, err := p.tokens(ctx, c, request, token)
	if errors.Is(err, oidc.ErrInvalidGrant()) {
		err = errRefreshEnded.Because(err)
	}
	return out, err
}

// RevokeRefreshToken ends the grant of a refresh token; an unknown one has ended already (RFC 7009, 2.2). Errors: ErrClientSecret.
func (p *Provider) RevokeRefreshToken(ctx context.Context, address, clientID, secret, token string) error {
	if _, ok := p.proves(clientID, secret); !ok {
		return p.notProved(address)
	}
	g, err := p.cfg.Store.GrantByRefreshToken(ctx, hash(token))
	if errors.Is(err, ErrNotFound) || err == nil && g.ClientID != clientID {
		return nil
	}
	if err != nil {
		return err
	}
	return p.cfg.Store.RevokeGrant(ctx, g.ID, p.storage.at())
}

func (p *Provider) tokens(ctx context.Context, c *client, request op.TokenRequest, current string) (Tokens, error) {
	answer, err := p.storage.answer(op.ContextWithIssuer(ctx, p.cfg.Issuer), p.cfg.Issuer, c, request, "", current)
	if err != nil {
		return Tokens{}, err
	}
	return Tokens{Access: answer.AccessToken, ID: answer.IDToken, Refresh: answer.RefreshToken}, nil
}

// notProved counts a wrong secret as the token endpoint does.
func (p *Provider) notProved(address string) error {
	if ok, after := p.limits.refusals.Allow(address, p.cfg.Now()); !ok {
		return guard.TooSoon(after)
	}
	return ErrClientSecret
}

// SecretHash proves a client beside a login, as the sign-up API asks for it.
func SecretHash(secret config.Secret, login, clientID string) string {
	m := hmac.New(sha256.New, []byte(secret.Reveal()))
	m.Write([]byte(login + clientID))
	return base64.StdEncoding.EncodeToString(m.Sum(nil))
}

// provesFor says whether a secret hash is one of the client's, in constant time.
func (c *client) provesFor(login, secretHash string) bool {
	equal := false
	for _, secret := range c.passwordSecrets {
		if hmac.Equal([]byte(secretHash), []byte(SecretHash(secret, login, c.ID))) {
			equal = true
		}
	}
	return equal
}
