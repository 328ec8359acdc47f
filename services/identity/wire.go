package identity

import (
	"context"
	"net/http"
	"net/url"
	"runtime"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/cognito"
	"serein.app/services/identity/internal/cognitopool"
	"serein.app/services/identity/internal/events"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/pages"
	"serein.app/services/identity/internal/passkey"
	"serein.app/services/identity/internal/password"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/identity/internal/rpc"
	"serein.app/services/identity/internal/secondstep"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/crowd"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
)

// hashWait is how long a sign-in may wait until its password is hashed. Two are hashed at once, in
// 25 ms each, so some two hundred may wait.
var hashWait = deadline.Of(3 * time.Second)

// addressLimit is the gateway's: an address may be a whole office.
var addressLimit = guard.Limit{Name: "address", Count: 100, Per: time.Second, Burst: 8 * crowd.Size}

// newID is a UUIDv7: sorted by time, which keeps indexes dense. It fails only where there is no
// randomness, and then nothing here could go on.
func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// build is the only wiring.
func build(ctx context.Context, s *service.Service, cfg Config) error {
	codes := account.NewCodes(cfg.CodeSecret.Reveal(), cfg.CodeSecretPrevious.Reveal())
	mailClient, mailURL, mailOptions := s.Dialer.To("mail", cfg.MailURL)
	mailer := mailv1connect.NewMailServiceClient(mailClient, mailURL, mailOptions)
	send, tell := &jobs.CodeMailWorker{Codes: codes, Mail: mailer, Now: time.Now, StopURL: cfg.Auth.Issuer + oidcop.PathStop}, &jobs.AccountMailWorker{Mail: mailer}
	rotation, pursue := &jobs.KeyRotationWorker{}, &jobs.DeletionsWorker{}
	leaving := &jobs.LeavingMailWorker{Mail: mailer}
	notices := &jobs.LogoutNoticeWorker{}
	workers := river.NewWorkers()
	river.AddWorker(workers, send)
	river.AddWorker(workers, tell)
	river.AddWorker(workers, rotation)
	river.AddWorker(workers, notices)
	river.AddWorker(workers, leaving)
	river.AddWorker(workers, pursue)
	s.Retain(postgres.Retention()...)
	queue, err := s.Work(workers, map[string]int{river.QueueDefault: 4, jobs.LogoutQueue: 8}, jobs.Periodic())
	if err != nil {
		return err
	}

	store := postgres.New(s.DB, s.Outbox, queue, jobs.For)
	store.MailLeavingBy(jobs.ForLeaving)
	ring, err := keys.New(store, cfg.KeyEncryptionSecret.Reveal(), cfg.KeyEncryptionSecretPrevious.Reveal(), time.Now)
	if err != nil {
		return err
	}
	// The workers read through the store, which enqueues through the workers' client.
	send.Letters, tell.Accounts, leaving.Accounts, rotation.Ring = store, store, store, ring
	clients, err := oidcop.OpenClients(cfg.Clients.Reveal(), s.Tel.Metrics, s.Log)
	if err != nil {
		return err
	}
	store.TellClients(clients.Told)
	s.Go("clients", func(ctx context.Context) error { return clients.Follow(ctx, cfg.ClientsRefresh) })
	if notices.Clients, err = oidcop.NewLogoutNotices(oidcop.LogoutConfig{
		Issuer: cfg.Auth.Issuer, Clients: clients, Ring: ring, Now: time.Now, NewID: newID, Meters: s.Tel.Metrics,
	}); err != nil {
		return err
	}
	s.Go("first signing keys", ring.Ensure)
	s.Ready("signing key", ring.Check)

	security, err := seclog.New(s.Tel, cfg.SecurityLogSecret, time.Now)
	if err != nil {
		return err
	}
	accounts := account.New(account.Config{
		Store: store, Throttle: store, Codes: codes, Mailboxes: account.NewMailboxes(cfg.MailboxSecret.Reveal()), Now: time.Now, NewID: newID, Log: s.Log, Security: security,
		Passwords: password.New(password.OWASP, runtime.GOMAXPROCS(0), hashWait),
	})
	pursue.Accounts = accounts
	if err := eraseMembers(s, store, send.Mail); err != nil {
		return err
	}
	s.HandleRPC(identityv1connect.NewDeletionServiceHandler(rpc.NewDeletion(accounts), s.RPC.Options()...))
	var registry account.Registry = account.Own{Service: accounts}
	if cfg.Pool.ClientID != "" {
		if registry, err = cognitopool.New(cfg.Pool, s.Tel.Metrics.Meter("serein/identity")); err != nil {
			return err
		}
	}
	s.HandleRPC(identityv1connect.NewInviteServiceHandler(rpc.NewInvite(accounts), s.RPC.Options()...))
	s.HandleRPC(identityv1connect.NewUserServiceHandler(rpc.NewUser(accounts), s.RPC.Options()...))
	s.HandleRPC(identityv1connect.NewConsentServiceHandler(rpc.NewConsent(accounts), s.RPC.Options()...))
	s.HandleRPC(identityv1connect.NewAccountServiceHandler(rpc.NewAccount(accounts), s.RPC.Options()...))
	return servePublic(ctx, s, cfg, accounts, registry, store, ring, clients, security)
}

