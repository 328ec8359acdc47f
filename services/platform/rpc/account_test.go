package rpc_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
	"serein.app/services/testkit/issuer"
)

// A service that calls for a service account vouches for nothing: the account is the caller.
func TestACallForAServiceAccountIsTheAccountsOwn(t *testing.T) {
	t.Parallel()
	op := issuer.Start(t, time.Now)
	cfg := testkit.Auth(t, "mail")
	cfg.Issuer = op.URL
	verifier, err := auth.NewVerifier("mail", cfg)
	require.NoError(t, err)
	rule := auth.Policy{mailv1connect.MailServiceSendMailProcedure: {Services: []string{"identity"}, Admin: true, Scope: "mail.send"}}
	s, err := rpc.NewServer(verifier, rule, testkit.Telemetry(t))
	require.NoError(t, err)
	var heard auth.Caller
	mux := http.NewServeMux()
	mux.Handle(mailv1connect.NewMailServiceHandler(handler{func(ctx context.Context) error {
		heard, _ = auth.CallerFrom(ctx)
		return nil
	}}, s.Options()...))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	token := func(scope string) string {
		payload, err := json.Marshal(map[string]any{
			"iss": op.URL, "aud": auth.ServiceAudience, "sub": "press", "client_id": "press", "scope": scope, "exp": time.Now().Add(time.Minute).Unix(),
		})
		require.NoError(t, err)
		return op.SignRSA(payload)
	}
	c, admin := client(t, "identity", server.URL), auth.WithSubject(t.Context(), auth.Subject{UID: "u1", Admin: true})
	_, err = c.SendMail(auth.WithAccessToken(admin, token("mail.send")), request())
	require.NoError(t, err)
	require.Equal(t, auth.Caller{Service: "client:press", Scopes: []string{"mail.send"}}, heard)
	_, err = c.SendMail(auth.WithAccessToken(admin, token("mail.read")), request())
	require.ErrorIs(t, err, auth.ErrForbidden, "whatever the subject beside it")
	_, err = c.SendMail(auth.WithAccessToken(admin, ""), request())
	require.NoError(t, err)
	require.Equal(t, "identity", heard.Service)
}
