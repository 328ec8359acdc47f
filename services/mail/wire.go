package mail

import (
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/jobs"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/notices"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/mail/internal/preview"
	"serein.app/services/mail/internal/rpc"
	"serein.app/services/mail/internal/smtp"
	"serein.app/services/mail/internal/unsubscribe"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/service"
	"serein.app/services/platform/telemetry"
)

// sending is how many mails are handed over at once, awaited how many of those that somebody waits for besides.
const (
	sending = 4
	awaited = 2
)

// build is the only wiring.
func build(s *service.Service, cfg Config) error {
	links, err := unsubscribe.New(cfg.UnsubscribeKey, cfg.UnsubscribeKeyPrevious)
	if err != nil {
		return err
	}
	composer, err := letters.NewComposer(cfg.PublicURL, time.Now, links.Token)
	if err != nil {
		return err
	}
	worker, err := newWorker(cfg, s.Tel)
	if err != nil {
		return err
	}
	mails := store.New(s.DB, s.Outbox, time.Now, uuid.NewV7)
	worker.Store, worker.Composer = mails, composer
	s.Retain(store.Retention()...)
	if err := measure(s.Tel.Metrics.Meter("serein/mail"), mails); err != nil {
		return err
	}
	sweeper := &jobs.Sweeper{Sweep: mails.Sweep}
	queue, err := s.Work(jobs.New(worker, sweeper), map[string]int{jobs.Queue: sending, jobs.AwaitedQueue: awaited}, jobs.Periodic())
	if err != nil {
		return err
	}
	mails.SendBy(jobs.Enqueue(queue))
	rpc.New(mails, links, notices.New(cfg.NoticeSecrets, time.Now), cfg.ContactMailbox, cfg.InvitationsADay, time.Now).Routes(s.HandleRPC, s.RPC.Options()...)
	if cfg.Preview {
		s.Handle("GET /preview", preview.Handler(composer))
	}
	return consume(s, mails, cfg.companyMailbox())
}

func consume(s *service.Service, mails *store.Store, company string) error {
	consumers, err := events.Consumers(s.DB, Name, mails, mails, company)
	for _, c := range consumers {
		s.Consume(c)
	}
	if err != nil {
		return err
	}
	return s.Erase(erasure.AtOnce, erasure.Tell(s.Outbox, events.Erased))
}

func newWorker(cfg Config, tel *telemetry.Telemetry) (*jobs.Worker, error) {
	sender, err := smtp.New(cfg.SMTPURL.Reveal(), cfg.From)
	if err != nil {
		return nil, err
	}
	uncertain, err := tel.Metrics.Meter("serein/mail").Int64Counter("serein.mail.attempts.uncertain", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts whose end nobody learned; such a mail may arrive twice"))
	if err != nil {
		return nil, err
	}
	wait := cfg.wait
	if wait == nil {
		wait = jobs.Backoff(rand.Float64)
	}
	return &jobs.Worker{Sender: sender, Now: time.Now, Wait: wait, Log: tel.Log, Uncertain: uncertain}, nil
}
