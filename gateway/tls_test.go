package gateway

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/webhook"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
	"serein.app/services/platform/mtls"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
	"serein.app/services/testkit/freeport"
	"serein.app/services/testkit/pki"
)

// securedBilling is a real service that asks for certificates, and keeps the payment events that it receives.
func (s *stack) securedBilling(t *testing.T, certs mtls.Config) string {
	t.Helper()
	billing, err := service.Start(t.Context(), "billing", service.Config{
		Server: server.Config{Addr: "127.0.0.1:0"}, Auth: testkit.Auth(t, "billing"), NATSURL: "nats://127.0.0.1:1", TLS: certs,
	}, auth.Policy{
		billingv1connect.WebhookServiceReceiveWebhookProcedure: {Services: []string{Name}},
	}, testkit.Telemetry(t))
	require.NoError(t, err)
	billing.HandleRPC(billingv1connect.NewWebhookServiceHandler(salesFake{s.services}, billing.RPC.Options()...))
	url, _ := testkit.Serve(t, billing)
	return strings.Replace(url, "http:", "https:", 1)
}

// opened is the gateway as its configuration opens it: where browsers and where operators find it.
func (s *stack) opened(t *testing.T, billing string, certs mtls.Config) (public, internal string) {
	t.Helper()
	port, err := freeport.New()
	require.NoError(t, err)
	cfg := s.cfg
	cfg.PublicAddr = fmt.Sprintf("127.0.0.1:%d", port)
	cfg.PublicURL, cfg.NATSURL, cfg.TLS = "http://"+cfg.PublicAddr, cmp.Or(cfg.NATSURL, config.URL("nats://127.0.0.1:1")), certs
	cfg.Upstream.Billing = billing
	require.NoError(t, cfg.Validate())
	own, err := service.StartEdge(t.Context(), Name, cfg.EdgeConfig, quiet(t))
	require.NoError(t, err)
	require.NoError(t, open(t.Context(), own, cfg))
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- own.Run(ctx) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-done) })
	addr, err := own.Addr(t.Context())
	require.NoError(t, err)
	return cfg.PublicURL, addr
}

// tell tells billing of a payment as the provider does: nothing else of it is between the two.
func tell(t *testing.T, public string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, public+webhook.Path, strings.NewReader("{}"))
	require.NoError(t, err)
	req.Header.Set(webhook.SignatureHeader, "t=1,v1=00")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

func TestTheGatewayReachesServicesThatAskForCertificatesByItsOwnAlone(t *testing.T) {
	t.Parallel()
	s := start(t, 0)
	authority, foreign, later := pki.New(t), pki.New(t), time.Now().Add(time.Hour)
	billing := s.securedBilling(t, authority.Issue(t.TempDir(), "billing", later))
	public, _ := s.opened(t, billing, authority.Issue(t.TempDir(), Name, later))
	require.Equal(t, http.StatusOK, tell(t, public))
	for name, certs := range map[string]mtls.Config{
		"none": {}, "of a foreign authority": foreign.Issue(t.TempDir(), Name, later, authority),
		"of another service": authority.Issue(t.TempDir(), "mail", later), "that has expired": authority.Issue(t.TempDir(), Name, time.Now().Add(-time.Minute)),
	} {
		public, _ := s.opened(t, billing, certs)
		require.GreaterOrEqual(t, tell(t, public), http.StatusUnauthorized, name)
	}
	impostor := s.securedBilling(t, foreign.Issue(t.TempDir(), "billing", later, authority))
	public, _ = s.opened(t, impostor, authority.Issue(t.TempDir(), Name, later))
	require.Equal(t, http.StatusServiceUnavailable, tell(t, public), "a service of a foreign authority is asked nothing")
}

func TestTheGatewaysMetricsUnderTLSAreForTheClientsOfItsList(t *testing.T) {
	t.Parallel()
	s := start(t, 0)
	authority, dir, later := pki.New(t), t.TempDir(), time.Now().Add(time.Hour)
	certs := authority.Issue(dir, Name, later)
	certs.Clients = []string{"scraper"}
	_, internal := s.opened(t, s.services.billing.URL, certs)
	get := func(path string, own mtls.Config) (int, error) {
		pem, err := os.ReadFile(certs.CA)
		require.NoError(t, err)
		pool := x509.NewCertPool()
		require.True(t, pool.AppendCertsFromPEM(pem))
		client := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS13}
		if own.On() {
			pair, err := tls.LoadX509KeyPair(own.Cert, own.Key)
			require.NoError(t, err)
			client.Certificates = []tls.Certificate{pair}
		}
		transport := &http.Transport{TLSClientConfig: client}
		defer transport.CloseIdleConnections()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+internal+path, nil)
		require.NoError(t, err)
		res, err := transport.RoundTrip(req)
		if err != nil {
			return 0, err
		}
		return res.StatusCode, res.Body.Close()
	}
	status, err := get("/metrics", authority.Issue(t.TempDir(), "scraper", later))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	for path, want := range map[string]int{"/metrics": http.StatusForbidden, "/healthz": http.StatusOK} {
		status, err := get(path, mtls.Config{})
		require.NoError(t, err)
		require.Equal(t, want, status, path)
	}
	_, err = get("/metrics", authority.Issue(t.TempDir(), "billing", later))
	require.ErrorContains(t, err, "tls", "no service calls the gateway")
}
