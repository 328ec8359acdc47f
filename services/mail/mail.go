// Package mail owns outgoing mail: its words, its queue and its delivery. See README.md.
package mail

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/google/uuid"

	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/jobs"
	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/mail/internal/rpc"
	"serein.app/services/mail/internal/smtp"
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

const name = "mail"

// sending is how many mails are handed over at once.
const sending = 4

// Config of the service; see README.md for the variables.
type Config struct {
	Server   server.Config
	Postgres postgres.Config
	Auth     auth.Config
	BusURL   config.URL `env:"NATS_URL,required"`
	// SMTPURL is smtp://[user:password@]host:port.
	SMTPURL config.URL `env:"SMTP_URL,required"`
	// From is the sender of every mail.
	From string `env:"MAIL_FROM" envDefault:"Serein <hello@serein.example>"`
	// PublicURL is where links lead: the gateway's address as members know it.
	PublicURL string `env:"PUBLIC_URL,required"`

	// wait is Backoff, except in tests.
	wait func(attempt int) time.Duration
}

// Validate finds what cannot work.
func (c *Config) Validate() error {
	var faults []error
	if u, err := url.Parse(c.PublicURL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		faults = append(faults, errors.New("PUBLIC_URL is not the address of a website"))
	}
	_, err := smtp.New(c.SMTPURL.Reveal(), c.From)
	return errors.Join(append(faults, err, c.Auth.Validate())...)
}

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return store.Migrate(ctx, ownerURL) }

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) (err error) {
	tel, err := telemetry.Setup(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tel.Shutdown(context.WithoutCancel(ctx))) }()
	s, err := build(ctx, cfg, tel)
	if err != nil {
		return err
	}
	return s.Run(ctx)
}

// build wires everything to a server that is ready to run.
func build(ctx context.Context, cfg Config, tel *telemetry.Telemetry) (*server.Server, error) {
	verifier, err := auth.NewVerifier(name, cfg.Auth)
	if err != nil {
		return nil, err
	}
	guard, err := platformrpc.NewServer(verifier, rpc.Policy(), tel)
	if err != nil {
		return nil, err
	}
	worker, err := newWorker(cfg, tel)
	if err != nil {
		return nil, err
	}
	broker, err := bus.Connect(cfg.BusURL.Reveal(), name, tel.Log)
	if err != nil {
		return nil, err
	}
	db, err := postgres.Open(ctx, cfg.Postgres, tel)
	if err != nil {
		broker.Close()
		return nil, err
	}
	s := server.New(name, cfg.Server, tel)
	s.Defer(func(context.Context) error { broker.Close(); db.Close(); return nil })

	out := outbox.New(db, broker, name, tel.Log, time.Now)
	mails := store.New(db, out, time.Now, uuid.NewV7)
	worker.Store = mails
	workers, periodic := jobs.New(worker, out.Clean)
	queue, err := platformjobs.New(db, workers, map[string]int{jobs.Queue: sending}, periodic, tel.Log)
	if err != nil {
		return nil, err
	}
	mails.SendBy(jobs.Enqueue(queue))

	s.HandleRPC(mailv1connect.NewMailServiceHandler(rpc.New(mails, time.Now), guard.Options()...))
	s.Ready("postgres", db.Ping)
	s.Go("relay", out.Run)
	s.Go("jobs", platformjobs.Run(queue, tel.Log))
	s.Go("user confirmed", func(ctx context.Context) error { return broker.Consume(ctx, events.UserConfirmed(mails)) })
	return s, nil
}

func newWorker(cfg Config, tel *telemetry.Telemetry) (*jobs.Worker, error) {
	composer, err := letters.NewComposer(cfg.PublicURL)
	if err != nil {
		return nil, err
	}
	sender, err := smtp.New(cfg.SMTPURL.Reveal(), cfg.From)
	if err != nil {
		return nil, err
	}
	uncertain, err := tel.Metrics.Meter("serein/mail").Int64Counter("mail.attempts.uncertain")
	if err != nil {
		return nil, err
	}
	wait := cfg.wait
	if wait == nil {
		wait = jobs.Backoff(rand.Float64)
	}
	return &jobs.Worker{
		Composer: composer, Sender: sender, Now: time.Now, Wait: wait, Log: tel.Log, Uncertain: uncertain,
	}, nil
}
