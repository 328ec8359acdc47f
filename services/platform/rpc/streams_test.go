package rpc_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

// watcher streams by calling watch.
type watcher struct {
	generationv1connect.UnimplementedMeditationServiceHandler
	watch func(ctx context.Context, send func() error) error
}

func (w watcher) WatchMeditation(ctx context.Context, _ *generationv1.WatchMeditationRequest, stream *connect.ServerStream[generationv1.WatchMeditationResponse]) error {
	return w.watch(ctx, func() error { return stream.Send(&generationv1.WatchMeditationResponse{}) })
}

const meditation = "0192f0c1-0000-7000-8000-00000000000a"

// stream opens a stream as that service, and gives the number of messages and how it ended.
func stream(ctx context.Context, t *testing.T, as, id string, watch func(ctx context.Context, send func() error) error) (messages int, err error) {
	t.Helper()
	rule := auth.Policy{generationv1connect.MeditationServiceWatchMeditationProcedure: {Services: []string{"gateway"}, Member: true}}
	s, err := rpc.NewServer(testkit.Verifier(t, "generation"), rule, testkit.Telemetry(t))
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle(generationv1connect.NewMeditationServiceHandler(watcher{watch: watch}, s.Options()...))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	c, url, options := testkit.Dialer(t, as).To("generation", server.URL)
	answers, err := generationv1connect.NewMeditationServiceClient(c, url, options).WatchMeditation(ctx, &generationv1.WatchMeditationRequest{Id: id})
	if err != nil {
		return 0, rpc.FromConnect(err)
	}
	defer func() { _ = answers.Close() }()
	for answers.Receive() {
		messages++
	}
	return messages, rpc.FromConnect(answers.Err())
}

func TestAStreamIsGuardedLikeACall(t *testing.T) {
	t.Parallel()
	called := false
	watch := func(context.Context, func() error) error { called = true; return nil }
	member := auth.WithMember(t.Context(), "u1")
	_, err := stream(member, t, "billing", meditation, watch)
	require.ErrorIs(t, err, auth.ErrForbidden)
	_, err = stream(t.Context(), t, "gateway", meditation, watch)
	require.ErrorIs(t, err, auth.ErrUnauthenticated)
	_, err = stream(member, t, "gateway", strings.Repeat("x", 5000), watch)
	require.ErrorIs(t, err, rpc.ErrInvalid)
	require.Equal(t, "id", errs.From(err).Field)
	require.False(t, called, "nothing of it reaches the handler")
}

func TestAStreamThatFailsOrPanicsHalfWayTellsItsReasonAndNothingElse(t *testing.T) {
	t.Parallel()
	member := auth.WithMember(t.Context(), "u1")
	for name, c := range map[string]struct {
		end  func() error
		want error
	}{
		"a reason":   {func() error { return errFull.Because(errors.New("hunter2")) }, errFull},
		"undeclared": {func() error { return errors.New("hunter2") }, errs.ErrInternal},
		"a panic":    {func() error { panic("hunter2") }, errs.ErrInternal},
	} {
		n, err := stream(member, t, "gateway", meditation, func(_ context.Context, send func() error) error {
			if err := send(); err != nil {
				return err
			}
			return c.end()
		})
		require.Equal(t, 1, n, "%s: what was sent before arrives", name)
		require.ErrorIs(t, err, c.want, name)
		require.NotContains(t, err.Error(), "hunter2", name)
	}
}

func TestAStreamMayLastAndSeesItsCallerGo(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(auth.WithMember(t.Context(), "u1"))
	gone := make(chan struct{})
	_, err := stream(ctx, t, "gateway", meditation, func(ctx context.Context, send func() error) error {
		_, limited := ctx.Deadline()
		if limited {
			return errors.New("it has a deadline")
		}
		defer close(gone)
		_ = send()
		leave()
		<-ctx.Done()
		return ctx.Err()
	})
	<-gone
	require.Equal(t, errs.Canceled, errs.KindOf(err))
}

func TestACallHasADeadlineOnBothSides(t *testing.T) {
	t.Parallel()
	var left atomic.Int64
	url := serve(t, policy, func(ctx context.Context) error {
		deadline, ok := ctx.Deadline()
		if !ok {
			return errors.New("it has no deadline")
		}
		left.Store(int64(time.Until(deadline)))
		return nil
	})
	_, err := client(t, "identity", url).SendMail(t.Context(), request())
	require.NoError(t, err)
	require.LessOrEqual(t, time.Duration(left.Load()), rpc.CallTime, "the caller's goes along")

	res := post(t, url, func(*http.Request) {})
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Greater(t, time.Duration(left.Load()), rpc.CallTime, "a caller without one gets the longest")
	require.LessOrEqual(t, time.Duration(left.Load()), rpc.MaxTime)
}

