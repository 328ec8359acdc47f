package rpc_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
)

// observed is a server of the RPC and of the plain route /file, with its log and spans.
func observed(t *testing.T, rule auth.Rule) (server *httptest.Server, log *bytes.Buffer, spans *tracetest.SpanRecorder) {
	t.Helper()
	log, spans = &bytes.Buffer{}, tracetest.NewSpanRecorder()
	tel, err := telemetry.SetupTo(t.Context(), "mail", log)
	require.NoError(t, err)
	tel.Tracing = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	s, err := rpc.NewServer(testkit.Verifier(t, "mail"), auth.Policy{mailv1connect.MailServiceSendMailProcedure: rule}, tel)
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle(mailv1connect.NewMailServiceHandler(handler{ok}, s.Options()...))
	mux.Handle("GET /file", s.HTTP(rule, http.NotFoundHandler()))
	server = httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server, log, spans
}

var inStead = auth.Subject{UID: "u1", Actor: "reports"}

func plain(t *testing.T, url string) int {
	t.Helper()
	dialer := testkit.Dialer(t, "identity")
	req, err := http.NewRequestWithContext(auth.WithSubject(t.Context(), inStead), http.MethodGet, url+"/file", nil)
	require.NoError(t, err)
	require.NoError(t, dialer.Sign(req, "mail"))
	res, err := dialer.HTTP().Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

func TestAnActorIsRefusedWhereTheRuleDoesNotSayDelegated(t *testing.T) {
	t.Parallel()
	for _, rule := range []auth.Rule{{Services: []string{"identity"}}, {Services: []string{"identity"}, Member: true}} {
		server, log, _ := observed(t, rule)
		_, err := client(t, "identity", server.URL).SendMail(auth.WithSubject(t.Context(), inStead), request())
		require.ErrorIs(t, err, auth.ErrForbidden)
		require.Equal(t, http.StatusForbidden, plain(t, server.URL))
		server.Close()
		require.NotContains(t, log.String(), "read in a member", "nothing was read")
	}
}

func TestWhoReadsInAMembersSteadIsWrittenDown(t *testing.T) {
	t.Parallel()
	server, log, spans := observed(t, auth.Rule{Services: []string{"identity"}, Member: true, Delegated: true})
	call := client(t, "identity", server.URL)
	_, err := call.SendMail(auth.WithMember(t.Context(), "u2"), request())
	require.NoError(t, err)
	res, err := call.SendMail(auth.WithSubject(t.Context(), inStead), request())
	require.NoError(t, err)
	require.Equal(t, "u1", res.GetMailId(), "the things are the member's")
	require.Equal(t, http.StatusNotFound, plain(t, server.URL))
	server.Close()

	var written []map[string]any
	for line := range bytes.Lines(log.Bytes()) {
		var record map[string]any
		require.NoError(t, json.Unmarshal(line, &record))
		require.Equal(t, "reports", record["actor"])
		require.Equal(t, "u1", record["subject"])
		written = append(written, record)
	}
	require.Len(t, written, 2, "who acts themselves is not written down")
	require.Equal(t, mailv1connect.MailServiceSendMailProcedure, written[0]["procedure"])
	require.Equal(t, "/file", written[1]["procedure"])

	require.Len(t, spans.Ended(), 2)
	require.NotContains(t, keys(spans.Ended()[0]), attribute.Key("serein.actor"))
	require.Contains(t, spans.Ended()[1].Attributes(), attribute.String("serein.actor", "reports"))
	require.Contains(t, spans.Ended()[1].Attributes(), attribute.String("serein.subject", "u1"))
}

func keys(span sdktrace.ReadOnlySpan) []attribute.Key {
	var out []attribute.Key
	for _, a := range span.Attributes() {
		out = append(out, a.Key)
	}
	return out
}
