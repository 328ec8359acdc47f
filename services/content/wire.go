package content

import (
	"time"

	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/media"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/content/internal/tracks"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/service"
)

// build is the only wiring.
func build(s *service.Service, cfg Config, made tracks.Synthesiser) error {
	offer, err := catalogue.Load()
	if err != nil {
		return err
	}
	store, err := blob.Open(cfg.BlobURL.Reveal())
	if err != nil {
		return err
	}
	s.Go("leftovers", blob.KeepTidy(store, s.Log))
	library := tracks.NewLibrary(store, made, trackIDs(offer), time.Now, s.Log)
	s.Go("tracks", library.Run)
	s.HandleRPC(contentv1connect.NewCatalogueServiceHandler(handlers.NewCatalogue(offer, library), s.RPC.Options()...))
	s.Handle("GET /media/tracks/{file}", s.RPC.HTTP(handlers.TrackRule(), media.NewTracks(library, s.Log)))
	return nil
}

func trackIDs(offer catalogue.Catalogue) (ids []string) {
	for _, t := range offer.Tracks {
		ids = append(ids, t.ID)
	}
	return ids
}
