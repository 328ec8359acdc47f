package stack

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"

	"serein.app/deploy/local/balancer"
)

// secured are the parts that browsers reach, by the names of their ports, where Options.HTTPS is set.
var secured = []string{"gateway", "identity"}

// https is the name of the port where a part's connections are encrypted.
func https(name string) string { return name + "-https" }

// browsers is a part's address in a browser.
func (s *Stack) browsers(name string) string {
	if s.options.HTTPS {
		return fmt.Sprintf("https://localhost:%d", s.settings.Ports[https(name)])
	}
	return fmt.Sprintf("http://localhost:%d", s.settings.Ports[name])
}

// Authority signs the certificate of the addresses in a browser; nil where they are not encrypted.
func (s *Stack) Authority() *x509.CertPool { return s.authority }

// authorityFile, in the data folder, is the authority as the programs read it, which believe no other.
const authorityFile = "authority.pem"

// certify makes the certificate of this start. It signs itself.
func (s *Stack) certify() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(0, 0, 7), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, err
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	s.authority = x509.NewCertPool()
	s.authority.AppendCertsFromPEM(public)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, os.WriteFile(s.data(authorityFile), public, 0o600)
}

// encryption are the parts that end the encryption before those that browsers reach, as an ingress does.
func (s *Stack) encryption() (parts []*part, err error) {
	if !s.options.HTTPS {
		return nil, nil
	}
	certificate, err := s.certify()
	if err != nil {
		return nil, err
	}
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	for _, name := range secured {
		parts = append(parts, &part{name: https(name), address: s.browsers(name), start: func(ctx context.Context) (running, error) {
			listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.loopback(https(name)))
			if err != nil {
				return running{}, err
			}
			behind := balancer.NewReplica(func(ctx context.Context) bool { return listens(ctx, s.loopback(name)) })
			watch := loop(ctx, behind.Watch)
			return loop(ctx, func(ctx context.Context) error {
				defer func() { <-watch.done }()
				return balancer.New(balancer.Target{Replica: behind, Address: s.loopback(name)}).Serve(ctx, tls.NewListener(listener, config))
			}), nil
		}})
	}
	return parts, nil
}

// listens says whether anything takes connections there.
func listens(ctx context.Context, address string) bool {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	return err == nil && conn.Close() == nil
}
