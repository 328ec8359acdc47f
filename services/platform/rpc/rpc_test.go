package rpc_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/rpc/errdetails"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

var errFull = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_BASKET_FULL, "The box is full.")

type handler struct {
	call func(context.Context) error
}

func (h handler) SendMail(ctx context.Context, _ *mailv1.SendMailRequest) (*mailv1.SendMailResponse, error) {
	return &mailv1.SendMailResponse{MailId: auth.Member(ctx)}, h.call(ctx)
}

func (h handler) SendContactMessage(ctx context.Context, _ *mailv1.SendContactMessageRequest) (*mailv1.SendContactMessageResponse, error) {
	return &mailv1.SendContactMessageResponse{}, h.call(ctx)
}

var policy = auth.Policy{mailv1connect.MailServiceSendMailProcedure: {Services: []string{"identity"}}}

func serve(t *testing.T, policy auth.Policy, call func(context.Context) error) string {
	t.Helper()
	s, err := rpc.NewServer(testkit.Verifier(t, "mail"), policy, testkit.Telemetry(t))
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle(mailv1connect.NewMailServiceHandler(handler{call}, s.Options()...))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func client(t *testing.T, as, url string) mailv1connect.MailServiceClient {
	t.Helper()
	c, base, options := testkit.Dialer(t, as).To("mail", url)
	return mailv1connect.NewMailServiceClient(c, base, options)
}

func request() *mailv1.SendMailRequest {
	return &mailv1.SendMailRequest{IdempotencyKey: "k", To: "a@b.example", Template: &mailv1.SendMailRequest_AccountExists{AccountExists: &mailv1.AccountExists{}}}
}

func ok(context.Context) error { return nil }

func TestACallIsMadeForTheMemberOfItsContext(t *testing.T) {
	t.Parallel()
	res, err := client(t, "identity", serve(t, policy, ok)).SendMail(auth.WithMember(t.Context(), "u1"), request())
	require.NoError(t, err)
	require.Equal(t, "u1", res.GetMailId())
}

func TestCallersOutsideThePolicyAreRefused(t *testing.T) {
	t.Parallel()
	url := serve(t, policy, ok)
	_, err := client(t, "billing", url).SendMail(t.Context(), request())
	require.ErrorIs(t, err, auth.ErrForbidden)
	_, err = client(t, "identity", serve(t, auth.Policy{}, ok)).SendMail(t.Context(), request())
	require.ErrorIs(t, err, auth.ErrForbidden, "no rule means refused")
	_, err = mailv1connect.NewMailServiceClient(http.DefaultClient, url).SendMail(t.Context(), request())
	require.Equal(t, connect.CodeUnauthenticated, connect.CodeOf(err))
}

func TestAMethodWithoutARuleIsFound(t *testing.T) {
	t.Parallel()
	service := mailv1.File_serein_mail_v1_mail_proto.Services().Get(0)
	both := []string{mailv1connect.MailServiceSendMailProcedure, mailv1connect.MailServiceSendContactMessageProcedure}
	require.Equal(t, both, rpc.Missing(auth.Policy{}, service))
	require.Equal(t, both[1:], rpc.Missing(policy, service))
	require.Empty(t, rpc.Missing(auth.Policy{both[0]: {}, both[1]: {}}, service))
}

func TestEveryKindCrossesTheWireWithReasonSentenceAndField(t *testing.T) {
	t.Parallel()
	for _, kind := range errs.Kinds {
		declared := errs.New(kind, errorsv1.Reason_REASON_TRY_AGAIN, "A sentence.")
		url := serve(t, policy, func(context.Context) error {
			return fmt.Errorf("deep down: %w", declared.Because(errors.New("secret cause")).On("title"))
		})
		_, err := client(t, "identity", url).SendMail(t.Context(), request())
		got := errs.From(err)
		require.Equal(t, kind, got.Kind)
		require.Equal(t, errorsv1.Reason_REASON_TRY_AGAIN, got.Reason)
		require.Equal(t, "A sentence.", got.Public)
		require.Equal(t, "title", got.Field)
		require.NotContains(t, err.Error(), "secret cause")
	}
}

// A peer may be newer: what its reason means is not known here, its code is.
func TestAReasonThatIsNotKnownHereKeepsItsCode(t *testing.T) {
	t.Parallel()
	refusal := connect.NewError(connect.CodeUnavailable, errors.New("Later."))
	detail, err := connect.NewErrorDetail(&errdetails.ErrorInfo{Reason: "OF_TOMORROW", Domain: rpc.Domain, Metadata: map[string]string{"field": "title"}})
	require.NoError(t, err)
	refusal.AddDetail(detail)
	got := errs.From(rpc.FromConnect(refusal))
	require.ErrorIs(t, got, errs.ErrUnavailable)
	require.Equal(t, "title", got.Field)
}

func TestARefusalThatSaysWhenItMayGoThroughSaysSoToTheCaller(t *testing.T) {
	t.Parallel()
	for _, wait := range []time.Duration{0, 90 * time.Second} {
		url := serve(t, policy, func(context.Context) error { return errFull.After(wait) })
		_, err := client(t, "identity", url).SendMail(t.Context(), request())
		require.ErrorIs(t, err, errFull)
		require.Equal(t, wait, errs.From(err).RetryAfter)
	}
}

func TestUndeclaredErrorsAndPanicsShowNothing(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(context.Context) error{
		"error": func(context.Context) error { return errors.New("password=hunter2") },
		"panic": func(context.Context) error { panic("password=hunter2") },
	} {
		_, err := client(t, "identity", serve(t, policy, call)).SendMail(t.Context(), request())
		require.ErrorIs(t, err, errs.ErrInternal, name)
		require.NotContains(t, err.Error(), "hunter2", name)
	}
}

func TestBrokenRequestsNameTheirField(t *testing.T) {
	t.Parallel()
	url := serve(t, policy, func(context.Context) error { return errFull })
	bad := request()
	bad.To = ""
	_, err := client(t, "identity", url).SendMail(t.Context(), bad)
	require.ErrorIs(t, err, rpc.ErrInvalid)
	require.Equal(t, "to", errs.From(err).Field)
}

func TestAServiceThatIsAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	_, err := client(t, "identity", "http://127.0.0.1:1").SendMail(t.Context(), request())
	require.Equal(t, errs.Unavailable, errs.KindOf(err))
	require.NotContains(t, errs.From(err).Public, "127.0.0.1")
}

func TestAGzipBombIsRefusedBeforeItUnpacks(t *testing.T) {
	t.Parallel()
	url := serve(t, policy, ok)
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, err := z.Write(make([]byte, 64<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+mailv1connect.MailServiceSendMailProcedure, &bomb)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/proto")
	req.Header.Set("Content-Encoding", "gzip")
	require.NoError(t, testkit.Dialer(t, "identity").Sign(req, "mail"))
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusTooManyRequests, res.StatusCode) // connect's status for resource_exhausted
}
