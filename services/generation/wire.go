package generation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/billing"
	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/content"
	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/jobs"
	"serein.app/services/generation/internal/media"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/metrics"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narrator/limits"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/generation/internal/publication"
	handlers "serein.app/services/generation/internal/rpc"
	"serein.app/services/generation/internal/script"
	"serein.app/services/generation/internal/shared"
	"serein.app/services/generation/internal/spoken"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/inbox"
	"serein.app/services/platform/seal"
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
	scripts := budget.New(kept, budget.Writing, cfg.WriterConfig.limits(), time.Now)
	links, err := seal.New(cfg.Auth.ServiceKey, "", "generation links")
	if err != nil {
		return err
	}
	meditations := meditation.New(meditation.Ports{
		Store: kept, Notifier: notifier, Metrics: counted,
		Credits:   billing.New(billingv1connect.NewCreditServiceClient(s.Dialer.To("billing", cfg.BillingURL))),
		Catalogue: content.New(contentv1connect.NewCatalogueServiceClient(s.Dialer.To("content", cfg.ContentURL)), time.Now, s.Log),
		Blobs:     blobs, Sealer: links,
		Writer:   writerOf(s.Log, cfg.WriterConfig, made.writer, scripts, counted),
		Rewriter: script.Rewriter{}, Recorder: made.recorder, CheckTitle: made.checkTitle,
		Now: time.Now, Log: s.Log,
		NewID: func() uuid.UUID { return uuid.Must(uuid.NewV7()) },
	})
	narrations := publication.New(publication.Ports{
		Store: kept, Recorder: made.recorder, Members: meditations, Blobs: blobs, Notifier: notifier, Metrics: counted, Now: time.Now, Log: s.Log,
	})
	said := spoken.New(spoken.Ports{
		Synthesiser: made.synthesiser, Blobs: blobs, Index: kept, Metrics: counted, Limit: cfg.SpokenBytes, Now: time.Now, Log: s.Log,
	})
	made.recorder.SpeakWith(builtIn, said)
	s.Go("spoken", said.Run)
	if err := engage(s, cfg, made, said.Ports, kept, counted); err != nil {
		return err
	}
	queues := map[string]int{river.QueueDefault: 1, jobs.SpokenQueue: 1}
	if _, err := s.Work(jobs.Workers(jobs.All{meditations, narrations}, said), queues, jobs.Periodic()); err != nil {
		return err
	}
	if err := metrics.Watch(s.Tel.Metrics, meditations.Load, made.recorder.Pace, time.Now); err != nil {
		return err
	}
	if err := metrics.WatchNarrations(s.Tel.Metrics, kept.CountNarrations); err != nil {
		return err
	}
	if err := metrics.WatchSpoken(s.Tel.Metrics, kept.SpokenBytes); err != nil {
		return err
	}
	left, err := membersLeave(s.DB, kept)
	if err != nil {
		return err
	}
	for _, consumer := range left {
		s.Consume(consumer)
	}
	erase := func(ctx context.Context, d erasure.Deletion) error {
		if err := meditations.Erase(ctx, d); err != nil {
			return err
		}
		return kept.ForgetSpent(ctx, d.UID)
	}
	if err := s.Erase(erase, erasure.Tell(s.Outbox, events.Erased)); err != nil {
		return err
	}
	s.Go("load", meditations.WatchLoad)
	if cfg.Role.narrates() {
		worker := cfg.worker()
		s.Go("worker", meditation.NewWorkshop(meditations, worker, meditationsPerWorker*cfg.recorderWorkers()).Run)
		s.Go("narrations", publication.NewWorker(narrations, worker.ID).Run)
	}
	if cfg.Role.answers() {
		serve(s, meditations, narrations, blobs, made, cfg.recipient())
	}
	return nil
}

