package auth

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"golang.org/x/oauth2"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/cached"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outgoing"
)

// ServiceAudience is the audience of service accounts' access tokens.
const ServiceAudience = "serein"

// APIAudience is the audience of access tokens that a client holds in a member's name, for the
// gateway's REST calls. Services refuse them: in a service a member is named by the gateway's proof.
const APIAudience = "serein-api"

// callersKept is how many tokens that were proved are known until they expire.
const callersKept = 8192

// maxToken bounds what is parsed before anything is proved, in bytes.
const maxToken = 4096

// issuerPause is how long an issuer that did not answer is left alone.
const issuerPause = time.Second

// issuerTime bounds one request to the issuer.
var issuerTime = deadline.Of(5 * time.Second)

// errIssuerAway is answered while service accounts' keys cannot be fetched.
var errIssuerAway = errs.New(errs.Unavailable, errorsv1.Reason_REASON_ISSUER_UNAVAILABLE, "Signing in isn’t available at the moment. Please try again.")

// Verifier proves callers of one service.
type Verifier struct {
	service string
	peers   map[string][]ed25519.PublicKey
	issuer  string
	known   *cached.Map[string, Caller] // by token
	now     func() time.Time

	// accounts checks service accounts' tokens. The issuer is discovered at first use, so that
	// services start in any order.
	accounts *cached.Value[*oidc.IDTokenVerifier]
}

// NewVerifier is for the service of that name: tokens for another audience are refused.
func NewVerifier(service string, cfg Config) (*Verifier, error) {
	peers, err := parsePeers(cfg.Peers)
	if err != nil {
		return nil, err
	}
	v := &Verifier{service: service, peers: peers, issuer: cfg.Issuer, now: time.Now}
	v.known = cached.NewMap[string, Caller](callersKept, func() time.Time { return v.now() })
	v.accounts = cached.New(cached.Config[*oidc.IDTokenVerifier]{
		Ask: v.discover, Time: issuerTime, Pause: issuerPause, Now: time.Now,
	})
	return v, nil
}

// Verify proves the caller by the Authorization header's value.
func (v *Verifier) Verify(ctx context.Context, header string) (Caller, error) {
	token, ok := Bearer(header)
	if !ok || len(token) > maxToken {
		return Caller{}, ErrUnauthenticated.Because(errors.New("no bearer token"))
	}
	if known, ok := v.known.Get(token); ok {
		return known, nil
	}
	caller, until, err := v.prove(ctx, token)
	if err != nil {
		return Caller{}, err
	}
	v.known.Put(token, caller, until)
	return caller, nil
}

func (v *Verifier) prove(ctx context.Context, token string) (Caller, time.Time, error) {
	parsed, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.EdDSA, jose.RS256, jose.ES256})
	if err != nil {
		return Caller{}, time.Time{}, ErrUnauthenticated.Because(err)
	}
	var unproved claimsOfEither
	if err := json.Unmarshal(parsed.UnsafePayloadWithoutVerification(), &unproved); err != nil {
		return Caller{}, time.Time{}, ErrUnauthenticated.Because(err)
	}
	if v.issuer != "" && unproved.Issuer == v.issuer {
		return v.proveAccount(ctx, token)
	}
	return v.proveService(parsed, unproved.Issuer)
}

// claimsOfEither reads the issuer only: which key to check with.
type claimsOfEither struct {
	Issuer string `json:"iss"`
}

func (v *Verifier) proveService(parsed *jose.JSONWebSignature, issuer string) (Caller, time.Time, error) {
	payload, err := v.payload(parsed, issuer)
	if err != nil {
		return Caller{}, time.Time{}, ErrUnauthenticated.Because(err)
	}
	var c claims
	if err := json.Unmarshal(payload, &c); err != nil {
		return Caller{}, time.Time{}, ErrUnauthenticated.Because(err)
	}
	expires := time.Unix(c.Expires, 0)
	now := v.now()
	switch {
	case c.Audience != v.service:
		return Caller{}, time.Time{}, ErrUnauthenticated.Because(fmt.Errorf("token is for %q", c.Audience))
	case !now.Before(expires):
		return Caller{}, time.Time{}, ErrUnauthenticated.Because(errors.New("token has expired"))
	case expires.After(now.Add(2 * TokenLife)):
		return Caller{}, time.Time{}, ErrUnauthenticated.Because(errors.New("token lives too long"))
	}
	if err := c.check(); err != nil {
		return Caller{}, time.Time{}, ErrUnauthenticated.Because(err)
	}
	return Caller{Service: c.Issuer, Subject: c.subject()}, expires, nil
}

// payload is what a key of the issuer's signed.
func (v *Verifier) payload(parsed *jose.JSONWebSignature, issuer string) ([]byte, error) {
	err := fmt.Errorf("unknown service %q", issuer)
	for _, key := range v.peers[issuer] {
		var payload []byte
		if payload, err = parsed.Verify(key); err == nil {
			return payload, nil
		}
	}
	return nil, err
}

func (v *Verifier) proveAccount(ctx context.Context, token string) (Caller, time.Time, error) {
	verifier, err := v.accounts.Get(ctx)
	if err != nil {
		return Caller{}, time.Time{}, errIssuerAway.Because(err)
	}
	proved, err := verifier.Verify(ctx, token)
	if err != nil {
		return Caller{}, time.Time{}, ErrUnauthenticated.Because(err)
	}
	var c struct {
		ClientID string `json:"client_id"`
		Scope    string `json:"scope"`
	}
	// Where a client acts in a member's name, the subject is the member (RFC 9068, section 2.2).
	if err := proved.Claims(&c); err != nil || c.ClientID == "" || proved.Subject != c.ClientID {
		return Caller{}, time.Time{}, ErrUnauthenticated.Because(errors.New("not a service account's token"))
	}
	return Caller{Service: clientPrefix + c.ClientID, Scopes: strings.Fields(c.Scope)}, proved.Expiry, nil
}

// discover asks the issuer for its keys' address.
func (v *Verifier) discover(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	client := &http.Client{Timeout: issuerTime, CheckRedirect: outgoing.StayHere}
	if given, ok := ctx.Value(oauth2.HTTPClient).(*http.Client); ok { // as go-oidc's callers give one
		client.Transport = given.Transport
	}
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, client), v.issuer)
	if err != nil {
		return nil, err
	}
	var found struct {
		Keys string `json:"jwks_uri"`
	}
	if err := provider.Claims(&found); err != nil {
		return nil, err
	}
	keys := IssuerKeys(ctx, client, found.Keys, v.now)
	return oidc.NewVerifier(v.issuer, keys, &oidc.Config{
		ClientID: ServiceAudience, SupportedSigningAlgs: []string{oidc.RS256, oidc.ES256}, Now: v.now,
	}), nil
}
