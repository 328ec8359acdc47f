package generation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/billing"
	"serein.app/services/generation/internal/content"
	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/jobs"
	"serein.app/services/generation/internal/media"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/metrics"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/generation/internal/publication"
	handlers "serein.app/services/generation/internal/rpc"
	"serein.app/services/generation/internal/shared"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/erasure"
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
	kept := store.New(s.DB, s.Outbox)
	meditations := meditation.New(meditation.Ports{
		Store: kept, Notifier: notifier, Metrics: counted,
		Credits:   billing.New(billingv1connect.NewCreditServiceClient(s.Dialer.To("billing", cfg.BillingURL))),
		Catalogue: content.New(contentv1connect.NewCatalogueServiceClient(s.Dialer.To("content", cfg.ContentURL)), time.Now, s.Log),
		Blobs:     blobs,
		Writer:    made.writer, Recorder: made.recorder, CheckTitle: made.checkTitle,
		Now: time.Now, Log: s.Log,
		NewID: func() uuid.UUID { return uuid.Must(uuid.NewV7()) },
	})
	narrations := publication.New(publication.Ports{
		Store: kept, Recorder: made.recorder, Members: meditations, Blobs: blobs, Notifier: notifier, Metrics: counted, Now: time.Now, Log: s.Log,
	})
	if _, err := s.Work(jobs.Workers(jobs.All{meditations, narrations}), map[string]int{"default": 1}, jobs.Periodic()); err != nil {
		return err
	}
	if err := metrics.Watch(s.Tel.Metrics, meditations.Load, made.recorder.Pace, time.Now); err != nil {
		return err
	}
	if err := metrics.WatchNarrations(s.Tel.Metrics, kept.CountNarrations); err != nil {
		return err
	}
	deleted, err := erasure.Consumer(s.DB, Name, func(context.Context, pgx.Tx, uuid.UUID) error { return nil }) // the files go first
	if err != nil {
		return err
	}
	s.Consume(deleted)
	if err := s.Erase(meditations.Erase, erasure.Tell(s.Outbox, events.Erased)); err != nil {
		return err
	}
	s.Go("load", meditations.WatchLoad)
	if cfg.Role.narrates() {
		worker := cfg.worker()
		s.Go("worker", meditation.NewWorkshop(meditations, worker, meditationsPerWorker*cfg.recorderWorkers()).Run)
		s.Go("narrations", publication.NewWorker(narrations, worker.ID).Run)
	}
	if cfg.Role.answers() {
		serve(s, meditations, narrations, blobs, made)
	}
	return nil
}

// serve mounts what the other services ask for.
func serve(s *service.Service, meditations *meditation.Service, narrations *publication.Service, blobs blob.Store, made recorder) {
	s.HandleRPC(generationv1connect.NewMeditationServiceHandler(handlers.New(meditations), s.RPC.Options()...))
	for pattern, handler := range media.Routes(meditations, s.Log) {
		s.Handle(pattern, s.RPC.HTTP(handlers.Member, handler))
	}
	s.HandleRPC(generationv1connect.NewNarrationServiceHandler(handlers.NewNarrations(narrations), s.RPC.Options()...))
	s.Handle("GET /v1/narrations/{id}/audio", s.RPC.HTTP(handlers.Content, media.Narration(narrations, s.Log)))
	library := func(piece shared.Piece) *shared.Library {
		l := shared.New(piece, blobs, made.recorder, time.Now, s.Log)
		s.Go(piece.Name, l.Run)
		s.Handle("GET /media/"+piece.Name+"/{file}", s.RPC.HTTP(handlers.Anybody, media.Shared(l, s.Log)))
		return l
	}
	s.HandleRPC(generationv1connect.NewGroundingServiceHandler(handlers.NewGrounding(library(shared.Grounding)), s.RPC.Options()...))
	s.HandleRPC(generationv1connect.NewSampleServiceHandler(handlers.NewSample(library(shared.Sample)), s.RPC.Options()...))
}