// engage has the outside narrators of the configuration speak too. What they said is kept as what the built-in ones said is.
func engage(s *service.Service, cfg Config, made recorder, keep spoken.Ports, kept *store.Store, counted *metrics.Metrics) error {
	synthesisers, file, err := cfg.Outside.Open(limits.Ports{
		Budget: budget.New(kept, budget.Speech, cfg.Outside.Limits(), time.Now), Metrics: counted, Log: s.Log,
	})
	if err != nil || len(synthesisers) == 0 {
		return err
	}
	named := narration.Synthesisers{}
	for name, synthesiser := range synthesisers {
		named[name] = synthesiser
	}
	if err := made.recorder.Engage(file, named); err != nil {
		return fmt.Errorf("NARRATORS_FILE: %w", err)
	}
	for name, synthesiser := range synthesisers {
		keep.Synthesiser = synthesiser
		said := spoken.New(keep)
		made.recorder.SpeakWith(name, said)
		s.Go("spoken by "+name, said.Run)
	}
	return nil
}

// underWay is longer than a request lives that the gateway let through before its member left, and clocks differ.
const underWay = 30 * time.Second

// membersLeave hears of members who leave. Once one has asked for the account to be deleted their links end; when it is deleted all else
// goes too, the files before the rows.
func membersLeave(db *pgxpool.Pool, kept *store.Store) ([]bus.Consumer, error) {
	scheduled, err := inbox.Consumer(db, Name, func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.DeletionScheduled]) error {
		until := event.Time.Add(underWay)
		return kept.EndSharesOf(ctx, tx, event.UID, &until)
	})
	deleted, fault := erasure.Consumer(db, Name, func(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
		return kept.EndSharesOf(ctx, tx, uid, nil)
	})
	return []bus.Consumer{scheduled, deleted}, errors.Join(err, fault)
}

// serve mounts what the other services ask for.
func serve(s *service.Service, meditations *meditation.Service, narrations *publication.Service, blobs blob.Store, made recorder, writerRecipient string) {
	s.HandleRPC(generationv1connect.NewMeditationServiceHandler(handlers.New(meditations), s.RPC.Options()...))
	for pattern, handler := range media.Routes(meditations, s.Log) {
		s.Handle(pattern, s.RPC.HTTP(handlers.Member, handler))
	}
	s.HandleRPC(generationv1connect.NewDraftServiceHandler(handlers.NewDrafts(meditations), s.RPC.Options()...))
	s.HandleRPC(generationv1connect.NewShareServiceHandler(handlers.NewShares(meditations), s.RPC.Options()...))
	s.Handle("GET /v1/shares/audio", s.RPC.HTTP(handlers.Anybody, media.OfShare(meditations, s.Log)))
	s.HandleRPC(generationv1connect.NewNarrationServiceHandler(handlers.NewNarrations(narrations), s.RPC.Options()...))
	s.Handle("GET /v1/narrations/{id}/audio", s.RPC.HTTP(handlers.Content, media.Narration(narrations, s.Log)))
	s.Handle("GET /v1/narrations/{id}/words", s.RPC.HTTP(handlers.Content, media.NarrationWords(narrations, s.Log)))
	serveShared(s, blobs, made, writerRecipient)
}

// serveShared mounts the recordings that belong to no member.
func serveShared(s *service.Service, blobs blob.Store, made recorder, writerRecipient string) {
	library := func(piece shared.Piece) *shared.Library {
		l := shared.New(piece, blobs, made.recorder, time.Now, s.Log)
		s.Go(piece.Name, l.Run)
		return l
	}
	grounding, samples := library(shared.Grounding), shared.Samples{Minute: library(shared.Sample), WriterRecipient: writerRecipient}
	for _, n := range made.recorder.Narrators() {
		samples.Voices = append(samples.Voices, shared.Voice{Narrator: n, Library: library(shared.VoiceOf(n))})
	}
	s.Handle("GET /media/grounding/{file}", s.RPC.HTTP(handlers.Anybody, media.Shared(grounding, s.Log)))
	s.Handle("GET /media/sample/{file}", s.RPC.HTTP(handlers.Anybody, media.Shared(samples, s.Log)))
	s.HandleRPC(generationv1connect.NewGroundingServiceHandler(handlers.NewGrounding(grounding), s.RPC.Options()...))
	s.HandleRPC(generationv1connect.NewSampleServiceHandler(handlers.NewSample(samples), s.RPC.Options()...))
}
