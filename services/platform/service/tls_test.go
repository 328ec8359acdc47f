package service_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/mtls"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
	"serein.app/services/testkit/pki"
)

var later = time.Now().Add(time.Hour)

type mailer struct {
	mailv1connect.UnimplementedMailServiceHandler
}

func (mailer) SendMail(context.Context, *mailv1.SendMailRequest) (*mailv1.SendMailResponse, error) {
	return &mailv1.SendMailResponse{MailId: "sent"}, nil
}

var fromIdentity = auth.Rule{Services: []string{"identity"}}

// secured is the mail service behind certificates; https://… is its address.
func secured(t *testing.T, certs mtls.Config) string {
	t.Helper()
	cfg := away(t)
	cfg.Database.URL, cfg.TLS = "", certs
	s, err := service.Start(t.Context(), "mail", cfg, auth.Policy{mailv1connect.MailServiceSendMailProcedure: fromIdentity}, testkit.Telemetry(t))
	require.NoError(t, err)
	s.HandleRPC(mailv1connect.NewMailServiceHandler(mailer{}, s.RPC.Options()...))
	s.Handle("GET /media/sound", s.RPC.HTTP(fromIdentity, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "sound") })))
	url, _ := testkit.Serve(t, s)
	return strings.Replace(url, "http:", "https:", 1)
}

// caller is the identity service, which calls with its certificates; none: without.
func caller(t *testing.T, certs mtls.Config) *service.Service {
	t.Helper()
	cfg := away(t)
	cfg.Auth = testkit.Auth(t, "identity")
	cfg.Database.URL, cfg.TLS = "", certs
	s, err := service.Start(t.Context(), "identity", cfg, auth.Policy{}, testkit.Telemetry(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.WithoutCancel(t.Context()))) })
	return s
}

func send(ctx context.Context, s *service.Service, url string) error {
	c, base, options := s.Dialer.To("mail", url)
	_, err := mailv1connect.NewMailServiceClient(c, base, options).SendMail(ctx, &mailv1.SendMailRequest{
		IdempotencyKey: "k", To: "a@b.example", Template: &mailv1.SendMailRequest_AccountExists{AccountExists: &mailv1.AccountExists{}},
	})
	return err
}

func listen(t *testing.T, s *service.Service, url string) (int, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/media/sound", nil)
	require.NoError(t, err)
	require.NoError(t, s.Dialer.Sign(req, "mail"))
	res, err := s.Dialer.HTTP().Do(req)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, res.Body.Close()
}

func TestServicesTalkUnderMutualTLS(t *testing.T) {
	t.Parallel()
	authority, dir := pki.New(t), t.TempDir()
	url := secured(t, authority.Issue(dir, "mail", later))
	s := caller(t, authority.Issue(dir, "identity", later))
	require.NoError(t, send(t.Context(), s, url))
	status, err := listen(t, s, url)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, "sound too")
	require.Error(t, send(t.Context(), s, strings.Replace(url, "https:", "http:", 1)), "nothing is answered in the clear")
	require.NoError(t, send(t.Context(), caller(t, authority.Issue(dir, "identity.serein.svc", later)), url))
}

func TestWhoeverHasNoCertificateOfAServiceIsRefused(t *testing.T) {
	t.Parallel()
	authority, foreign, dir := pki.New(t), pki.New(t), t.TempDir()
	url := secured(t, authority.Issue(dir, "mail", later))
	for name, certs := range map[string]mtls.Config{
		"of a foreign authority":   foreign.Issue(t.TempDir(), "identity", later, authority),
		"expired":                  authority.Issue(t.TempDir(), "identity", time.Now().Add(-time.Minute)),
		"of nobody we know":        authority.Issue(t.TempDir(), "stranger", later),
		"that only begins like us": authority.Issue(t.TempDir(), "identity-not", later),
	} {
		s := caller(t, certs)
		err := send(t.Context(), s, url)
		require.Equal(t, errs.Unavailable, errs.KindOf(err), "%s: %v", name, err)
		_, err = listen(t, s, url)
		require.ErrorContains(t, err, "tls", name)
	}
	impostor := secured(t, foreign.Issue(t.TempDir(), "mail", later))
	require.Error(t, send(t.Context(), caller(t, authority.Issue(dir, "identity", later)), impostor), "a server that is not the authority's")
	old := secured(t, authority.Issue(t.TempDir(), "mail", time.Now().Add(-time.Minute)))
	require.Error(t, send(t.Context(), caller(t, authority.Issue(dir, "identity", later)), old), "a server whose certificate has expired")
}

