package login

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"serein.app/gateway/internal/session"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/cached"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/outgoing"
)

const (
	// discoveryPause is how long a provider that did not answer is left alone.
	discoveryPause = time.Second
	// maxAccess is the longest life of an access token, in seconds; longer ones are cut to it.
	maxAccess = 24 * 60 * 60
	// maxAnswer bounds an answer of the provider, in bytes.
	maxAnswer = 1 << 20
)

var (
	// providerTime bounds one request to the provider: the specification's time for a renewal.
	providerTime = deadline.Of(10 * time.Second)
	// revokeTime is shorter, since a member who signs out waits for it.
	revokeTime = deadline.Of(3 * time.Second)
)

// Provider is the identity provider. It is discovered when it is first needed, so that the
// gateway starts while it is away.
type Provider struct {
	cfg    Config
	public *url.URL
	http   *http.Client
	now    func() time.Time

	discovered *cached.Value[*discovered]
}

// discovered is what the discovery document said.
type discovered struct {
	oauth    *oauth2.Config
	oidc     *oidc.Provider
	keys     oidc.KeySet
	verifier *oidc.IDTokenVerifier
	revoke   string
	end      string
	// named: its every answer to an authorization request names it (RFC 9207).
	named bool
}

// NewProvider makes the client; public is the gateway's own address.
func NewProvider(cfg Config, public *url.URL, now func() time.Time) *Provider {
	transport, _ := http.DefaultTransport.(*http.Transport)
	transport = transport.Clone()
	transport.MaxIdleConnsPerHost, transport.IdleConnTimeout = 32, outgoing.IdleTime
	p := &Provider{
		cfg: cfg, public: public, now: now,
		http: &http.Client{Transport: boundedAnswers{transport}, Timeout: providerTime, CheckRedirect: outgoing.StayHere},
	}
	p.discovered = cached.New(cached.Config[*discovered]{
		Ask: p.ask, Time: providerTime, Pause: discoveryPause, Now: now,
	})
	return p
}

// boundedAnswers cuts answers that are longer than any a provider has reason to give.
type boundedAnswers struct{ next http.RoundTripper }

func (b boundedAnswers) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.next.RoundTrip(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, maxAnswer), res.Body}
	}
	return res, err
}

// discover reads the discovery document once. While the provider does not answer it fails at once for
// discoveryPause. Errors: errAway.
func (p *Provider) discover(ctx context.Context) (*discovered, error) {
	found, err := p.discovered.Get(ctx)
	if err != nil {
		return nil, errAway.Because(err)
	}
	return found, nil
}

func (p *Provider) ask(ctx context.Context) (*discovered, error) {
	provider, err := oidc.NewProvider(p.with(ctx), p.cfg.Issuer)
	if err != nil {
		return nil, fmt.Errorf("discover %s: %w", p.cfg.Issuer, err)
	}
	var more struct {
		Keys   string `json:"jwks_uri"`
		Revoke string `json:"revocation_endpoint"`
		End    string `json:"end_session_endpoint"`
		Named  bool   `json:"authorization_response_iss_parameter_supported"`
	}
	if err := provider.Claims(&more); err != nil {
		return nil, fmt.Errorf("discover %s: %w", p.cfg.Issuer, err)
	}
	endpoint := provider.Endpoint()
	// Chosen, because to find out costs a second request with the same code.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	keys := auth.IssuerKeys(ctx, p.http, more.Keys, p.now)
	return &discovered{
		oidc: provider, keys: keys, revoke: more.Revoke, end: more.End, named: more.Named,
		verifier: oidc.NewVerifier(p.cfg.Issuer, keys, &oidc.Config{
			ClientID: p.cfg.ClientID, SupportedSigningAlgs: signingAlgs, Now: p.now,
		}),
		oauth: &oauth2.Config{
			ClientID: p.cfg.ClientID, ClientSecret: p.cfg.ClientSecret.Reveal(), Endpoint: endpoint,
			RedirectURL: p.public.JoinPath("/auth/callback").String(),
			Scopes:      []string{oidc.ScopeOpenID, "profile", "email", "phone", oidc.ScopeOfflineAccess},
		},
	}, nil
}

func (p *Provider) with(ctx context.Context) context.Context { return oidc.ClientContext(ctx, p.http) }

// hints are what the app's page knows of the person; empty where it does not.
type hints struct {
	login string
	// zone is the browser's time zone, for the name of the device. Ours takes it; other providers ignore a parameter that they do not
	// know (RFC 6749, 3.1).
	zone string
}

