package service

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"serein.app/services/platform/config"
)

// TrustedNetwork is the variable that says, with "true", that the network between our machines and those of stores, broker and
// services is nobody else's: plain addresses of other machines are taken then.
const TrustedNetwork = "TRUSTED_NETWORK"

// The addresses that secrets and members' data go to, by kind.
var (
	databases = []string{"DATABASE_URL", "MIGRATE_DATABASE_URL"}
	addresses = []string{
		"NATS_URL", "REDIS_URL", "BLOB_URL",
		"IDENTITY_URL", "BILLING_URL", "BASKET_URL", "CONTENT_URL", "GENERATION_URL", "MAIL_URL",
	}
)

// checkPlain refuses addresses of other machines that are not under TLS, all at once, unless TRUSTED_NETWORK says otherwise
// (OWASP ASVS 5.0, 12.3.1 and 12.3.3). The package that reads the
// variable refuses a value that is no address. No fault contains an address, since an address may hold a password.
func checkPlain(environ map[string]string) error {
	if environ[TrustedNetwork] == "true" {
		return nil
	}
	var faults []error
	fault := func(name, how string) {
		faults = append(faults, fmt.Errorf("%s: another machine is reached by TLS alone (%s), unless %s is true", name, how, TrustedNetwork))
	}
	for _, name := range databases {
		if environ[name] != "" && plainDatabase(environ[name]) {
			fault(name, "sslmode=verify-full")
		}
	}
	for _, name := range addresses {
		for address := range strings.SplitSeq(environ[name], ",") {
			if how := plain(strings.TrimSpace(address)); how != "" {
				fault(name, how)
				break
			}
		}
	}
	return errors.Join(faults...)
}

// plainDatabase says whether any of the hosts may be reached without TLS, as the driver reads the address: sslmode prefer and allow may.
func plainDatabase(address string) bool {
	cfg, err := pgconn.ParseConfig(address)
	if err != nil {
		return false
	}
	near := func(host string) bool { return config.Loopback(host) || strings.HasPrefix(host, "/") } // a socket is a path
	found := cfg.TLSConfig == nil && !near(cfg.Host)
	for _, f := range cfg.Fallbacks {
		found = found || f.TLSConfig == nil && !near(f.Host)
	}
	return found
}

// plain says how the address of another machine would be under TLS; empty where it is, or where it is this machine's.
func plain(address string) string {
	if !strings.Contains(address, "://") {
		address = "nats://" + address // the broker's may have no scheme
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || config.Loopback(u.Hostname()) {
		return ""
	}
	switch {
	case u.Scheme == "http":
		return "https and TLS_CERT_FILE"
	case u.Scheme == "nats", u.Scheme == "ws":
		return "tls://"
	case u.Scheme == "redis":
		return "rediss://"
	case u.Scheme == "s3" && u.Query().Get("tls") != "true":
		return "tls=true"
	}
	return ""
}
