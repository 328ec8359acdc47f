// Package content is the content service: it keeps and serves the published texts and sounds, the options of the bespoke
// generator, and the ambient tracks that play beneath a meditation. See README.md.
package content

import (
	"context"
	"errors"

	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/content/internal/events"
	"serein.app/services/content/internal/narrate"
	store "serein.app/services/content/internal/postgres"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/content/internal/upstream"
	"serein.app/services/platform/config"
	"serein.app/services/platform/service"
)

// Name of the service.
const Name = "content"

// Config of the service, from the environment.
type Config struct {
	service.Config
	// BlobURL is where sounds and assets are kept: file:///folder, or
	// s3://KEY:SECRET@host:9000/bucket?tls=true&region=eu-north-1.
	BlobURL config.URL `env:"BLOB_URL,required"`
	// LameWasm is the path of the MP3 encoder's WebAssembly module.
	LameWasm string `env:"LAME_WASM,required"`
	// WasmCacheDir is the folder that keeps the compiled module, so that only the first start compiles it.
	WasmCacheDir string `env:"WASM_CACHE_DIR,required"`
	// GenerationURL is the base address of the service that narrates, and that members' own meditations are at.
	GenerationURL string `env:"GENERATION_URL,required"`
	// Narrate says which published texts are narrated: all, made (those of the workroom alone) or none.
	// A text that has its sound keeps it in any case.
	Narrate  narrate.Scope `env:"NARRATE" envDefault:"all"`
	Delivery DeliveryConfig
	// Upstream is another delivery API, whose content is mirrored instead of the editors' files; none: nothing is.
	Upstream upstream.Config
}

// Validate finds what cannot work.
func (c *Config) Validate() error {
	return errors.Join(c.Config.Validate(), c.Delivery.Validate(), c.Upstream.Validate())
}

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return store.Migrate(ctx, ownerURL) }

// Program is the service as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{
		Name: Name, Run: Run, Migrate: Migrate, Retention: store.Retention(),
		Consumes: append([]proto.Message{new(eventsv1.ItemNarrated)}, events.Consumes()...),
	}
}

// Run serves until ctx ends. In the background it makes missing ambient sounds and applies the files of seed/ to the database.
func Run(ctx context.Context, cfg Config) error {
	return service.Run(ctx, Name, cfg.Config, handlers.Policy(), func(ctx context.Context, s *service.Service) error {
		return build(ctx, s, cfg, synthesiser{module: cfg.LameWasm, cacheDir: cfg.WasmCacheDir})
	})
}
