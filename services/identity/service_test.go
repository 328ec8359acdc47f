package identity_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/identity"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/outgoing"
	platformrpc "serein.app/services/platform/rpc"
	"serein.app/services/testkit"
	"serein.app/services/testkit/freeport"
	"serein.app/services/testkit/natstest"
)

func TestEveryProcedureHasARule(t *testing.T) {
	t.Parallel()
	services := identityv1.File_serein_identity_v1_identity_proto.Services()
	for i := range services.Len() {
		require.Empty(t, platformrpc.Missing(rpc.Policy(), services.Get(i)))
	}
}

func TestAnActorReadsAndChangesNothing(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{identityv1connect.UserServiceGetUserProcedure}, testkit.Delegated(rpc.Policy()))
}

// fakeMail stands in for the mail service over real RPC, with its proof of caller.
func fakeMail(t *testing.T, m *mailbox) string {
	t.Helper()
	policy := auth.Policy{mailv1connect.MailServiceSendMailProcedure: {Services: []string{"identity"}}}
	handlers, err := platformrpc.NewServer(testkit.Verifier(t, "mail"), policy, testkit.Telemetry(t))
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle(mailv1connect.NewMailServiceHandler(m, handlers.Options()...))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// serviceConfig gives the internal address of the service too.
func serviceConfig(t *testing.T, mailURL, natsURL string) (identity.Config, string) {
	t.Helper()
	db := testkit.Postgres(t, identity.Name, identity.Migrate)
	public, err := freeport.New()
	require.NoError(t, err)
	internal, err := freeport.New()
	require.NoError(t, err)
	cfg := identity.Config{
		MailURL: mailURL, PublicURL: "http://localhost:8080",
		CodeSecret: "code-secret-0123456789-0123456789-ab", MailboxSecret: "mailbox-secret-0123456789-0123456789", KeyEncryptionSecret: "key-secret-0123456789-0123456789-abc",
		BrowserSecret: "browser-secret-0123456789-0123456789",
		Clients:       config.URL(`[{"id":"gateway","secret":"` + gatewaySecret + `","redirect_uris":["http://localhost:8080/auth/callback"]}]`),
	}
	cfg.LimitScale, cfg.ClientsRefresh = 1, 50*time.Millisecond
	cfg.Auth, cfg.NATSURL = testkit.Auth(t, identity.Name), config.URL(natsURL)
	cfg.PublicAddr, cfg.Server.Addr = fmt.Sprintf("127.0.0.1:%d", public), fmt.Sprintf("127.0.0.1:%d", internal)
	cfg.Auth.Issuer = fmt.Sprintf("http://localhost:%d", public)
	cfg.Database.URL, cfg.Database.MaxConns = config.URL(db.URL), 8
	return cfg, "http://" + cfg.Server.Addr
}

// runs runs the service until the test ends; ready when it returns.
func runs(t *testing.T, cfg identity.Config, internal string) {
	t.Helper()
	require.NoError(t, cfg.Validate())
	run(t, func(ctx context.Context) error { return identity.Run(ctx, cfg) })
	require.Eventually(t, func() bool {
		res, err := http.Get(internal + "/readyz")
		if err != nil {
			return false
		}
		defer func() { _ = res.Body.Close() }()
		return res.StatusCode == http.StatusOK
	}, testkit.Patience, 50*time.Millisecond)
}

// requireNoPage: what no route of ours has answered says so, and is reached by TLS alone.
func requireNoPage(t *testing.T, res *http.Response) {
	t.Helper()
	require.Equal(t, guard.Transport, res.Header.Get("Strict-Transport-Security"), res.Request.URL.Path)
	require.Equal(t, guard.Nothing, res.Header.Get("Content-Security-Policy"), res.Request.URL.Path)
}

func TestThePublicListenerAnswersBrowsersAndTheInternalOneServicesAndOperators(t *testing.T) {
	t.Parallel()
	cfg, internal := serviceConfig(t, "http://127.0.0.1:1", natstest.New(t).URL)
	runs(t, cfg, internal)
	testkit.RequireInternal(t, internal, rpc.Policy())
	testkit.RequirePublic(t, cfg.Auth.Issuer, rpc.Policy())
	for _, host := range []string{"evil.example", "127.0.0.1", "localhost:1"} {
		for _, path := range []string{"/.well-known/openid-configuration", "/oauth/authorize", "/sign-in", "/signed-out", "/nowhere"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, cfg.Auth.Issuer+path, nil)
			require.NoError(t, err)
			req.Host = host
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, http.StatusMisdirectedRequest, res.StatusCode, "RFC 9110, 15.5.20: %s of %s", path, host)
			requireNoPage(t, res)
		}
	}
	for path, status := range map[string]int{"/nowhere": http.StatusNotFound, "/oauth/token": http.StatusMethodNotAllowed, "/oauth/../sign-in": http.StatusTemporaryRedirect} {
		res, err := (&http.Client{CheckRedirect: outgoing.StayHere}).Get(cfg.Auth.Issuer + path)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, status, res.StatusCode, path)
		requireNoPage(t, res)
	}
	for _, path := range []string{"/.well-known/openid-configuration", "/oauth/keys"} {
		res, err := http.Get(cfg.Auth.Issuer + path)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusOK, res.StatusCode, path)
		res, err = http.Get(internal + path)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusNotFound, res.StatusCode, path)
	}
}

