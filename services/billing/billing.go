// Package billing owns plans, the free trial and the credit ledger. See README.md.
package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/jobs"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	platformrpc "serein.app/services/platform/rpc"
	"serein.app/services/platform/server"
	"serein.app/services/platform/telemetry"
)

const name = "billing"

// Config of the service; see README.md for the variables.
type Config struct {
	Server   server.Config
	Postgres postgres.Config
	Auth     auth.Config
	BusURL   config.URL `env:"NATS_URL,required"`
}

// Validate finds what cannot work.
func (c *Config) Validate() error { return c.Auth.Validate() }

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return store.Migrate(ctx, ownerURL) }

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	tel, err := telemetry.Setup(ctx, name)
	if err != nil {
		return err
	}
	s := server.New(name, cfg.Server, tel)
	s.Defer(tel.Shutdown)
	if err := build(ctx, s, cfg, tel); err != nil {
		return err
	}
	return s.Run(ctx)
}

func build(ctx context.Context, s *server.Server, cfg Config, tel *telemetry.Telemetry) error {
	verifier, err := auth.NewVerifier(name, cfg.Auth)
	if err != nil {
		return err
	}
	handlers, err := platformrpc.NewServer(verifier, rpc.Policy(), tel)
	if err != nil {
		return err
	}
	db, err := postgres.Open(ctx, cfg.Postgres, tel)
	if err != nil {
		return err
	}
	s.Defer(func(context.Context) error { db.Close(); return nil })
	broker, err := bus.Connect(cfg.BusURL.Reveal(), name, tel.Log)
	if err != nil {
		return err
	}
	s.Defer(func(context.Context) error { broker.Close(); return nil })

	out := outbox.New(db, broker, name, tel.Log, time.Now)
	ledger, err := store.New(db, out, time.Now, uuid.NewV7)
	if err != nil {
		return err
	}
	workers, periodic := jobs.New(ledger.Sweep, out.Clean)
	queue, err := platformjobs.New(db, workers, map[string]int{"default": 1}, periodic, tel.Log)
	if err != nil {
		return err
	}
	rpc.New(ledger, time.Now).Routes(s.HandleRPC, handlers.Options()...)
	s.Ready("postgres", db.Ping)
	s.Go("relay", out.Run)
	s.Go("jobs", platformjobs.Run(queue, tel.Log))
	s.Go("user confirmed", func(ctx context.Context) error { return broker.Consume(ctx, events.UserConfirmed(ledger)) })
	return nil
}