// The key that signs a service's calls is of no use without that service's certificate.
func TestACallIsBelievedOverItsCallersOwnConnectionAlone(t *testing.T) {
	t.Parallel()
	authority := pki.New(t)
	url := secured(t, authority.Issue(t.TempDir(), "mail", later))
	for name, believed := range map[string]bool{"identity": true, "identity.serein.svc": true, "billing": false, "mail.identity": false} {
		s := caller(t, authority.Issue(t.TempDir(), name, later))
		err := send(t.Context(), s, url)
		status, listenErr := listen(t, s, url)
		require.NoError(t, listenErr)
		if believed {
			require.NoError(t, err, name)
			require.Equal(t, http.StatusOK, status, name)
			continue
		}
		require.ErrorIs(t, err, auth.ErrUnauthenticated, name)
		require.Equal(t, http.StatusUnauthorized, status, name)
	}
}

func TestWithoutACertificateOnlyProbesAreAnswered(t *testing.T) {
	t.Parallel()
	authority, dir := pki.New(t), t.TempDir()
	certs := authority.Issue(dir, "mail", later)
	url := secured(t, certs)
	pem, err := os.ReadFile(certs.CA)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(pem))
	bare := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS13}}}
	for path, want := range map[string]int{
		"/healthz": http.StatusOK, "/readyz": http.StatusOK, "/metrics": http.StatusForbidden, "/media/sound": http.StatusForbidden,
		mailv1connect.MailServiceSendMailProcedure: http.StatusForbidden, "/grpc.health.v1.Health/Check": http.StatusForbidden,
		"/healthz/../metrics": http.StatusForbidden,
	} {
		res, err := bare.Post(url+path, "application/json", strings.NewReader("{}"))
		if strings.HasSuffix(path, "z") {
			res, err = bare.Get(url + path)
		}
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, want, res.StatusCode, path)
	}
	old := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MaxVersion: tls.VersionTLS12}}}
	_, err = old.Get(url + "/healthz")
	require.ErrorContains(t, err, "protocol version")
}

// While calls go on, first the callee's and then everybody's certificates and the authority itself
// are replaced; no call fails, and at the end the old authority is believed by nobody.
func TestCertificatesAreReplacedWhileCallsGoOn(t *testing.T) {
	t.Parallel()
	before, after := pki.New(t), pki.New(t)
	mailDir, identityDir, oldDir := t.TempDir(), t.TempDir(), t.TempDir()
	url := secured(t, before.Issue(mailDir, "mail", later))
	s := caller(t, before.Issue(identityDir, "identity", later))
	ctx, stop := context.WithCancel(t.Context())
	calls, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			if err := send(context.WithoutCancel(ctx), s, url); err != nil {
				ended <- err
				return
			}
			s.Dialer.HTTP().CloseIdleConnections() // each call meets the certificates of its time
			select {
			case calls <- struct{}{}:
			case <-ctx.Done():
				ended <- nil
				return
			}
		}
	}()
	several := func() {
		for range 20 {
			select {
			case <-calls:
			case err := <-ended:
				require.NoError(t, err, "a call failed while certificates were replaced")
			}
		}
	}
	several()
	before.Issue(identityDir, "identity", later, before, after) // both sides believe the new authority …
	before.Issue(mailDir, "mail", later, before, after)
	several()
	after.Issue(mailDir, "mail", later, before, after) // … before anybody has its certificates,
	after.Issue(identityDir, "identity", later, before, after)
	several()
	after.Issue(mailDir, "mail", later) // and the old one goes last
	after.Issue(identityDir, "identity", later)
	several()
	stop()
	require.NoError(t, <-ended)
	require.Error(t, send(t.Context(), caller(t, before.Issue(oldDir, "identity", later, before, after)), url), "the old authority")
}

func TestCertificatesThatCannotBeReadStopTheStartAndNotTheRun(t *testing.T) {
	t.Parallel()
	authority, dir := pki.New(t), t.TempDir()
	certs := authority.Issue(dir, "mail", later)
	url := secured(t, certs)
	s := caller(t, authority.Issue(dir, "identity", later))
	require.NoError(t, os.WriteFile(certs.Key, []byte("half a key"), 0o600))
	s.Dialer.HTTP().CloseIdleConnections()
	require.NoError(t, send(t.Context(), s, url), "what was read before goes on")
	for name, broken := range map[string]mtls.Config{
		"TLS_KEY_FILE": certs, "no such file": {Cert: dir + "/none", Key: certs.Key, CA: certs.CA, Refresh: 1},
		"all three": {Cert: certs.Cert}, "TLS_REFRESH": {Cert: certs.Cert, Key: certs.Key, CA: certs.CA, Refresh: -1},
	} {
		_, err := mtls.Open(broken, testkit.Logger(t))
		require.Error(t, err, name)
	}
}
