package content

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/content/internal/assets"
	"serein.app/services/content/internal/bespoke"
	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/classify"
	"serein.app/services/content/internal/events"
	"serein.app/services/content/internal/generation"
	"serein.app/services/content/internal/media"
	"serein.app/services/content/internal/narrate"
	"serein.app/services/content/internal/postgres"
	readingstore "serein.app/services/content/internal/reading/postgres"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/content/internal/search"
	"serein.app/services/content/internal/seeding"
	"serein.app/services/content/internal/tracks"
	"serein.app/services/content/internal/upstream"
	"serein.app/services/content/seed"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/inbox"
	"serein.app/services/platform/pause"
	platform "serein.app/services/platform/postgres"
	"serein.app/services/platform/service"
)

// build is the only wiring.
func build(ctx context.Context, s *service.Service, cfg Config, made tracks.Synthesiser) error {
	offer, err := catalogue.Load()
	if err != nil {
		return err
	}
	store, err := blob.Open(cfg.BlobURL.Reveal())
	if err != nil {
		return err
	}
	s.Go("leftovers", blob.KeepTidy(store, s.Log))
	stores := postgres.Open(s.DB, s.Outbox, time.Now)
	content := stores.Entries
	s.Retain(postgres.Retention()...)
	seeded := make(chan struct{})
	files, err := keepFiles(s, stores.Assets, store)
	if err != nil {
		return err
	}
	age, err := fill(s, cfg.Upstream, content, files, seeded)
	if err != nil {
		return err
	}
	s.Ready("first content", func(context.Context) error {
		select {
		case <-seeded:
			return nil
		default:
			return errors.New("the editors' files are being read") // and pages would be half empty
		}
	})
	s.Go("cards", renewCards(stores.Pages))
	library := tracks.NewLibrary(store, made, trackIDs(offer), time.Now, s.Log)
	s.Go("tracks", library.Run)
	s.HandleRPC(contentv1connect.NewCatalogueServiceHandler(handlers.NewCatalogue(offer, library, stores.Pages), s.RPC.Options()...))
	s.Handle("GET /media/tracks/{file}", s.RPC.HTTP(handlers.TrackRule(), media.NewTracks(library, s.Log)))
	if err := narrate.Watch(s.Tel.Metrics.Meter("serein/content"), stores.Narrations.CountNarrations); err != nil {
		return err
	}
	narrations, err := narrateAll(s, cfg, seeded, narrate.Ports{Store: stores.Narrations, Blobs: store, Scripts: narrate.NewScripts(offer), Now: time.Now, Log: s.Log})
	if err != nil {
		return err
	}
	readers := func(path string, h http.Handler) { s.HandleRPC(path, age.On(h)) }
	readers(contentv1connect.NewShopServiceHandler(handlers.NewShop(stores.Pages, s.Log), s.RPC.Options()...))
	if err := openStudio(s, cfg, stores, offer); err != nil {
		return err
	}
	if err := manage(s, cfg, content, files); err != nil {
		return err
	}
	own, err := serveSearch(s, cfg, stores, readers)
	if err != nil {
		return err
	}
	handlers.NewReading(handlers.ReadingPorts{
		Pages: stores.Pages, Kept: stores.Kept, Places: stores.Places, Courses: stores.Courses, Diary: stores.Diary, Filed: stores.Search, Narrations: stores.Narrations,
		Own: own, Narrators: handlers.NewNarrators(offer), Opened: narrations.Opened, Now: time.Now,
	}).Routes(readers, s.RPC.Options()...)
	return serveDelivery(ctx, s, cfg.Delivery, age)
}