func TestTheServiceRuns(t *testing.T) {
	t.Parallel()
	broker, mail := natstest.New(t), newMailbox()
	cfg, internal := serviceConfig(t, fakeMail(t, mail), broker.URL)
	issuer := cfg.Auth.Issuer
	runs(t, cfg, internal)

	confirmed := make(chan *eventsv1.UserConfirmed, 1)
	consumer, err := bus.Connect(broker.URL, "billing", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(consumer.Close)
	run(t, func(ctx context.Context) error {
		return consumer.Consume(ctx, bus.Consumer{
			Name: "billing-user-confirmed", Subject: "serein.identity.user.confirmed.v1",
			Handle: func(_ context.Context, env *eventsv1.Envelope) error {
				event := new(eventsv1.UserConfirmed)
				err := env.GetPayload().UnmarshalTo(event)
				if err == nil {
					confirmed <- event
				}
				return err
			},
		})
	})

	gateway := testkit.Dialer(t, "gateway")
	signUps := identityv1connect.NewSignUpServiceClient(gateway.To("identity", internal))
	users := identityv1connect.NewUserServiceClient(gateway.To("identity", internal))
	ctx := t.Context()
	_, err = signUps.SignUp(ctx, &identityv1.SignUpRequest{
		Username: "amara", Email: "amara@example.org", GivenName: "Amara", FamilyName: "Lindqvist",
		Password: goodPassword, AgeConfirmed: true, TermsVersion: shownTexts,
	})
	require.NoError(t, err)
	code := (&harness{t: t, mail: mail}).nextMail().GetConfirmationCode().GetCode()
	_, err = signUps.ConfirmSignUp(ctx, &identityv1.ConfirmSignUpRequest{Username: "amara", Code: code})
	require.NoError(t, err)
	var event *eventsv1.UserConfirmed
	require.Eventually(t, func() bool {
		select {
		case event = <-confirmed:
			return true
		default:
			return false
		}
	}, testkit.Patience, 20*time.Millisecond)
	require.Equal(t, "amara@example.org", event.GetEmail())
	require.Equal(t, account.NewMailboxes(cfg.MailboxSecret.Reveal()).Key("AMARA+2@example.org"), event.GetMailboxKey())

	user, err := users.GetUser(auth.WithMember(ctx, event.GetUid()), &identityv1.GetUserRequest{})
	require.NoError(t, err)
	require.Equal(t, "amara", user.GetUser().GetUsername())
	_, err = users.GetUser(ctx, &identityv1.GetUserRequest{})
	require.Equal(t, errs.Unauthenticated, errs.KindOf(err), "a profile needs its member")
	_, err = users.GetUser(auth.WithMember(ctx, newID().String()), &identityv1.GetUserRequest{})
	require.Equal(t, "USER_NOT_FOUND", errs.From(err).Word())

	_, err = signUps.SignUp(ctx, &identityv1.SignUpRequest{Username: "x", Password: goodPassword})
	require.Equal(t, "INVALID_PARAMETER", errs.From(err).Word())
	require.Equal(t, "username", errs.From(err).Field, "the fault names its field across the wire")

	notTheGateway := identityv1connect.NewSignUpServiceClient(testkit.Dialer(t, "billing").To("identity", internal))
	_, err = notTheGateway.ConfirmSignUp(ctx, &identityv1.ConfirmSignUpRequest{})
	require.Equal(t, errs.Forbidden, errs.KindOf(err))

	_, err = oidc.NewProvider(ctx, issuer)
	require.NoError(t, err, "discovery at the issuer's own address")
	res, err := http.Post(issuer+"/", "application/json", http.NoBody)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.NotEqual(t, http.StatusOK, res.StatusCode, "the sign-up API is off unless it is named")
}

func TestAConfigurationThatIsNotSafeIsRefusedAsAWhole(t *testing.T) {
	t.Parallel()
	_, err := config.Load[identity.Config](map[string]string{
		"CODE_SECRET": "short", "PUBLIC_URL": "ftp://x", "OIDC_ISSUER": "http://id.serein.app", "CLIENTS": "[]", "TRUSTED_PROXIES": "everybody",
	})
	require.Error(t, err)
	for _, name := range []string{"CODE_SECRET", "MAILBOX_SECRET", "KEY_ENCRYPTION_SECRET", "BROWSER_SECRET", "DATABASE_URL", "NATS_URL", "MAIL_URL", "PUBLIC_URL", "OIDC_ISSUER", "CLIENTS", "TRUSTED_PROXIES", "SERVICE_KEY"} {
		require.ErrorContains(t, err, name)
	}
}
