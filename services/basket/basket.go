// Package basket owns the baskets of guests and members, what they saved for later, and what members have bought. See README.md.
package basket

import (
	"context"
	"time"

	"serein.app/services/basket/internal/events"
	store "serein.app/services/basket/internal/postgres"
	"serein.app/services/basket/internal/rpc"
	"serein.app/services/platform/service"
)

// Name of the service.
const Name = "basket"

// Config of the service; see README.md for the variables.
type Config struct {
	service.Config
	// ContentURL is the address of the content service, which says what is sold.
	ContentURL string `env:"CONTENT_URL,required"`
}

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return store.Migrate(ctx, ownerURL) }

// Program is the service as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{Name: Name, Run: Run, Migrate: Migrate, Retention: store.Retention(), Consumes: events.Consumes()}
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	return service.Run(ctx, Name, cfg.Config, rpc.Policy(), func(_ context.Context, s *service.Service) error { return build(s, cfg, time.Now) })
}
