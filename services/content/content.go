// Package content is the content service: what the bespoke generator offers, and the ambient
// sounds that may lie beneath a meditation.
package content

import (
	"context"
	"errors"

	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
	"serein.app/services/platform/mtls"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
)

// Name of the service.
const Name = "content"

// Config of the service, from the environment.
type Config struct {
	Server server.Config
	Auth   auth.Config
	TLS    mtls.Config
	// BlobURL of the ambient sounds: "file:///dir" or "s3://KEY:SECRET@host/bucket".
	BlobURL config.URL `env:"BLOB_URL,required"`
	// LameWasm is the path of the encoder's module.
	LameWasm string `env:"LAME_WASM,required"`
	// WasmCacheDir keeps the compiled module, so that only the first start compiles it.
	WasmCacheDir string `env:"WASM_CACHE_DIR,required"`
}

// Validate finds what cannot work.
func (c Config) Validate() error { return errors.Join(c.Auth.Validate(), c.TLS.Validate()) }

// Program is the service as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{Name: Name, Run: Run}
}

// Run serves until ctx ends. Ambient sounds that are missing are made meanwhile.
func Run(ctx context.Context, cfg Config) error {
	return service.Run(ctx, Name, cfg.shared(), handlers.Policy(), func(_ context.Context, s *service.Service) error {
		return build(s, cfg, synthesiser{module: cfg.LameWasm, cacheDir: cfg.WasmCacheDir})
	})
}

// shared is what the service has of what all have: it has no database.
func (c Config) shared() service.Config {
	return service.Config{Server: c.Server, Auth: c.Auth, TLS: c.TLS}
}
