package oidcop

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/pkg/op"

	"serein.app/services/identity/internal/device"
	"serein.app/services/platform/seclog"
)

// SignedUp is a new member who has proved password and mailbox in one browser, at a client of ours.
type SignedUp struct {
	UID             uuid.UUID
	PasswordChanges int64
	// Query is that of the client's authorization request.
	Query string
	// UserAgent of the browser, and Address, its network address as limits count it.
	UserAgent, Address string
}

// SignInSignedUp answers an authorization request of a client of ours without the hosted page, and gives its code. Empty: nobody is
// signed in, the log has why, and the member signs in on the page. The session has no cookie at the provider, where no browser has
// been: what is granted in it keeps it.
func (p *Provider) SignInSignedUp(ctx context.Context, in SignedUp) string {
	code, err := p.signInSignedUp(op.ContextWithIssuer(ctx, p.cfg.Issuer), in)
	if err != nil {
		p.cfg.Log.WarnContext(ctx, "a new member signs in on the page", "error", err)
		return ""
	}
	p.cfg.Security.Record(ctx, seclog.Event{
		Kind: seclog.SignIn, Outcome: seclog.Success, UID: in.UID.String(), Address: in.Address, Procedure: "sign_up",
	})
	return code
}

func (p *Provider) signInSignedUp(ctx context.Context, in SignedUp) (string, error) {
	form, err := url.ParseQuery(in.Query)
	if err != nil {
		return "", err
	}
	c, _, ok := p.target(form)
	if !ok || !c.FirstParty {
		return "", errors.New("the request is no client's of ours")
	}
	request, err := p.newRequest(ctx, c, form, hash(rand.Text()))
	if err != nil {
		return "", err
	}
	now := p.storage.at()
	s := Session{
		SID: p.cfg.NewID(), CookieHash: hash(rand.Text()), UID: in.UID, AuthTime: now, ExpiresAt: now.Add(TokenLife),
		Device: device.Of(in.UserAgent), Place: request.Place, PasswordChanges: in.PasswordChanges,
	}
	code, answer := p.answer(request, s)
	return code, p.cfg.Store.StartAndAnswer(ctx, s, true, answer)
}