func (p *Provider) signInURL(ctx context.Context, a attempt, told hints) (string, error) {
	d, err := p.discover(ctx)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)}
	for name, value := range map[string]string{"login_hint": told.login, "time_zone": told.zone} {
		if value != "" {
			options = append(options, oauth2.SetAuthURLParam(name, value))
		}
	}
	return d.oauth.AuthCodeURL(a.State, options...), nil
}

// redeem trades the code and proves who it stands for.
func (p *Provider) redeem(ctx context.Context, code string, a attempt) (session.Grant, error) {
	d, err := p.discover(ctx)
	if err != nil {
		return session.Grant{}, err
	}
	ctx = p.with(ctx)
	token, err := d.oauth.Exchange(ctx, code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return session.Grant{}, tokenFault(err)
	}
	raw, _ := token.Extra("id_token").(string)
	grant, err := d.prove(ctx, raw, proof{nonce: a.Nonce, access: token, now: p.now()})
	if err != nil {
		return session.Grant{}, err
	}
	return p.grant(grant, token), nil
}

func tokenFault(err error) error {
	var answered *oauth2.RetrieveError
	if errors.As(err, &answered) && answered.Response.StatusCode < http.StatusInternalServerError {
		return errProof.Because(err)
	}
	return errAway.Because(err)
}

// grant adds what came with the proof.
func (p *Provider) grant(g session.Grant, token *oauth2.Token) session.Grant {
	life := time.Duration(min(token.ExpiresIn, maxAccess)) * time.Second
	if life <= 0 { // expires_in is only recommended; RFC 6749's examples use an hour
		life = time.Hour
	}
	g.RefreshToken, g.AccessEnds = token.RefreshToken, p.now().Add(life)
	return g
}

// Renew trades a refresh token. Only invalid_grant says that the token is good
// for nothing; any other failure (also invalid_client, which is our own fault) may pass.
func (p *Provider) Renew(ctx context.Context, refreshToken string) (session.Grant, error) {
	d, err := p.discover(ctx)
	if err != nil {
		return session.Grant{}, err
	}
	ctx = p.with(ctx)
	token, err := d.oauth.TokenSource(ctx, &oauth2.Token{RefreshToken: refreshToken}).Token()
	var answered *oauth2.RetrieveError
	if errors.As(err, &answered) && answered.ErrorCode == "invalid_grant" {
		return session.Grant{}, fmt.Errorf("%w: %w", session.ErrRefused, err)
	}
	if err != nil {
		return session.Grant{}, err
	}
	raw, _ := token.Extra("id_token").(string)
	if raw == "" { // OpenID Connect Core 12.2: optional at renewal
		return p.grant(session.Grant{}, token), nil
	}
	grant, err := d.prove(ctx, raw, proof{access: token, now: p.now()})
	if err != nil {
		return session.Grant{}, fmt.Errorf("%w: %w", session.ErrRefused, err)
	}
	return p.grant(grant, token), nil
}

// Revoke makes a refresh token worthless (RFC 7009).
func (p *Provider) Revoke(ctx context.Context, refreshToken string) error {
	ctx, cancel := context.WithTimeout(ctx, revokeTime)
	defer cancel()
	d, err := p.discover(ctx)
	if err != nil {
		return err
	}
	if d.revoke == "" {
		return nil // this provider has no such thing; the token ends by itself
	}
	form := url.Values{"token": {refreshToken}, "token_type_hint": {"refresh_token"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.revoke, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(url.QueryEscape(p.cfg.ClientID), url.QueryEscape(p.cfg.ClientSecret.Reveal()))
	res, err := p.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("revoke: %s", res.Status)
	}
	return nil
}

// SignOutURL is where the app sends the browser so that the provider forgets it too. The
// address names our client and nothing of the member. Where the provider has no such page, or
// cannot be asked now, it is our own front page.
func (p *Provider) SignOutURL(ctx context.Context) string {
	home := p.public.JoinPath("/").String()
	d, err := p.discover(ctx)
	if err != nil || d.end == "" {
		return home
	}
	end, err := url.Parse(d.end)
	if err != nil {
		return home
	}
	query := end.Query()
	query.Set("client_id", p.cfg.ClientID)
	query.Set("post_logout_redirect_uri", home)
	end.RawQuery = query.Encode()
	return end.String()
}
