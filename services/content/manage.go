package content

import (
	"context"
	"time"

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
	"serein.app/services/platform/service"
)

// manage lets editors work, and shows the pictures that they publish.
func manage(s *service.Service, cfg Config, content *postgres.Store, files blob.Store) error {
	s.AllowLarger(contentv1connect.ManagementServiceUploadAssetProcedure, handlers.MaxUpload)
	handlers.NewManagement(content, files).Routes(s.HandleRPC, s.RPC.Options()...)
	keys, err := assetKeys(cfg.Delivery)
	if err != nil {
		return err
	}
	s.Handle("GET /media/assets/{hash}/{name}", s.RPC.HTTP(handlers.AssetRule(), media.NewAssets(content, files, keys, s.Log)))
	return nil
}

// openStudio lets admins make meditations and articles.
func openStudio(s *service.Service, cfg Config, content *postgres.Store, offer catalogue.Catalogue) error {
	classifier, err := classify.Load()
	if err != nil {
		return err
	}
	types, err := classify.LoadTypes()
	if err != nil {
		return err
	}
	speaker := generationv1connect.NewNarrationServiceClient(s.Dialer.To("generation", cfg.GenerationURL))
	handlers.NewStudio(studio.New(content, offer, classifier, types, time.Now), speaker).Routes(s.HandleRPC, s.RPC.Options()...)
	return nil
}

// keepAssets keeps files of assets in the blob store.
func keepAssets(files blob.Store) seeding.Keep {
	return func(ctx context.Context, name string, content []byte) error {
		_, err := assets.Keep(ctx, files, name, content)
		return err
	}
}
