// Package identity is the identity service: accounts, their confirmation, and the OpenID
// provider that members sign in with.
package identity

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/platform/outbox"
	platformpostgres "serein.app/services/platform/postgres"
	"serein.app/services/platform/server"
	"serein.app/services/platform/telemetry"
)

// Name of the service.
const Name = "identity"

// Config of the service.
type Config struct {
	server.Config
	Database platformpostgres.Config
	Auth     auth.Config
	NATSURL  string `env:"NATS_URL,required"`
	// MailURL is where the mail service answers.
	MailURL string `env:"MAIL_URL,required"`
	// CodeSecret derives confirmation codes; changing it ends those on their way.
	CodeSecret config.Secret `env:"CODE_SECRET,required"`
	// KeyEncryptionSecret seals the signing keys in the database.
	KeyEncryptionSecret config.Secret `env:"KEY_ENCRYPTION_SECRET,required"`
	// Clients is a JSON list of clients, or the path of a file that holds one. It holds secrets.
	Clients config.URL `env:"CLIENTS,required"`
	// SignUpClientID is the ClientId of the sign-up API; empty: the API is off.
	SignUpClientID string `env:"SIGN_UP_CLIENT_ID"`
	// TrustedProxies are the networks whose X-Forwarded-For is believed, "10.0.0.0/8,…".
	TrustedProxies string `env:"TRUSTED_PROXIES"`
}

// Validate finds what cannot work together.
func (c *Config) Validate() error {
	faults := []error{c.Auth.Validate()}
	if err := oidcop.CheckURL(c.Auth.Issuer); err != nil || strings.HasSuffix(c.Auth.Issuer, "/") {
		faults = append(faults, errors.New("OIDC_ISSUER: needs https (http for this machine only), without a slash at its end"))
	}
	_, err := oidcop.LoadClients(c.Clients.Reveal())
	_, perr := proxies(c.TrustedProxies)
	return errors.Join(append(faults, err, perr)...)
}

func proxies(list string) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	for entry := range strings.SplitSeq(list, ",") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(entry)
		if err != nil {
			return nil, fmt.Errorf("TRUSTED_PROXIES: %q is not a network", entry)
		}
		prefixes = append(prefixes, prefix)
	}
	return prefixes, nil
}

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error {
	migrations, err := postgres.Migrations()
	if err != nil {
		return err
	}
	return platformpostgres.Migrate(ctx, ownerURL, migrations)
}

// hashWait is how long a sign-in may wait for its turn to hash; with two turns of 25 ms each
// that is a queue of some two hundred.
const hashWait = 3 * time.Second

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	tel, err := telemetry.Setup(ctx, Name)
	if err != nil {
		return err
	}
	db, err := platformpostgres.Open(ctx, cfg.Database, tel)
	if err != nil {
		return err
	}
	s := server.New(Name, cfg.Config, tel)
	s.Defer(tel.Shutdown)
	s.Defer(func(context.Context) error { db.Close(); return nil })
	s.Ready("database", db.Ping)

	events, err := bus.Connect(cfg.NATSURL, Name, tel.Log)
	if err != nil {
		return err
	}
	s.Defer(func(context.Context) error { events.Close(); return nil })
	out := outbox.New(db, events, Name, tel.Log, time.Now)
	s.Go("outbox", out.Run)

	if err := assemble(s, cfg, tel, db, out); err != nil {
		return err
	}
	return s.Run(ctx)
}
