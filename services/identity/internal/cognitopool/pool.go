// Package cognitopool signs people up in an external pool of AWS Cognito, where members then sign in: the gateway's OIDC_ISSUER is the
// pool's. It has no accounts and no rules; the pool decides, and this package passes its refusals on by their kind, with the pool's
// sentence.
//
// It makes no call twice: when an answer is lost, it cannot know whether the pool did the work, and the caller may repeat the call. While
// the pool does not answer a circuit breaker (breaker) refuses calls at once.
package cognitopool

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	cognitoidp "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/sony/gobreaker/v2"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/platform/config"
	"serein.app/services/platform/outgoing"
)

const (
	// deadline of one call, above what a pool takes that runs triggers.
	deadline = 5 * time.Second
	// failuresMax in a row leave the pool alone for restTime; then one call tries it.
	failuresMax = 5
	restTime    = 10 * time.Second
	// idleConns to the pool that are kept.
	idleConns = 16
)

// Config is how the pool is reached.
type Config struct {
	// ClientID is the app client of an external pool where people sign up; empty: there is no pool.
	ClientID string `env:"COGNITO_CLIENT_ID"`
	// ClientSecret is that app client's secret; empty: the app client has no secret.
	ClientSecret config.Secret `env:"COGNITO_CLIENT_SECRET"`
	// Region is the region of the pool.
	Region string `env:"COGNITO_REGION" envDefault:"eu-north-1"`
	// Endpoint is an address in place of the region's own.
	Endpoint string `env:"COGNITO_ENDPOINT"`
}

// Validate finds what cannot reach a pool.
func (c Config) Validate() error {
	if c.ClientID == "" {
		return nil
	}
	if c.Region == "" {
		return errors.New("COGNITO_REGION: the pool's region is missing")
	}
	if c.Endpoint != "" {
		if err := config.CheckURL(c.Endpoint); err != nil {
			return fmt.Errorf("COGNITO_ENDPOINT: %w", err)
		}
	}
	return nil
}

// Pool is an account.Registry.
type Pool struct {
	cfg     Config
	client  *cognitoidp.Client
	breaker *gobreaker.CircuitBreaker[any]
	calls   metric.Int64Counter
}

var _ account.Registry = (*Pool)(nil)

// New reaches nothing yet.
func New(cfg Config, meter metric.Meter) (*Pool, error) {
	calls, err := meter.Int64Counter("serein.identity.pool.calls", metric.WithUnit("{call}"),
		metric.WithDescription("Calls of the external sign-up pool, by `operation` and `outcome`: `done`, `refused` (it said no), `failed` "+
			"(it is away, or not configured for us), `rested` (left alone after failures)"))
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: idleConns, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: deadline}
	options := cognitoidp.Options{Region: cfg.Region, HTTPClient: &http.Client{Transport: transport, CheckRedirect: outgoing.StayHere}, Retryer: aws.NopRetryer{}}
	if cfg.Endpoint != "" {
		options.BaseEndpoint = &cfg.Endpoint
	}
	return &Pool{cfg: cfg, client: cognitoidp.New(options), calls: calls, breaker: gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
		Name: "cognito pool", Timeout: restTime,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= failuresMax },
		// Who leaves says nothing about the pool.
		IsSuccessful: func(err error) bool { return err == nil || refusal(err) || errors.Is(err, context.Canceled) },
	})}, nil
}

// hash proves the app client beside a username; nil where it has no secret.
func (p *Pool) hash(username string) *string {
	if p.cfg.ClientSecret == "" {
		return nil
	}
	return aws.String(oidcop.SecretHash(p.cfg.ClientSecret, username, p.cfg.ClientID))
}

// SignUp registers the person. That they are 16 and agree to the terms is asked here; the pool keeps neither, nor who invited them.
func (p *Pool) SignUp(ctx context.Context, in account.SignUp) (account.SignedUp, error) {
	if err := account.CheckForm(in); err != nil {
		return account.SignedUp{}, err
	}
	out, err := call(ctx, p, "SignUp", func(ctx context.Context) (*cognitoidp.SignUpOutput, error) {
		return p.client.SignUp(ctx, &cognitoidp.SignUpInput{
			ClientId: &p.cfg.ClientID, SecretHash: p.hash(in.Username), Username: &in.Username, Password: &in.Password,
			UserAttributes: []types.AttributeType{
				{Name: aws.String("email"), Value: &in.Email},
				{Name: aws.String("given_name"), Value: &in.GivenName},
				{Name: aws.String("family_name"), Value: &in.FamilyName},
			},
		})
	})
	if err != nil {
		return account.SignedUp{}, err
	}
	return account.SignedUp{Subject: aws.ToString(out.UserSub), Confirmed: out.UserConfirmed}, nil
}

// Confirm ends a sign-up.
func (p *Pool) Confirm(ctx context.Context, _, username, code string) error {
	_, err := call(ctx, p, "ConfirmSignUp", func(ctx context.Context) (*cognitoidp.ConfirmSignUpOutput, error) {
		return p.client.ConfirmSignUp(ctx, &cognitoidp.ConfirmSignUpInput{
			ClientId: &p.cfg.ClientID, SecretHash: p.hash(username), Username: &username, ConfirmationCode: &code,
		})
	})
	return err
}

// Resend has another code sent.
func (p *Pool) Resend(ctx context.Context, _, username string) error {
	_, err := call(ctx, p, "ResendConfirmationCode", func(ctx context.Context) (*cognitoidp.ResendConfirmationCodeOutput, error) {
		return p.client.ResendConfirmationCode(ctx, &cognitoidp.ResendConfirmationCodeInput{
			ClientId: &p.cfg.ClientID, SecretHash: p.hash(username), Username: &username,
		})
	})
	return err
}

// ForgotPassword has a code sent for another password.
func (p *Pool) ForgotPassword(ctx context.Context, _, login string) error {
	_, err := call(ctx, p, "ForgotPassword", func(ctx context.Context) (*cognitoidp.ForgotPasswordOutput, error) {
		return p.client.ForgotPassword(ctx, &cognitoidp.ForgotPasswordInput{ClientId: &p.cfg.ClientID, SecretHash: p.hash(login), Username: &login})
	})
	return err
}

// ConfirmForgotPassword sets another password.
func (p *Pool) ConfirmForgotPassword(ctx context.Context, _, login, code, password string) error {
	_, err := call(ctx, p, "ConfirmForgotPassword", func(ctx context.Context) (*cognitoidp.ConfirmForgotPasswordOutput, error) {
		return p.client.ConfirmForgotPassword(ctx, &cognitoidp.ConfirmForgotPasswordInput{
			ClientId: &p.cfg.ClientID, SecretHash: p.hash(login), Username: &login, ConfirmationCode: &code, Password: &password,
		})
	})
	return err
}
