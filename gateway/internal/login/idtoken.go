package login

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"serein.app/gateway/internal/session"
)

// signingAlgs are fixed here and not taken from the provider: never "none", never a shared key.
var signingAlgs = []string{oidc.RS256, oidc.ES256, oidc.PS256, oidc.EdDSA}

// clockLeeway is how far the provider's clock may be ahead.
const clockLeeway = time.Minute

type proof struct {
	nonce  string // empty at renewal, where tokens need not repeat it
	access *oauth2.Token
	now    time.Time
}

type claims struct {
	AuthorizedParty string `json:"azp"`
	Username        string `json:"preferred_username"`
	GivenName       string `json:"given_name"`
	FamilyName      string `json:"family_name"`
	Email           string `json:"email"`
	SID             string `json:"sid"`
}

// prove checks an ID token (signature, issuer, audience and expiry in go-oidc; nonce, issue
// time, authorized party and access token hash here) and reads from it who the grant is for, and the
// provider's session.
func (d *discovered) prove(ctx context.Context, raw string, p proof) (session.Grant, error) {
	token, err := d.verifier.Verify(ctx, raw)
	if err != nil {
		return session.Grant{}, errProof.Because(err)
	}
	var c claims
	if err := token.Claims(&c); err != nil {
		return session.Grant{}, errProof.Because(err)
	}
	if err := p.check(token, c, d.oauth.ClientID); err != nil {
		return session.Grant{}, errProof.Because(err)
	}
	if c.Email == "" && c.GivenName == "" && d.oidc.UserInfoEndpoint() != "" {
		// Some providers keep the profile out of the ID token when there is an access token.
		if err := d.askProfile(ctx, token.Subject, p.access, &c); err != nil {
			return session.Grant{}, err
		}
	}
	return session.Grant{SID: c.SID, IssuedAt: token.IssuedAt, Member: session.Member{
		UID: token.Subject, Username: c.Username, GivenName: c.GivenName,
		FamilyName: c.FamilyName, Email: c.Email,
	}}, nil
}

func (p proof) check(token *oidc.IDToken, c claims, clientID string) error {
	switch {
	case token.Subject == "":
		return errors.New("the ID token names nobody")
	case p.nonce != "" && subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(p.nonce)) != 1:
		return errors.New("the nonce is another one")
	case token.IssuedAt.Unix() <= 0:
		return errors.New("the ID token does not say when it was issued")
	case token.IssuedAt.After(p.now.Add(clockLeeway)):
		return fmt.Errorf("the ID token is from the future: %v", token.IssuedAt)
	case len(token.Audience) > 1 && c.AuthorizedParty != clientID,
		c.AuthorizedParty != "" && c.AuthorizedParty != clientID:
		return fmt.Errorf("the ID token is for %q", c.AuthorizedParty)
	}
	if token.AccessTokenHash == "" {
		return nil
	}
	return token.VerifyAccessToken(p.access.AccessToken)
}

func (d *discovered) askProfile(ctx context.Context, subject string, access *oauth2.Token, c *claims) error {
	info, err := d.oidc.UserInfo(ctx, oauth2.StaticTokenSource(access))
	if err != nil {
		return errAway.Because(fmt.Errorf("userinfo: %w", err))
	}
	if info.Subject != subject {
		return errProof.Because(errors.New("userinfo names another subject"))
	}
	if err := info.Claims(c); err != nil {
		return errProof.Because(err)
	}
	return nil
}
