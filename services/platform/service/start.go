package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/inbox"
	"serein.app/services/platform/jobs"
	"serein.app/services/platform/mtls"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/server"
	"serein.app/services/platform/telemetry"
)

// Config is what every service is configured with; a service's own Config embeds it.
type Config struct {
	Server   server.Config
	Database postgres.Config
	Auth     auth.Config
	TLS      mtls.Config
	// NATSURL is the broker's address. While the broker is away, events wait in the service's database.
	NATSURL config.URL `env:"NATS_URL,required"`
	Bus     bus.Config
}

// Validate finds what cannot work.
func (c Config) Validate() error {
	return errors.Join(c.Auth.Validate(), c.TLS.Validate(), c.Bus.Validate())
}

// Service is what a service is wired from. Closing steps, loops and routes are added to the
// embedded server.
type Service struct {
	*server.Server
	Name string
	Tel  *telemetry.Telemetry
	Log  *slog.Logger
	// RPC guards the handlers, Dialer makes the clients of other services. RPC is nil at the edge.
	RPC    *rpc.Server
	Dialer *rpc.Dialer
	// DB, Bus and Outbox are nil in a service without a database; a program at the edge has a Bus alone.
	DB     *pgxpool.Pool
	Bus    *bus.Bus
	Outbox *outbox.Outbox

	retention *retention.Retention
}

// Run starts a service, has it wired by build and serves until ctx ends. What was opened is
// closed in any case, last opened first.
func Run(ctx context.Context, name string, cfg Config, policy auth.Policy, build func(context.Context, *Service) error) error {
	return run(ctx, name, func(tel *telemetry.Telemetry) (*Service, error) { return Start(ctx, name, cfg, policy, tel) }, build)
}

func run(ctx context.Context, name string, start func(*telemetry.Telemetry) (*Service, error), build func(context.Context, *Service) error) error {
	tel, err := telemetry.Setup(ctx, name)
	if err != nil {
		return err
	}
	s, err := start(tel)
	if err != nil {
		return err
	}
	if err := build(ctx, s); err != nil {
		return errors.Join(err, s.Close(ctx))
	}
	return s.Server.Run(ctx)
}

// Start opens what all services need: the proof of callers both ways, the database with its
// readiness, the broker, and the outbox with its loop. Without a database address there is
// neither database nor outbox. Neither the database nor the broker has to be there yet. The
// telemetry is shut down with the service.
func Start(ctx context.Context, name string, cfg Config, policy auth.Policy, tel *telemetry.Telemetry) (*Service, error) {
	s := prepare(name, cfg.Server, tel)
	err := s.proveCallers(cfg.Auth, policy)
	if err == nil {
		err = s.proveOurselves(cfg.Auth.ServiceKey)
	}
	if err == nil {
		err = s.secure(cfg.TLS, cfg.Auth.PeerNames()...)
	}
	if err == nil && cfg.Database.URL != "" {
		err = s.openStores(ctx, cfg)
	}
	return s.started(ctx, err)
}

func prepare(name string, cfg server.Config, tel *telemetry.Telemetry) *Service {
	s := &Service{Server: server.New(name, cfg, tel), Name: name, Tel: tel, Log: tel.Log}
	s.Defer(tel.Shutdown)
	return s
}

// started closes again what was opened, if the start failed.
func (s *Service) started(ctx context.Context, err error) (*Service, error) {
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", s.Name, err), s.Close(ctx))
	}
	return s, nil
}

func (s *Service) proveCallers(cfg auth.Config, policy auth.Policy) error {
	verifier, err := auth.NewVerifier(s.Name, cfg)
	if err != nil {
		return err
	}
	s.RPC, err = rpc.NewServer(verifier, policy, s.Tel)
	return err
}

func (s *Service) proveOurselves(key config.Secret) error {
	signer, err := auth.NewSigner(s.Name, key)
	if err != nil {
		return err
	}
	s.Dialer, err = rpc.NewDialer(signer, s.Tel)
	return err
}

