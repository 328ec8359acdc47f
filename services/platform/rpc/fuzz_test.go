package rpc_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

// FuzzNoCallOfAPeerIsOurFault: whatever method, content type, encoding, time limit and bytes a proved caller sends
// to a unary call or a stream, no answer of any protocol calls it internal or unknown.
func FuzzNoCallOfAPeerIsOurFault(f *testing.F) {
	for _, kind := range []string{
		"application/json", "application/proto", "application/connect+json", "application/connect+proto", "application/grpc", "application/grpc+json",
		"application/grpc-web", "application/grpc-web-text", "text/plain", "", "application/json; charset=\"", "APPLICATION/GRPC+PROTO;x",
	} {
		for _, body := range []string{"", "{}", `{"to":"\ud800"}`, frame(0, "{}"), frame(0, "\x0a\x01k"), frame(1, "x"), frame(0x80, "a: b"), "\xff\xff\xff\xff\xff"} {
			f.Add(true, "POST", "", kind, "", "", body)
			f.Add(false, "POST", "", kind, "gzip", "1n", body)
			f.Add(true, "GET", "connect=v1&encoding=json&base64=1&compression=gzip&message="+body, kind, "", "-1", "")
		}
	}
	anybody := auth.Rule{Services: []string{"gateway"}}
	tel := testkit.Telemetry(f)
	s, err := rpc.NewServer(testkit.Verifier(f, "mail"), auth.Policy{
		mailv1connect.MailServiceSendMailProcedure:                    anybody,
		generationv1connect.MeditationServiceWatchMeditationProcedure: anybody,
	}, tel)
	require.NoError(f, err)
	mux := http.NewServeMux()
	add := func(path string, h http.Handler) { mux.Handle(path, rpc.WellFormed(h, nil)) }
	add(mailv1connect.NewMailServiceHandler(handler{ok}, s.Options()...))
	add(generationv1connect.NewMeditationServiceHandler(watcher{watch: func(context.Context, func() error) error { return nil }}, s.Options()...))
	signer := testkit.Signer(f, "gateway")
	f.Fuzz(func(t *testing.T, unary bool, method, query, kind, encoding, limit, body string) {
		if _, err := http.NewRequestWithContext(t.Context(), method, "/", nil); err != nil {
			return // net/http refuses it before the service sees it
		}
		r := httptest.NewRequestWithContext(t.Context(), method, generationv1connect.MeditationServiceWatchMeditationProcedure, strings.NewReader(body))
		if unary {
			r.URL.Path = mailv1connect.MailServiceSendMailProcedure
		}
		proof, err := signer.Authorization("mail", auth.Subject{})
		require.NoError(t, err)
		r.URL.RawQuery = query
		for name, value := range map[string]string{
			"Authorization": proof, "Content-Type": kind, "Content-Encoding": encoding, "Grpc-Encoding": encoding, "Connect-Content-Encoding": encoding,
			"Grpc-Timeout": limit, "Connect-Timeout-Ms": limit,
		} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		require.NotContains(t, []int{http.StatusInternalServerError, http.StatusBadGateway}, w.Code, "%s", w.Body)
		require.NotContains(t, []string{"2", "13"}, w.Result().Trailer.Get("Grpc-Status"), "unknown, internal")
		require.NotContains(t, w.Body.String(), `"code":"internal"`)
		require.NotContains(t, w.Body.String(), `"code":"unknown"`)
	})
}
