package mail

import (
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/metric"

	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/jobs"
	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/mail/internal/rpc"
	"serein.app/services/mail/internal/smtp"
	"serein.app/services/platform/service"
	"serein.app/services/platform/telemetry"
)

// sending is how many mails are handed over at once.
const sending = 4

// build is the only wiring.
func build(s *service.Service, cfg Config) error {
	worker, err := newWorker(cfg, s.Tel)
	if err != nil {
		return err
	}
	mails := store.New(s.DB, s.Outbox, time.Now, uuid.NewV7)
	worker.Store = mails
	s.Retain(store.Retention()...)
	if err := measure(s.Tel.Metrics.Meter("serein/mail"), mails); err != nil {
		return err
	}
	sweeper := &jobs.Sweeper{Sweep: mails.Sweep}
	queue, err := s.Work(jobs.New(worker, sweeper), map[string]int{jobs.Queue: sending}, jobs.Periodic())
	if err != nil {
		return err
	}
	mails.SendBy(jobs.Enqueue(queue))
	s.HandleRPC(mailv1connect.NewMailServiceHandler(rpc.New(mails, cfg.ContactMailbox, time.Now), s.RPC.Options()...))
	consumers, err := events.Consumers(s.DB, Name, mails, mails)
	if err != nil {
		return err
	}
	for _, c := range consumers {
		s.Consume(c)
	}
	return nil
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
	uncertain, err := tel.Metrics.Meter("serein/mail").Int64Counter("serein.mail.attempts.uncertain", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts whose end nobody learned: such a mail may arrive twice"))
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
