package rpc_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

// The alerts CallsFail and CallsSlow (deploy/k8s/components/monitoring) read the name and the labels that are asked for here.
func TestPrometheusReadsHowCallsEnd(t *testing.T) {
	t.Parallel()
	tel := testkit.Telemetry(t)
	s, err := rpc.NewServer(testkit.Verifier(t, "mail"), policy, tel)
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle(mailv1connect.NewMailServiceHandler(handler{func(context.Context) error { return errors.New("broken") }}, s.Options()...))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	_, err = client(t, "identity", server.URL).SendMail(t.Context(), request())
	require.Error(t, err)
	answer := httptest.NewRecorder()
	tel.Handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	require.Regexp(t, `(?m)^rpc_server_call_duration_seconds_count\{.*rpc_method="serein\.mail\.v1\.MailService/SendMail".*rpc_response_status_code="INTERNAL".*\} 1$`,
		answer.Body.String())
}
