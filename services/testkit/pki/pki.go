// Package pki makes authorities and certificates for tests, as files.
package pki

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/mtls"
)

// Authority signs certificates.
type Authority struct {
	tb   testing.TB
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// New makes an authority.
func New(tb testing.TB) *Authority {
	tb.Helper()
	a := &Authority{tb: tb, key: newKey(tb)}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	require.NoError(tb, err)
	a.cert, err = x509.ParseCertificate(der)
	require.NoError(tb, err)
	return a
}

// Issue writes into dir the certificate of a service on this machine, its key, and the authorities
// that it believes; none: its own.
func (a *Authority) Issue(dir, name string, until time.Time, believed ...*Authority) mtls.Config {
	a.tb.Helper()
	key := newKey(a.tb)
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name, "localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: until.Add(-2 * time.Hour), NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}, a.cert, key.Public(), a.key)
	require.NoError(a.tb, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(a.tb, err)
	if len(believed) == 0 {
		believed = []*Authority{a}
	}
	var authorities []byte
	for _, b := range believed {
		authorities = append(authorities, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: b.cert.Raw})...)
	}
	return mtls.Config{
		Cert: a.write(dir, name+".pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		Key:  a.write(dir, name+".key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})),
		CA:   a.write(dir, name+".ca", authorities), Refresh: time.Nanosecond,
	}
}

func (a *Authority) write(dir, name string, content []byte) string {
	a.tb.Helper()
	path := filepath.Join(dir, name)
	require.NoError(a.tb, os.WriteFile(path, content, 0o600))
	return path
}

func newKey(tb testing.TB) *ecdsa.PrivateKey {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(tb, err)
	return key
}
