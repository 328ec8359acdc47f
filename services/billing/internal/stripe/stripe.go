// Package stripe is the payment provider of sales and of a membership's later life: Stripe through its own library.
//
// It keeps nothing and repeats nothing: who calls asks again with the same key. No key, secret, e-mail address or text of the
// provider's is in its errors.
package stripe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/config"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/outgoing"
)

// Config of the provider.
type Config struct {
	APIKey config.Secret
	// WebhookSecrets that a webhook may be signed with, the newest first: more than one while a secret is being changed.
	WebhookSecrets []config.Secret
	// APIURL replaces Stripe's own; empty is Stripe's.
	APIURL string
	// Live says that real money moves: a key of the other kind is refused.
	Live bool
}

// Provider is Stripe.
type Provider struct {
	client  *stripe.Client
	secrets []config.Secret
}

var (
	_ sales.Provider         = (*Provider)(nil)
	_ subscriptions.Provider = (*Provider)(nil)
)

// callTime bounds one call.
var callTime = deadline.Of(10 * time.Second)

// New refuses a webhook secret that is empty or short, and a key of the other kind than Live says.
func New(c Config) (*Provider, error) {
	if len(c.WebhookSecrets) == 0 {
		return nil, errors.New("payments: a webhook secret is needed")
	}
	for _, secret := range c.WebhookSecrets {
		if len(secret) < config.MinSecret {
			return nil, fmt.Errorf("payments: a webhook secret has fewer than %d characters", config.MinSecret)
		}
	}
	if kind := map[bool]string{false: "_test_", true: "_live_"}[c.Live]; !strings.Contains(c.APIKey.Reveal(), kind) {
		return nil, fmt.Errorf("payments: the API key is not one of %q", strings.Trim(kind, "_"))
	}
	backend := &stripe.BackendConfig{
		HTTPClient: &http.Client{Timeout: callTime, Transport: transport(), CheckRedirect: outgoing.StayHere},
		// Its log lines hold what the provider says about a request.
		LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
		// Who calls has a key and a job that asks again; a second layer would hide how long the provider is away.
		MaxNetworkRetries: stripe.Int64(0),
		EnableTelemetry:   stripe.Bool(false),
	}
	if c.APIURL != "" {
		at, err := url.Parse(c.APIURL)
		if err != nil || at.Host == "" || c.Live && at.Scheme != "https" {
			return nil, errors.New("payments: the API's address is not one")
		}
		backend.URL = stripe.String(strings.TrimSuffix(c.APIURL, "/"))
	}
	client := stripe.NewClient(c.APIKey.Reveal(), stripe.WithBackends(stripe.NewBackendsWithConfig(backend)))
	return &Provider{client: client, secrets: c.WebhookSecrets}, nil
}

// idleConns is how many idle connections are kept for the next calls: each new connection costs a handshake across the internet.
const idleConns = 64

// transport is the default transport, which would keep two idle connections.
func transport() http.RoundTripper {
	own, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	own = own.Clone()
	own.MaxIdleConnsPerHost = idleConns
	return own
}

// write is what a request needs that changes something.
func write(ctx context.Context, key string) stripe.Params {
	return stripe.Params{Context: ctx, IdempotencyKey: stripe.String(key)}
}

// at is a time of the provider's; zero stays zero.
func at(unix int64) time.Time {
	if unix == 0 {
		return time.Time{}
	}
	return time.Unix(unix, 0).UTC()
}
