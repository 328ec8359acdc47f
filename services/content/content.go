// Package content is the content service: what the bespoke generator offers, and the ambient
// sounds that may lie beneath a meditation. This file is its only wiring.
package content

import (
	"context"
	"errors"

	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/content/internal/catalogue"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/content/internal/tracks"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/config"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/server"
	"serein.app/services/platform/telemetry"
)

// Name of the service.
const Name = "content"

// Config of the service, from the environment.
type Config struct {
	Server server.Config
	Auth   auth.Config
	// BlobURL of the ambient sounds: "file:///dir" or "s3://KEY:SECRET@host/bucket".
	BlobURL config.URL `env:"BLOB_URL,required"`
	// LameWasm is the path of the encoder's module.
	LameWasm string `env:"LAME_WASM,required"`
	// WasmCacheDir keeps the compiled module, so that only the first start compiles it.
	WasmCacheDir string `env:"WASM_CACHE_DIR,required"`
}

// Validate finds what cannot work.
func (c Config) Validate() error { return c.Auth.Validate() }

// Run serves until ctx ends. Ambient sounds that are missing are made meanwhile.
func Run(ctx context.Context, cfg Config) (err error) {
	tel, err := telemetry.Setup(ctx, Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tel.Shutdown(context.WithoutCancel(ctx))) }()
	srv, err := build(cfg, house{module: cfg.LameWasm, cacheDir: cfg.WasmCacheDir}, tel)
	if err != nil {
		return err
	}
	return srv.Run(ctx)
}

// build wires everything to a server that is ready to run.
func build(cfg Config, maker tracks.Maker, tel *telemetry.Telemetry) (*server.Server, error) {
	offer, err := catalogue.Load()
	if err != nil {
		return nil, err
	}
	store, err := blob.Open(cfg.BlobURL.Reveal())
	if err != nil {
		return nil, err
	}
	verifier, err := auth.NewVerifier(Name, cfg.Auth)
	if err != nil {
		return nil, err
	}
	guard, err := rpc.NewServer(verifier, handlers.Policy(), tel)
	if err != nil {
		return nil, err
	}
	shelf := tracks.NewShelf(store, maker, trackIDs(offer), tel.Log)
	srv := server.New(Name, cfg.Server, tel)
	srv.Go("tracks", shelf.Run)
	srv.HandleRPC(contentv1connect.NewCatalogueServiceHandler(handlers.NewCatalogue(offer, shelf), guard.Options()...))
	srv.Handle("GET /media/tracks/{file}", guard.HTTP(handlers.TrackRule(), shelf))
	return srv, nil
}

func trackIDs(offer catalogue.Catalogue) (ids []string) {
	for _, t := range offer.Tracks {
		ids = append(ids, t.ID)
	}
	return ids
}