// secure puts everything between services under TLS, with certificates on both sides, if there are any.
func (s *Service) secure(cfg mtls.Config, peers ...string) error {
	if !cfg.On() {
		return nil
	}
	certs, err := mtls.Open(cfg, s.Log, peers...)
	if err != nil {
		return err
	}
	s.Secure(certs)
	s.Dialer.Secure(certs)
	return nil
}

func (s *Service) openStores(ctx context.Context, cfg Config) (err error) {
	if s.DB, err = postgres.Open(ctx, cfg.Database, s.Tel); err != nil {
		return err
	}
	s.Defer(func(context.Context) error { s.DB.Close(); return nil })
	s.Ready("database", s.DB.Ping)
	if err = s.openBus(cfg.NATSURL, cfg.Bus); err != nil {
		return err
	}
	s.Outbox = outbox.New(s.DB, s.Bus, s.Name, s.Log, time.Now)
	if err = s.Outbox.Measure(s.Tel.Metrics); err != nil {
		return err
	}
	s.Go("outbox", s.Outbox.Run)
	if s.retention, err = retention.New(s.DB, s.Name, s.Tel.Metrics, s.Log, time.Now); err != nil {
		return err
	}
	s.Retain(Retention()...)
	s.Go("retention", s.retention.Run)
	return nil
}

func (s *Service) openBus(address config.URL, cfg bus.Config) (err error) {
	if s.Bus, err = bus.Connect(address.Reveal(), s.Name, s.Log, bus.With(cfg), bus.WithMetrics(s.Tel.Metrics)); err != nil {
		return err
	}
	s.Defer(func(context.Context) error { s.Bus.Close(); return nil })
	return nil
}

// Retention is what every service with a database removes: the rows of the platform's tables.
func Retention() []retention.Policy {
	return append(jobs.Policies(), outbox.Policy(), inbox.Policy())
}

// Retain adds the policies of the service's own tables; it must have a database.
func (s *Service) Retain(policies ...retention.Policy) { s.retention.Add(policies...) }

// HandleRPC adds what a generated NewXHandler returns, behind the check of its requests' packing.
func (s *Service) HandleRPC(path string, h http.Handler) {
	s.Server.HandleRPC(path, rpc.WellFormed(h, s.RPC.Larger()))
}

// AllowLarger lets requests of a procedure have that many bytes, for files that come in one. It is called before the
// procedure's handler is made.
func (s *Service) AllowLarger(procedure string, bytes int) {
	s.RPC.AllowLarger(procedure, bytes)
	s.Server.AllowLarger(procedure, int64(bytes)+rpc.MaxMessage)
}

// Consume handles events for as long as the service runs.
func (s *Service) Consume(c bus.Consumer) {
	s.Go("consumer "+c.Name, func(ctx context.Context) error { return s.Bus.Consume(ctx, c) })
}

// Erase works off the deletions of accounts for as long as the service runs (package erasure). work removes what its consumer does not,
// finish is the last step.
func (s *Service) Erase(work erasure.Work, finish erasure.Finish) error {
	eraser, err := erasure.New(erasure.Config{
		Service: s.Name, DB: s.DB, Bus: s.Bus, Log: s.Log, Meters: s.Tel.Metrics, Work: work, Finish: finish,
	})
	if err != nil {
		return err
	}
	s.Go("deletions", eraser.Run)
	return nil
}

// Work makes the client of background jobs, and works them for as long as the service runs.
// queues gives the number of workers of each queue.
func (s *Service) Work(workers *river.Workers, queues map[string]int, periodic []*river.PeriodicJob) (*jobs.Client, error) {
	client, err := jobs.New(s.DB, workers, queues, periodic, s.Log, s.Tel.Metrics)
	if err != nil {
		return nil, err
	}
	s.Go("jobs", jobs.Run(client, s.Log))
	return client, nil
}
