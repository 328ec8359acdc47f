package generation

import (
	"time"

	"github.com/google/uuid"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/billing"
	"serein.app/services/generation/internal/content"
	"serein.app/services/generation/internal/jobs"
	"serein.app/services/generation/internal/media"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/metrics"
	store "serein.app/services/generation/internal/postgres"
	handlers "serein.app/services/generation/internal/rpc"
	"serein.app/services/generation/internal/shared"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/service"
)

// build is the only wiring.
func build(s *service.Service, cfg Config, made recorder) error {
	notifier := store.NewNotifier(s.DB, s.Log)
	s.Go("notifier", notifier.Run)
	blobs, err := blob.Open(cfg.BlobURL.Reveal())
	if err != nil {
		return err
	}
	s.Go("leftovers", blob.KeepTidy(blobs, s.Log))
	counted, err := metrics.New(s.Tel.Metrics)
	if err != nil {
		return err
	}
	s.Retain(store.Retention()...)
	meditations := meditation.New(meditation.Ports{
		Store: store.New(s.DB, s.Outbox), Notifier: notifier, Metrics: counted,
		Credits:   billing.New(billingv1connect.NewCreditServiceClient(s.Dialer.To("billing", cfg.BillingURL))),
		Catalogue: content.New(contentv1connect.NewCatalogueServiceClient(s.Dialer.To("content", cfg.ContentURL)), time.Now, s.Log),
		Blobs:     blobs,
		Writer:    made.writer, Recorder: made.recorder, CheckTitle: made.checkTitle,
		Now: time.Now, Log: s.Log,
		NewID: func() uuid.UUID { return uuid.Must(uuid.NewV7()) },
	})
	if _, err := s.Work(jobs.Workers(meditations), map[string]int{"default": 1}, jobs.Periodic()); err != nil {
		return err
	}
	if err := metrics.Watch(s.Tel.Metrics, meditations.Load, made.recorder.Pace, time.Now); err != nil {
		return err
	}
	s.Go("load", meditations.WatchLoad)
	s.Go("worker", meditation.NewWorkshop(meditations, cfg.worker(), meditationsPerWorker*cfg.recorderWorkers()).Run)

	s.HandleRPC(generationv1connect.NewMeditationServiceHandler(handlers.New(meditations), s.RPC.Options()...))
	for pattern, handler := range media.Routes(meditations, s.Log) {
		s.Handle(pattern, s.RPC.HTTP(handlers.Member, handler))
	}
	library := func(piece shared.Piece) *shared.Library {
		l := shared.New(piece, blobs, made.recorder, time.Now, s.Log)
		s.Go(piece.Name, l.Run)
		s.Handle("GET /media/"+piece.Name+"/{file}", s.RPC.HTTP(handlers.Anybody, media.Shared(l, s.Log)))
		return l
	}
	s.HandleRPC(generationv1connect.NewGroundingServiceHandler(handlers.NewGrounding(library(shared.Grounding)), s.RPC.Options()...))
	s.HandleRPC(generationv1connect.NewSampleServiceHandler(handlers.NewSample(library(shared.Sample)), s.RPC.Options()...))
	return nil
}