// fill brings content into the database: the editors' files, or what an upstream has. Then it gives the mirror's age. seeded is
// closed when the files are in.
func fill(s *service.Service, cfg upstream.Config, content *postgres.Store, files *assets.Files, seeded chan<- struct{}) (age contentage.Source, err error) {
	meter := s.Tel.Metrics.Meter("serein/content")
	if !cfg.On() {
		seeder := seeding.New(seed.FS, content, keepSeeded(files), s.Log)
		s.Go("seeding", func(ctx context.Context) error {
			defer close(seeded)
			return seeder.Run(ctx)
		})
		return nil, seeder.Watch(meter)
	}
	close(seeded) // there are no files to wait for
	mirror, err := upstream.New(cfg, content, meter, time.Now, s.Log)
	if err != nil {
		return nil, err
	}
	s.Go("mirror", mirror.Run)
	s.Go("mirror's age", mirror.Watch)
	return mirror.Age, nil
}

// narrateAll has what is published narrated, in one process at a time. It begins when the editors' files are in the
// database, so that a first start narrates in the right order. Sounds that are there are heard in any case.
func narrateAll(s *service.Service, cfg Config, seeded <-chan struct{}, ports narrate.Ports) (*narrate.Service, error) {
	ports.Narrator = generation.New(s.Dialer, cfg.GenerationURL)
	ports.Lead = func(ctx context.Context, work func(context.Context, func(context.Context) error) error) (bool, error) {
		return platform.Lead(ctx, s.DB, "serein.content.narrations", func(ctx context.Context, conn *pgxpool.Conn) error {
			return work(ctx, conn.Ping)
		})
	}
	ports.Scope = cfg.Narrate
	narrations, err := narrate.New(ports, s.Tel.Metrics.Meter("serein/content"))
	if err != nil {
		return nil, err
	}
	if cfg.Narrate != narrate.None {
		s.Go("narrations", func(ctx context.Context) error {
			select {
			case <-seeded:
			case <-ctx.Done():
			}
			return narrations.Run(ctx)
		})
	}
	s.Handle("GET /media/narrations/{file}", s.RPC.HTTP(handlers.TrackRule(), media.Narrations(narrations, s.Log)))
	narrated, err := inbox.Consumer(s.DB, Name, func(context.Context, pgx.Tx, inbox.Event[*eventsv1.ItemNarrated]) error {
		narrations.Nudge() // the narrator itself is asked how far it is
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Consume(narrated)
	return narrations, nil
}

// serveSearch answers searches, and keeps what they find of members' own. It gives what knows whose those are.
func serveSearch(s *service.Service, cfg Config, stores postgres.Stores, readers func(path string, h http.Handler)) (handlers.Own, error) {
	classifier, err := classify.Load()
	if err != nil {
		return nil, err
	}
	own := stores.Search.Bespoke(bespoke.File(classifier))
	scripts := bespoke.New(own, generationv1connect.NewMeditationServiceClient(s.Dialer.To("generation", cfg.GenerationURL)), time.Now, s.Log)
	s.Go("index", stores.Search.KeepIndex(s.Log))
	s.Go("scripts", scripts.Run)
	consumers, err := events.Consumers(s.DB, own, stores)
	if err != nil {
		return nil, err
	}
	for _, c := range consumers {
		s.Consume(c)
	}
	if err := s.Erase(erasure.AtOnce, erasure.Tell(s.Outbox, events.Erased)); err != nil {
		return nil, err
	}
	readers(contentv1connect.NewSearchServiceHandler(handlers.NewSearch(search.New(stores.Search.SearchIndex()), stores.Pages, scripts.Fill), s.RPC.Options()...))
	return scripts, nil
}

// renewCards brings the cards up to date, tries again for as long as the database is away, and looks again every hour: an older
// release that still runs beside this one makes cards as it did.
func renewCards(pages *readingstore.Store) func(context.Context) error {
	return func(ctx context.Context) error {
		for wait := time.Duration(0); pause.For(ctx, wait) == nil; {
			if wait = time.Hour; pages.RenewCards(ctx) != nil {
				wait = 5 * time.Second
			}
		}
		return nil
	}
}

func trackIDs(offer catalogue.Catalogue) (ids []string) {
	for _, t := range offer.Tracks {
		ids = append(ids, t.ID)
	}
	return ids
}