// eraseMembers hears which services keep nothing of a deleted account any more, and takes it out of this one when all have said so.
func eraseMembers(s *service.Service, store *postgres.Store, mail jobs.Mailer) error {
	consumers, err := events.Consumers(s.DB, store)
	for _, c := range consumers {
		s.Consume(c)
	}
	if err != nil {
		return err
	}
	if err := measureDeletions(s.Tel.Metrics.Meter("serein/identity"), store, time.Now); err != nil {
		return err
	}
	return s.Erase(jobs.LastLetter(store, mail), store.FinishDeletion)
}

// servePublic adds what browsers and apps reach; the list in README.md is this one.
func servePublic(
	ctx context.Context, s *service.Service, cfg Config, accounts *account.Service, registry account.Registry, store *postgres.Store, ring *keys.Ring, clients *oidcop.Clients, security *seclog.Log,
) error {
	issuer, err := url.Parse(cfg.Auth.Issuer)
	if err != nil {
		return err
	}
	trusted, err := clientip.ParseProxies(cfg.TrustedProxies)
	if err != nil {
		return err
	}
	hosted, err := pages.New(cfg.PublicURL)
	if err != nil {
		return err
	}
	passkeys, err := passkey.New(passkey.Config{
		Store: store, Accounts: accounts, Issuer: cfg.Auth.Issuer, Site: cfg.PublicURL, Secret: cfg.BrowserSecret, SecretPrevious: cfg.BrowserSecretPrevious,
		Now: time.Now, NewID: newID, Security: security,
	})
	if err != nil {
		return err
	}
	if !passkeys.On() {
		s.Log.WarnContext(ctx, "passkeys are off: OIDC_ISSUER and PUBLIC_URL have no domain in common")
	}
	s.HandleRPC(identityv1connect.NewPasskeyServiceHandler(rpc.NewPasskey(passkeys), s.RPC.Options()...))
	second, err := secondstep.New(secondstep.Config{
		Store: store, Accounts: accounts, BrowserSecret: cfg.BrowserSecret, BrowserSecretPrevious: cfg.BrowserSecretPrevious,
		KeySecret: cfg.KeyEncryptionSecret, KeySecretPrevious: cfg.KeyEncryptionSecretPrevious, Now: time.Now, NewID: newID, Log: s.Log, Security: security,
	})
	if err != nil {
		return err
	}
	s.Go("seals of authenticators", second.KeepSealed)
	s.HandleRPC(identityv1connect.NewSecondStepServiceHandler(rpc.NewSecondStep(second), s.RPC.Options()...))
	provider, err := oidcop.New(oidcop.Config{
		Passkeys: passkeys, SecondStep: second,
		Issuer: cfg.Auth.Issuer, Clients: clients, Store: store, Account: accounts, Ring: ring, Pages: hosted, BrowserSecret: cfg.BrowserSecret, BrowserSecretPrevious: cfg.BrowserSecretPrevious,
		Proxies: trusted, LimitScale: cfg.LimitScale, Now: time.Now, NewID: newID, Log: s.Log, Security: security,
	})
	if err != nil {
		return err
	}
	s.HandleRPC(identityv1connect.NewSignUpServiceHandler(rpc.NewSignUp(registry, provider), s.RPC.Options()...))
	s.HandleRPC(identityv1connect.NewGrantServiceHandler(rpc.NewGrant(provider), s.RPC.Options()...))
	s.HandleRPC(identityv1connect.NewAppServiceHandler(rpc.NewApp(provider), s.RPC.Options()...))
	s.HandleRPC(identityv1connect.NewDeviceServiceHandler(rpc.NewDevice(provider), s.RPC.Options()...))
	routes := http.NewServeMux()
	provider.Register(routes.Handle)
	tooMany := provider.TooMany
	if cfg.SignUpClientID != "" {
		api := cognito.New(cognito.Config{
			Registry: registry, Accounts: accounts, Provider: provider, ClientID: cfg.SignUpClientID,
			Origins: cfg.signUpOrigins(), Address: trusted.Key, NewID: newID, Log: s.Log,
		})
		api.Register(routes.Handle)
		tooMany = func(w http.ResponseWriter, r *http.Request, after time.Duration) {
			if api.Is(r) {
				api.TooMany(w, r, after)
				return
			}
			provider.TooMany(w, r, after)
		}
	}
	listener, err := server.Listen(ctx, cfg.PublicAddr)
	if err != nil {
		return err
	}
	headers := http.Header{} // also of what no route answers
	guard.NoPage(headers)
	door := guard.New(guard.Config{Proxies: trusted, Reads: addressLimit.Scaled(cfg.LimitScale), Headers: headers, Exempt: provider.ClientProved, Security: security, TooMany: tooMany}, time.Now)
	conns := guard.NewConnections(guard.MaxConnsPerAddress, guard.MaxConns, trusted)
	s.Public(server.Public{Listener: listener, Handler: door.Wrap(guard.OnlyHost(issuer, guard.SmallBodies(routes))), Serve: conns.Serve})
	return nil
}
