package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// certificates are the files of a connection under TLS. Whether there is TLS is said by the address: https:// and tls:// are.
type certificates struct{ authority, certificate, key string }

// config is what both gRPC and NATS connect with.
func (c certificates) config() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.authority != "" {
		pem, err := os.ReadFile(c.authority)
		if err != nil {
			return nil, err
		}
		if config.RootCAs = x509.NewCertPool(); !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s holds no certificate", c.authority)
		}
	}
	if c.certificate != "" || c.key != "" {
		own, err := tls.LoadX509KeyPair(c.certificate, c.key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{own}
	}
	return config, nil
}
