// Package generation is the generation service: bespoke meditations, written, narrated and kept
// for one member. This file is its only wiring.
package generation

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/google/uuid"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/billing"
	"serein.app/services/generation/internal/content"
	"serein.app/services/generation/internal/files"
	"serein.app/services/generation/internal/jobs"
	"serein.app/services/generation/internal/media"
	"serein.app/services/generation/internal/meditation"
	store "serein.app/services/generation/internal/postgres"
	handlers "serein.app/services/generation/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/server"
	"serein.app/services/platform/telemetry"
)

// Name of the service.
const Name = "generation"

// Config of the service, from the environment.
type Config struct {
	Server   server.Config
	Database postgres.Config
	Auth     auth.Config
	BusURL   string `env:"NATS_URL,required"`
	// BillingURL and ContentURL are the base addresses of the two services it asks.
	BillingURL string `env:"BILLING_URL,required"`
	ContentURL string `env:"CONTENT_URL,required"`
	// BlobURL of the recordings: "file:///dir" or "s3://KEY:SECRET@host/bucket".
	BlobURL config.URL `env:"BLOB_URL,required"`
	// FliteWasm and LameWasm are the paths of the narrator's and the encoder's modules.
	FliteWasm string `env:"FLITE_WASM,required"`
	LameWasm  string `env:"LAME_WASM,required"`
	// WasmCacheDir keeps the compiled modules, so that only the first start compiles them.
	WasmCacheDir string `env:"WASM_CACHE_DIR,required"`
	// Narrators is how many passages are narrated at once; 0 means one a processor.
	Narrators int `env:"NARRATORS" envDefault:"0"`
	// Lease of a piece of work; see meditation.DefaultLease.
	Lease time.Duration `env:"WORK_LEASE" envDefault:"15s"`
}

// Validate finds what cannot work.
func (c Config) Validate() error {
	faults := []error{c.Auth.Validate()}
	if c.Narrators < 0 || c.Narrators > 256 {
		faults = append(faults, errors.New("NARRATORS: want 0 to 256"))
	}
	if c.Lease < time.Second || c.Lease > meditation.HoldTime {
		faults = append(faults, errors.New("WORK_LEASE: want 1s to 30m"))
	}
	return errors.Join(faults...)
}

// scriptsPerNarrator meditations share each narrator. Narration is some twenty times faster
// than listening, so it is better that several members hear their first sentence at once than
// that one has the whole before the next begins.
const scriptsPerNarrator = 4

// narrators is the number of passages narrated at once.
func (c Config) narrators() int {
	if c.Narrators == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Narrators
}

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return store.Migrate(ctx, ownerURL) }

// Run serves until ctx ends. Work under way is given back then, and goes on at the next start.
func Run(ctx context.Context, cfg Config) (err error) {
	tel, err := telemetry.Setup(ctx, Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tel.Shutdown(context.WithoutCancel(ctx))) }()
	s, err := openStudio(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close(context.WithoutCancel(ctx))) }()
	srv, err := build(ctx, cfg, s, tel)
	if err != nil {
		return err
	}
	return srv.Run(ctx)
}

// build wires everything to a server that is ready to run. What it opens, the server closes.
func build(ctx context.Context, cfg Config, s studio, tel *telemetry.Telemetry) (*server.Server, error) {
	srv := server.New(Name, cfg.Server, tel)
	db, err := postgres.Open(ctx, cfg.Database, tel)
	if err != nil {
		return nil, err
	}
	srv.Defer(func(context.Context) error { db.Close(); return nil })
	srv.Ready("database", db.Ping)
	broker, err := bus.Connect(cfg.BusURL, Name, tel.Log)
	if err != nil {
		return nil, err
	}
	srv.Defer(func(context.Context) error { broker.Close(); return nil })

	events := outbox.New(db, broker, Name, tel.Log, time.Now)
	bell := store.NewBell(db.Config().ConnConfig, tel.Log)
	service, err := newService(cfg, s, tel, meditation.Ports{
		Store: store.New(db, events), Bell: bell,
	})
	if err != nil {
		return nil, err
	}
	sweeps, err := platformjobs.New(db, jobs.Workers(service, events), map[string]int{"default": 1}, jobs.Periodic(), tel.Log)
	if err != nil {
		return nil, err
	}
	worker := meditation.NewWorker(service, scriptsPerNarrator*cfg.narrators(), cfg.Lease)
	srv.Go("events", events.Run)
	srv.Go("bell", bell.Run)
	srv.Go("sweeps", platformjobs.Run(sweeps, tel.Log))
	srv.Go("narrators", worker.Run)
	return srv, serve(srv, cfg, service, tel)
}

// newService completes the ports: other services, files and the studio.
func newService(cfg Config, s studio, tel *telemetry.Telemetry, p meditation.Ports) (*meditation.Service, error) {
	signer, err := auth.NewSigner(Name, cfg.Auth.ServiceKey)
	if err != nil {
		return nil, err
	}
	dialer, err := rpc.NewDialer(signer, tel)
	if err != nil {
		return nil, err
	}
	blobs, err := blob.Open(cfg.BlobURL.Reveal())
	if err != nil {
		return nil, err
	}
	p.Credits = billing.New(billingv1connect.NewCreditServiceClient(dialer.To("billing", cfg.BillingURL)))
	p.Catalogue = content.New(contentv1connect.NewCatalogueServiceClient(dialer.To("content", cfg.ContentURL)), time.Now, tel.Log)
	p.Blobs = files.New(blobs)
	p.Writer, p.Narrator, p.CheckTitle = s.writer, s.narrator, s.checkTitle
	p.Now, p.Log = time.Now, tel.Log
	p.NewID = func() string { return uuid.Must(uuid.NewV7()).String() }
	return meditation.New(p), nil
}

// serve mounts the RPCs and the sound, all behind the proof of caller.
func serve(srv *server.Server, cfg Config, service *meditation.Service, tel *telemetry.Telemetry) error {
	verifier, err := auth.NewVerifier(Name, cfg.Auth)
	if err != nil {
		return err
	}
	guard, err := rpc.NewServer(verifier, handlers.Policy(), tel)
	if err != nil {
		return err
	}
	srv.HandleRPC(generationv1connect.NewMeditationServiceHandler(handlers.New(service), guard.Options()...))
	for pattern, handler := range media.Routes(service, tel.Log) {
		srv.Handle(pattern, guard.HTTP(handlers.Member, handler))
	}
	return nil
}