func TestACallThatTakesTooLongEndsForBothSides(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan struct{}, 1), make(chan struct{}, 1)
	url := serve(t, policy, func(ctx context.Context) error {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return ctx.Err()
	})
	for limit := 100 * time.Millisecond; ; limit *= 2 { // on a slow machine a call may end before it has arrived
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		_, err := client(t, "identity", url).SendMail(ctx, request())
		cancel()
		require.Equal(t, errs.DeadlineExceeded, errs.KindOf(err))
		if len(begun) > 0 {
			<-ended
			return
		}
	}
}

// post sends a plain Connect call as identity, which change may spoil.
func post(t *testing.T, url string, change func(*http.Request)) *http.Response {
	t.Helper()
	body := strings.NewReader(`{"idempotencyKey":"k","to":"a@b.example","accountExists":{}}`)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/serein.mail.v1.MailService/SendMail", body)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	require.NoError(t, testkit.Dialer(t, "identity").Sign(req, "mail"))
	change(req)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func TestAPlainRouteAsksForTheSameProof(t *testing.T) {
	t.Parallel()
	s, err := rpc.NewServer(testkit.Verifier(t, "mail"), policy, testkit.Telemetry(t))
	require.NoError(t, err)
	rule := auth.Rule{Services: []string{"identity"}, Member: true}
	server := httptest.NewServer(s.HTTP(rule, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(auth.Member(r.Context())))
	})))
	t.Cleanup(server.Close)
	get := func(ctx context.Context, as, audience string) (int, string) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
		require.NoError(t, err)
		if as != "" {
			require.NoError(t, testkit.Dialer(t, as).Sign(req, audience))
		}
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, string(body)
	}
	member := auth.WithMember(t.Context(), "u1")
	status, body := get(member, "identity", "mail")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "u1", body)
	for name, c := range map[string]struct {
		ctx          context.Context
		as, audience string
		want         int
	}{
		"nobody":              {member, "", "", http.StatusUnauthorized},
		"no member":           {t.Context(), "identity", "mail", http.StatusUnauthorized},
		"for another service": {member, "identity", "billing", http.StatusUnauthorized},
		"another service":     {member, "billing", "mail", http.StatusForbidden},
	} {
		status, body := get(c.ctx, c.as, c.audience)
		require.Equal(t, c.want, status, name)
		require.Empty(t, body, name)
	}
}

func TestTheSubjectOfACallIsPassedOnWhole(t *testing.T) {
	t.Parallel()
	want := auth.Subject{UID: "u1", Admin: true, Entitlements: []string{"library"}}
	got := make(chan auth.Subject, 1)
	url := serve(t, policy, func(ctx context.Context) error { got <- auth.SubjectFrom(ctx); return nil })
	_, err := client(t, "identity", url).SendMail(auth.WithSubject(t.Context(), want), request())
	require.NoError(t, err)
	require.Equal(t, want, <-got)
	_, err = client(t, "identity", url).SendMail(auth.WithSubject(t.Context(), auth.Subject{Admin: true}), request())
	require.Error(t, err, "rights of nobody are never signed")
}

func TestARefusalOfTheTransportHasAReasonAndASentenceOfOurs(t *testing.T) {
	t.Parallel()
	for code, want := range map[connect.Code]string{
		connect.CodeInvalidArgument: "INVALID_ARGUMENT", connect.CodeUnavailable: "UNAVAILABLE", connect.CodeDeadlineExceeded: "DEADLINE_EXCEEDED",
		connect.CodeCanceled: "CANCELED", connect.CodeResourceExhausted: "TOO_LARGE", connect.CodeInternal: "INTERNAL",
		connect.CodeUnimplemented: "INTERNAL", connect.CodePermissionDenied: "REFUSED", connect.CodeNotFound: "REFUSED",
	} {
		e := errs.From(rpc.FromConnect(connect.NewError(code, errors.New("proto: cannot parse reserved wire type"))))
		require.Equal(t, want, e.Word(), code)
		require.NotContains(t, e.Public, "proto", code)
		require.NotEmpty(t, e.Public, code)
	}
	require.NoError(t, rpc.FromConnect(nil))
	require.Equal(t, errs.DeadlineExceeded, errs.KindOf(rpc.FromConnect(context.DeadlineExceeded)))
	require.Equal(t, errs.Canceled, errs.KindOf(rpc.FromConnect(context.Canceled)))
}
