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
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/pages"
	"serein.app/services/identity/internal/password"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/identity/internal/rpc"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
)

// hashWait is how long a sign-in may wait until its password is hashed. Two are hashed at once, in
// 25 ms each, so some two hundred may wait.
const hashWait = 3 * time.Second

// addressLimit is the gateway's: an address may be a whole office.
var addressLimit = guard.Limit{Name: "address", Count: 100, Per: time.Second, Burst: 400}

// newID is a UUIDv7: sorted by time, which keeps indexes dense. It fails only where there is no
// randomness, and then nothing here could go on.
func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// build is the only wiring.
func build(ctx context.Context, s *service.Service, cfg Config) error {
	codes := account.NewCodes(cfg.CodeSecret.Reveal(), cfg.CodeSecretPrevious.Reveal())
	mailClient, mailURL, mailOptions := s.Dialer.To("mail", cfg.MailURL)
	send := &jobs.CodeMailWorker{Codes: codes, Mail: mailv1connect.NewMailServiceClient(mailClient, mailURL, mailOptions), Now: time.Now}
	rotation := &jobs.KeyRotationWorker{}
	workers := river.NewWorkers()
	river.AddWorker(workers, send)
	river.AddWorker(workers, rotation)
	s.Retain(postgres.Retention()...)
	queue, err := s.Work(workers, map[string]int{river.QueueDefault: 4}, jobs.Periodic())
	if err != nil {
		return err
	}

	store := postgres.New(s.DB, s.Outbox, queue, jobs.For)
	ring, err := keys.New(store, cfg.KeyEncryptionSecret.Reveal(), cfg.KeyEncryptionSecretPrevious.Reveal(), time.Now)
	if err != nil {
		return err
	}
	// The workers read through the store, which enqueues through the workers' client.
	send.Letters, rotation.Ring = store, ring
	s.Go("first signing key", ring.Ensure)
	s.Ready("signing key", func(ctx context.Context) error { _, err := ring.Signing(ctx); return err })

	security, err := seclog.New(s.Tel, cfg.SecurityLogSecret, time.Now)
	if err != nil {
		return err
	}
	accounts := account.New(account.Config{
		Store: store, Throttle: store, Codes: codes, Now: time.Now, NewID: newID, Log: s.Log, Security: security,
		Passwords: password.New(password.OWASP, runtime.GOMAXPROCS(0), hashWait),
	})
	s.HandleRPC(identityv1connect.NewSignUpServiceHandler(rpc.NewSignUp(accounts), s.RPC.Options()...))
	s.HandleRPC(identityv1connect.NewUserServiceHandler(rpc.NewUser(accounts), s.RPC.Options()...))
	s.HandleRPC(identityv1connect.NewConsentServiceHandler(rpc.NewConsent(accounts), s.RPC.Options()...))
	return servePublic(ctx, s, cfg, accounts, store, ring, security)
}

// servePublic adds what browsers and apps reach; the list in README.md is this one.
func servePublic(
	ctx context.Context, s *service.Service, cfg Config, accounts *account.Service, store *postgres.Store, ring *keys.Ring, security *seclog.Log,
) error {
	clients, err := oidcop.LoadClients(cfg.Clients.Reveal())
	if err != nil {
		return err
	}
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
	provider, err := oidcop.New(oidcop.Config{
		Issuer: cfg.Auth.Issuer, Clients: clients, Store: store, Account: accounts, Ring: ring, Pages: hosted, BrowserSecret: cfg.BrowserSecret, BrowserSecretPrevious: cfg.BrowserSecretPrevious,
		Proxies: trusted, LimitScale: cfg.LimitScale, Now: time.Now, NewID: newID, Log: s.Log, Security: security,
	})
	if err != nil {
		return err
	}
	s.HandleRPC(identityv1connect.NewGrantServiceHandler(rpc.NewGrant(provider), s.RPC.Options()...))
	routes := http.NewServeMux()
	provider.Register(routes.Handle)
	tooMany := provider.TooMany
	if cfg.SignUpClientID != "" {
		api := cognito.New(accounts, cfg.SignUpClientID, trusted.Key, s.Log)
		routes.Handle("POST /{$}", api)
		tooMany = func(w http.ResponseWriter, r *http.Request, after time.Duration) {
			if r.Method == http.MethodPost && r.URL.Path == "/" {
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
	door := guard.New(guard.Config{Proxies: trusted, Reads: addressLimit.Scaled(cfg.LimitScale), Exempt: provider.ClientProved, TooMany: tooMany}, time.Now)
	conns := guard.NewConnections(guard.MaxConnsPerAddress, guard.MaxConns, trusted)
	s.Public(server.Public{Listener: listener, Handler: door.Wrap(guard.OnlyHost(issuer, guard.SmallBodies(routes))), Serve: conns.Serve})
	return nil
}
