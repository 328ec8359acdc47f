// Package mtls authenticates services to each other by certificates. It reads a certificate, its key and the
// authority that both sides trust from files, and reads them again when they change. It does not decide what a
// caller may ask for: the signed proof of the caller (package auth), which travels inside the connection, decides
// that. The check of that proof asks this package whether the connection belongs to the same caller.
package mtls

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Config of the certificates; without files there is no TLS between services.
type Config struct {
	// Cert is a PEM file: the service's certificate, and those between it and the authority. Without
	// it, its key and the authority there is no TLS between services.
	Cert string `env:"TLS_CERT_FILE"`
	// Key is a PEM file: the key of that certificate.
	Key string `env:"TLS_KEY_FILE"`
	// CA is a PEM file: the certificate of the authority, the old and the new one while it is replaced.
	CA string `env:"TLS_CA_FILE"`
	// Refresh is how often the three files are read again.
	Refresh time.Duration `env:"TLS_REFRESH" envDefault:"1m"`
	// Clients are names, separated by commas, that may connect beside the services: a scraper of metrics.
	Clients []string `env:"TLS_CLIENTS"`
}

// On says whether there are certificates.
func (c Config) On() bool { return c.Cert != "" || c.Key != "" || c.CA != "" }

// Validate finds what cannot work.
func (c Config) Validate() error {
	switch {
	case !c.On():
		return nil
	case c.Cert == "" || c.Key == "" || c.CA == "":
		return errors.New("TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE: want all three, or none")
	case c.Refresh <= 0:
		return errors.New("TLS_REFRESH: want a time above 0")
	}
	return nil
}

// Certificates are what the files hold.
type Certificates struct {
	cfg   Config
	peers []string
	log   *slog.Logger
	now   func() time.Time

	mu      sync.Mutex
	looked  time.Time
	content [3][]byte
	current material
}

type material struct {
	own       tls.Certificate
	authority *x509.CertPool
}

// Open reads the files. A client that connects needs a certificate for one of the peers' names, or for one
// of cfg.Clients.
func Open(cfg Config, log *slog.Logger, peers ...string) (*Certificates, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	c := &Certificates{cfg: cfg, log: log, now: time.Now, peers: append(slices.Clone(peers), cfg.Clients...)}
	if err := c.read(); err != nil {
		return nil, err
	}
	c.looked = c.now()
	return c, nil
}

// material is what the files hold now: they are looked at again by the first connection after
// cfg.Refresh. Files that have changed to something that does not fit together, as they may for a
// moment while they are replaced, change nothing yet.
func (c *Certificates) material() material {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.looked) >= c.cfg.Refresh {
		c.looked = now
		if err := c.read(); err != nil {
			c.log.Error("certificates cannot be read again; those before them are used", "error", err)
		}
	}
	return c.current
}

func (c *Certificates) read() error {
	var content [3][]byte
	for i, name := range []string{c.cfg.Cert, c.cfg.Key, c.cfg.CA} {
		var err error
		if content[i], err = os.ReadFile(name); err != nil {
			return fmt.Errorf("certificates: %w", err)
		}
	}
	if bytes.Equal(slices.Concat(content[:]...), slices.Concat(c.content[:]...)) {
		return nil
	}
	own, err := tls.X509KeyPair(content[0], content[1])
	if err != nil {
		return fmt.Errorf("%s and %s: %w", c.cfg.Cert, c.cfg.Key, err)
	}
	authority := x509.NewCertPool()
	if !authority.AppendCertsFromPEM(content[2]) {
		return fmt.Errorf("%s: there is no certificate in it", c.cfg.CA)
	}
	c.content, c.current = content, material{own, authority}
	return nil
}

// Server is the listener's side. Each connection gets the certificates that are current when it begins. An invalid
// client certificate ends the handshake; a client without a certificate reaches only what RequireCertificate
// allows.
func (c *Certificates) Server() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			m := c.material()
			return &tls.Config{
				MinVersion: tls.VersionTLS13, NextProtos: []string{"h2", "http/1.1"},
				Certificates: []tls.Certificate{m.own}, ClientCAs: m.authority,
				ClientAuth: tls.VerifyClientCertIfGiven, VerifyConnection: c.verifyClient,
				SessionTicketsDisabled: true, // a resumed session would not look at the authority again
			}, nil
		},
	}
}

// verifyClient demands that the certificate is a peer's: a name of it is the peer's own, or begins
// with it and a dot ("billing", "billing.serein.svc").
func (c *Certificates) verifyClient(state tls.ConnectionState) error {
	if len(state.PeerCertificates) == 0 {
		return nil // RequireCertificate
	}
	names := state.PeerCertificates[0].DNSNames
	if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(c.peers, serviceOf(name)) }) {
		return nil
	}
	return fmt.Errorf("the certificate of %q is no service's", names)
}

// serviceOf is whose a certificate's name is: what stands before its first dot.
func serviceOf(name string) string {
	first, _, _ := strings.Cut(name, ".")
	return first
}

type namesKey struct{}

// Belongs says whether the certificate that a request came with is the service's. Where there are no
// certificates the request's own proof is all that there is.
func Belongs(ctx context.Context, service string) bool {
	names, certified := ctx.Value(namesKey{}).([]string)
	return !certified || slices.ContainsFunc(names, func(name string) bool { return serviceOf(name) == service })
}

// probes are the paths that need no certificate: a kubelet or a load balancer cannot present one.
var probes = []string{"/healthz", "/readyz"}

// RequireCertificate answers a client without a certificate nothing but health and readiness, and puts the names of
// a client's certificate into the context for Belongs.
func RequireCertificate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.TLS != nil && len(r.TLS.VerifiedChains) > 0:
			r = r.WithContext(context.WithValue(r.Context(), namesKey{}, r.TLS.PeerCertificates[0].DNSNames))
		case !slices.Contains(probes, r.URL.Path):
			http.Error(w, "a certificate is needed here", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Dial is the caller's side, for http.Transport.DialTLSContext: the other side's certificate must be
// of the authority and for the host of its address.
func (c *Certificates) Dial(dialer *net.Dialer) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		m := c.material()
		secure := tls.Dialer{NetDialer: dialer, Config: &tls.Config{
			MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{m.own}, RootCAs: m.authority,
		}}
		return secure.DialContext(ctx, network, addr)
	}
}
