// Package identity is the identity service: accounts, their confirmation, and the OpenID
// provider that members sign in with.
package identity

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"serein.app/services/identity/internal/cognitopool"
	"serein.app/services/identity/internal/events"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/identity/internal/rpc"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/config"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/service"
)

// Name of the service.
const Name = "identity"

// Config of the service.
type Config struct {
	service.Config
	// PublicAddr is where browsers and apps are answered, in plain HTTP/1.1: TLS and h2 are a proxy's.
	PublicAddr string `env:"PUBLIC_ADDR" envDefault:"127.0.0.1:0"`
	// PublicURL is the product's own address, where the hosted pages lead back to.
	PublicURL string `env:"PUBLIC_URL,required"`
	// MailURL is where the mail service answers.
	MailURL string `env:"MAIL_URL,required"`
	// CodeSecret derives mailed codes.
	CodeSecret config.Secret `env:"CODE_SECRET,required"`
	// CodeSecretPrevious keeps the codes of the secret before it, which are on their way.
	CodeSecretPrevious config.Secret `env:"CODE_SECRET_PREVIOUS"`
	// MailboxSecret keys the mailboxes that have had a trial. It is never replaced: another gives every mailbox one more.
	MailboxSecret config.Secret `env:"MAILBOX_SECRET,required"`
	// KeyEncryptionSecret seals the signing keys and the secrets of authenticator apps in the database.
	KeyEncryptionSecret config.Secret `env:"KEY_ENCRYPTION_SECRET,required"`
	// KeyEncryptionSecretPrevious opens what the secret before it has sealed.
	KeyEncryptionSecretPrevious config.Secret `env:"KEY_ENCRYPTION_SECRET_PREVIOUS"`
	// BrowserSecret seals what browsers carry for this service: unfinished sign-ins, and that an account has
	// signed in there. Changing it alone ends both, and signs nobody out.
	BrowserSecret config.Secret `env:"BROWSER_SECRET,required"`
	// BrowserSecretPrevious opens what the secret before it has sealed.
	BrowserSecretPrevious config.Secret `env:"BROWSER_SECRET_PREVIOUS"`
	// Clients is a JSON list of clients, or the path of a file that holds one. It holds secrets.
	Clients config.URL `env:"CLIENTS,required"`
	// ClientsRefresh is how often that file is read again, 4 MiB at most.
	ClientsRefresh time.Duration `env:"CLIENTS_REFRESH" envDefault:"5s"`
	// SignUpClientID is the client id of the sign-up API; empty: the API is off.
	SignUpClientID string `env:"SIGN_UP_CLIENT_ID"`
	// SignUpOrigins are the sites whose pages may call the sign-up API from a browser, separated by commas; empty:
	// the product's own.
	SignUpOrigins string `env:"SIGN_UP_ORIGINS"`
	// Pool is an external pool where people sign up, and members then sign in; without a client id there is none.
	Pool cognitopool.Config
	// TrustedProxies are the addresses and prefixes whose X-Forwarded-For counts.
	TrustedProxies string `env:"TRUSTED_PROXIES"`
	// SecurityLogSecret keys the hashes of names and addresses in the security log; empty: each process has
	// its own, and its lines cannot be compared with another's.
	SecurityLogSecret config.Secret `env:"SECURITY_LOG_SECRET"`
	// LimitScale multiplies the public listener's rate limits, for stacks that are tested from one address.
	LimitScale float64 `env:"LIMIT_SCALE" envDefault:"1"`
}

// Validate finds what cannot work together.
func (c *Config) Validate() error {
	faults := []error{c.Config.Validate()}
	if err := config.CheckURL(c.Auth.Issuer); err != nil || strings.HasSuffix(c.Auth.Issuer, "/") {
		faults = append(faults, errors.New("OIDC_ISSUER: needs https (http for this machine only), without a slash at its end"))
	}
	if err := config.CheckURL(c.PublicURL); err != nil {
		faults = append(faults, fmt.Errorf("PUBLIC_URL: %w", err))
	}
	for _, origin := range c.signUpOrigins() {
		if at, err := url.Parse(origin); err != nil || config.CheckURL(origin) != nil || guard.Origin(at) != origin {
			faults = append(faults, errors.New("SIGN_UP_ORIGINS: want https://host and a port where it is not the usual one, without a path"))
		}
	}
	if err := c.Pool.Validate(); err != nil {
		faults = append(faults, err)
	}
	_, err := oidcop.LoadClients(c.Clients.Reveal())
	if c.ClientsRefresh <= 0 {
		faults = append(faults, errors.New("CLIENTS_REFRESH: want a time above 0"))
	}
	_, perr := clientip.ParseProxies(c.TrustedProxies)
	if perr != nil {
		perr = fmt.Errorf("TRUSTED_PROXIES: %w", perr)
	}
	if !(c.LimitScale > 0 && c.LimitScale <= 1e6) { // also NaN
		faults = append(faults, errors.New("LIMIT_SCALE: want a number above 0, at most 1000000"))
	}
	return errors.Join(append(faults, err, perr)...)
}

// signUpOrigins lists SignUpOrigins, or the product's own.
func (c *Config) signUpOrigins() []string {
	if c.SignUpOrigins != "" {
		return strings.Split(c.SignUpOrigins, ",")
	}
	at, err := url.Parse(c.PublicURL)
	if err != nil {
		return nil // Validate says so
	}
	return []string{guard.Origin(at)}
}

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return postgres.Migrate(ctx, ownerURL) }

// Program is the service as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{Name: Name, Run: Run, Migrate: Migrate, Retention: postgres.Retention(), Consumes: events.Consumes(), Commands: map[string]service.Command{
		"grant-admin": adminCommand(true), "revoke-admin": adminCommand(false), "require-password-reset": resetCommand(),
		"turn-off-second-step": secondStepCommand(),
	}}
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	return service.Run(ctx, Name, cfg.Config, rpc.Policy(), func(ctx context.Context, s *service.Service) error {
		return build(ctx, s, cfg)
	})
}
