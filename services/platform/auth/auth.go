// Package auth proves who calls. The gateway and the services sign short-lived tokens that
// name the member and the calling service; service accounts bring an access token of the
// identity service. The callee checks the signature, the audience and its access policy.
//
// It refuses to trust the network: no header names a caller but the signed token. What a member
// may do (admin, entitlements) is believed from a service's signature alone, never from a token
// that the issuer gave out.
package auth

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
)

// The refusals of this package.
var (
	ErrUnauthenticated = errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_UNAUTHENTICATED, "Please sign in.")
	ErrForbidden       = errs.New(errs.Forbidden, errorsv1.Reason_REASON_FORBIDDEN, "This caller may not do that.")
	ErrAdminRequired   = errs.New(errs.Forbidden, errorsv1.Reason_REASON_ADMIN_REQUIRED, "Only Serein's own team can do that.")
	ErrNotEntitled     = errs.New(errs.Forbidden, errorsv1.Reason_REASON_SUBSCRIPTION_REQUIRED, "This is part of a membership. Yours doesn’t include it at the moment.")
)

// Caller is a proved caller.
type Caller struct {
	// Service is the calling service, or "client:<id>" for a service account.
	Service string
	// Subject is whom the call is made for; the zero Subject where there is nobody.
	Subject Subject
	// Scopes of a service account; nil for services.
	Scopes []string
}

type callerKey struct{}

// WithCaller is for the interceptor that has proved the caller, and for tests.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return WithSubject(context.WithValue(ctx, callerKey{}, c), c.Subject)
}

// CallerFrom gives the proved caller of this call.
func CallerFrom(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
}

// Rule says who may call a procedure.
type Rule struct {
	// Services that may call, by name.
	Services []string
	// Scope opens the procedure to service accounts that were granted it; empty for none.
	Scope string
	// Member: a service's call must name a member.
	Member bool
	// Admin: the member must be an admin.
	Admin bool
	// Entitlement that the member must have, a word of a plan such as "library"; empty for none.
	Entitlement string
	// Delegated opens the procedure also to an actor in the member's stead. Only for what changes
	// nothing.
	Delegated bool
}

// Policy maps every procedure ("/serein.billing.v1.CreditService/Hold") to its rule.
// What has no rule is refused.
type Policy map[string]Rule

// Check refuses a caller that the policy does not allow.
func (p Policy) Check(procedure string, c Caller) error {
	rule, ok := p[procedure]
	if !ok {
		return ErrForbidden.Because(fmt.Errorf("%s has no access rule", procedure))
	}
	return rule.Check(c)
}

// Check refuses a caller that the rule does not allow.
func (r Rule) Check(c Caller) error {
	if c.IsAccount() {
		if r.Scope != "" && slices.Contains(c.Scopes, r.Scope) {
			return nil
		}
		return ErrForbidden.Because(fmt.Errorf("%s has scopes %v, not %q", c.Service, c.Scopes, r.Scope))
	}
	if !slices.Contains(r.Services, c.Service) {
		return ErrForbidden.Because(fmt.Errorf("service %q is not allowed", c.Service))
	}
	return r.checkSubject(c.Subject)
}

func (r Rule) checkSubject(s Subject) error {
	switch needsMember := r.Member || r.Admin || r.Entitlement != ""; {
	case s.Actor != "" && !r.Delegated:
		return ErrForbidden.Because(fmt.Errorf("%q acts for %q", s.Actor, s.UID))
	case needsMember && s.UID == "":
		return ErrUnauthenticated.Because(errors.New("the call names no member"))
	case r.Admin && !s.Admin:
		return ErrAdminRequired
	case r.Entitlement != "" && !s.Entitled(r.Entitlement):
		return ErrNotEntitled.Because(fmt.Errorf("%q is not among %v", r.Entitlement, s.Entitlements))
	}
	return nil
}

const clientPrefix = "client:"

// IsAccount says that the caller is a service account, not a service.
func (c Caller) IsAccount() bool { return strings.HasPrefix(c.Service, clientPrefix) }

// Config is the part of a service's configuration that proves callers.
type Config struct {
	// ServiceKey is this service's Ed25519 seed, 32 bytes in base64.
	ServiceKey config.Secret `env:"SERVICE_KEY,required"`
	// Peers are the public keys of the services that may call: billing=BASE64,gateway=BASE64. A name
	// may stand there again with another key, while its service's key is replaced: either proves it.
	Peers string `env:"SERVICE_KEYS,required"`
	// Issuer is the identity provider's public address, without a slash at its end: the issuer of
	// service accounts' access tokens. Empty: no service account may call.
	Issuer string `env:"OIDC_ISSUER"`
}

// Validate finds keys that cannot be used.
func (c Config) Validate() error {
	_, err := seed(c.ServiceKey)
	_, perr := parsePeers(c.Peers)
	return errors.Join(err, perr)
}

func seed(key config.Secret) (ed25519.PrivateKey, error) {
	raw, err := base64.StdEncoding.DecodeString(key.Reveal())
	if err != nil || len(raw) != ed25519.SeedSize {
		return nil, fmt.Errorf("SERVICE_KEY: want %d bytes in base64", ed25519.SeedSize)
	}
	return ed25519.NewKeyFromSeed(raw), nil
}

// PeerNames are the names of the services that may call, in order.
func (c Config) PeerNames() []string {
	peers, _ := parsePeers(c.Peers) // Validate has said what is wrong
	return slices.Sorted(maps.Keys(peers))
}

func parsePeers(list string) (map[string][]ed25519.PublicKey, error) {
	peers := map[string][]ed25519.PublicKey{}
	for entry := range strings.SplitSeq(list, ",") {
		name, key, ok := strings.Cut(strings.TrimSpace(entry), "=")
		raw, err := base64.StdEncoding.DecodeString(key)
		if !ok || name == "" || err != nil || len(raw) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("SERVICE_KEYS: %q is not name=<base64 of %d bytes>", name, ed25519.PublicKeySize)
		}
		peers[name] = append(peers[name], raw)
	}
	return peers, nil
}
