package identity

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
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
	"serein.app/services/platform/auth"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/platform/outbox"
	platformrpc "serein.app/services/platform/rpc"
	"serein.app/services/platform/server"
	"serein.app/services/platform/telemetry"
)

// newID is a UUIDv7: sorted by time, which keeps indexes dense. It fails only where there is no
// randomness, and then nothing here could go on.
func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// assemble puts the service together on an open database.
func assemble(s *server.Server, cfg Config, tel *telemetry.Telemetry, db *pgxpool.Pool, out *outbox.Outbox) error {
	signer, err := auth.NewSigner(Name, cfg.Auth.ServiceKey)
	if err != nil {
		return err
	}
	dialer, err := platformrpc.NewDialer(signer, tel)
	if err != nil {
		return err
	}
	codes := account.NewCodes(cfg.CodeSecret.Reveal())
	mailClient, mailURL, mailOptions := dialer.To("mail", cfg.MailURL)
	send := &jobs.CodeMailWorker{Codes: codes, Mail: mailv1connect.NewMailServiceClient(mailClient, mailURL, mailOptions), Now: time.Now}
	cleanup := &jobs.CleanupWorker{Now: time.Now, Log: tel.Log}
	workers := river.NewWorkers()
	river.AddWorker(workers, send)
	river.AddWorker(workers, cleanup)
	queue, err := platformjobs.New(db, workers, map[string]int{river.QueueDefault: 4}, jobs.Periodic(), tel.Log)
	if err != nil {
		return err
	}

	store := postgres.New(db, out, queue, jobs.For)
	ring, err := keys.New(store, cfg.KeyEncryptionSecret.Reveal(), time.Now)
	if err != nil {
		return err
	}
	// The workers read through the store, which queues through the workers' client.
	send.Letters, cleanup.Store, cleanup.Ring = store, store, ring
	s.Go("jobs", platformjobs.Run(queue, tel.Log))
	s.Go("first signing key", ring.Ensure)
	s.Ready("signing key", func(ctx context.Context) error { _, err := ring.Signing(ctx); return err })

	accounts := account.New(account.Config{
		Store: store, Throttle: store, Codes: codes, Now: time.Now, NewID: newID, Log: tel.Log,
		Passwords: password.New(password.OWASP, runtime.GOMAXPROCS(0), hashWait),
	})
	if err := serveRPC(s, cfg, tel, accounts); err != nil {
		return err
	}
	return serveHTTP(s, cfg, tel, accounts, store, ring)
}

func serveRPC(s *server.Server, cfg Config, tel *telemetry.Telemetry, accounts *account.Service) error {
	verifier, err := auth.NewVerifier(Name, cfg.Auth)
	if err != nil {
		return err
	}
	handlers, err := platformrpc.NewServer(verifier, rpc.Policy(), tel)
	if err != nil {
		return err
	}
	s.HandleRPC(identityv1connect.NewSignUpServiceHandler(rpc.NewSignUp(accounts), handlers.Options()...))
	s.HandleRPC(identityv1connect.NewUserServiceHandler(rpc.NewUser(accounts), handlers.Options()...))
	s.HandleRPC(identityv1connect.NewConsentServiceHandler(rpc.NewConsent(accounts), handlers.Options()...))
	return nil
}

func serveHTTP(s *server.Server, cfg Config, tel *telemetry.Telemetry, accounts *account.Service, store *postgres.Store, ring *keys.Ring) error {
	clients, err := oidcop.LoadClients(cfg.Clients.Reveal())
	if err != nil {
		return err
	}
	trusted, err := proxies(cfg.TrustedProxies)
	if err != nil {
		return err
	}
	hosted, err := pages.New()
	if err != nil {
		return err
	}
	provider, err := oidcop.New(oidcop.Config{
		Issuer: cfg.Auth.Issuer, Clients: clients, Store: store, Account: accounts, Ring: ring, Pages: hosted,
		Proxies: trusted, Now: time.Now, NewID: newID, Log: tel.Log,
	})
	if err != nil {
		return err
	}
	provider.Register(s.Handle)
	if cfg.SignUpClientID != "" {
		address := func(r *http.Request) string { return oidcop.RemoteAddress(r, trusted) }
		s.Handle("POST /{$}", cognito.New(accounts, cfg.SignUpClientID, address, tel.Log))
	}
	return nil
}
