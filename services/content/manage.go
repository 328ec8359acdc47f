package content

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/content/internal/assets"
	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/classify"
	"serein.app/services/content/internal/media"
	"serein.app/services/content/internal/postgres"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/content/internal/seeding"
	"serein.app/services/content/internal/studio"
	"serein.app/services/platform/blob"
	platform "serein.app/services/platform/postgres"
	"serein.app/services/platform/service"
)

// manage lets editors work, and shows the pictures that they publish.
func manage(s *service.Service, cfg Config, content *postgres.Store, files *assets.Files) error {
	s.AllowLarger(contentv1connect.ManagementServiceUploadAssetProcedure, handlers.MaxUpload)
	handlers.NewManagement(content, files.Keep).Routes(s.HandleRPC, s.RPC.Options()...)
	keys, err := assetKeys(cfg.Delivery)
	if err != nil {
		return err
	}
	s.Handle("GET /media/assets/{hash}/{name}", s.RPC.HTTP(handlers.AssetRule(), media.NewAssets(content, files.Blobs, keys, s.Log)))
	return nil
}

// openStudio lets admins make meditations and articles.
func openStudio(s *service.Service, cfg Config, stores postgres.Stores, offer catalogue.Catalogue) error {
	classifier, err := classify.Load()
	if err != nil {
		return err
	}
	types, err := classify.LoadTypes()
	if err != nil {
		return err
	}
	speaker := generationv1connect.NewNarrationServiceClient(s.Dialer.To("generation", cfg.GenerationURL))
	handlers.NewStudio(studio.New(stores.Entries, stores.Narrations, offer, classifier, types, time.Now), speaker).Routes(s.HandleRPC, s.RPC.Options()...)
	return nil
}

// keepFiles keeps the files of assets in the blob store, and removes those that no asset names any more, in one process at a time.
func keepFiles(s *service.Service, kept assets.Store, store blob.Store) (*assets.Files, error) {
	files, err := assets.NewFiles(assets.Ports{
		Store: kept, Blobs: store, Now: time.Now, Log: s.Log,
		Lead: func(ctx context.Context, work func(context.Context) error) error {
			_, err := platform.Lead(ctx, s.DB, "serein.content.assets", func(ctx context.Context, _ *pgxpool.Conn) error { return work(ctx) })
			return err
		},
	}, s.Tel.Metrics.Meter("serein/content"))
	if err != nil {
		return nil, err
	}
	s.Go("asset files", files.Run)
	return files, nil
}

// keepSeeded keeps the editors' own.
func keepSeeded(files *assets.Files) seeding.Keep {
	return func(ctx context.Context, name string, content []byte) error {
		_, err := files.Keep(ctx, name, content)
		return err
	}
}
