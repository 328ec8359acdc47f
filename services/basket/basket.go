// Package basket owns the baskets of members and what they saved for later. See README.md.
package basket

import (
	"context"

	store "serein.app/services/basket/internal/postgres"
	"serein.app/services/basket/internal/rpc"
	"serein.app/services/platform/service"
)

// Name of the service.
const Name = "basket"

// Config of the service; see README.md for the variables.
type Config struct{ service.Config }

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return store.Migrate(ctx, ownerURL) }

// Program is the service as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{Name: Name, Run: Run, Migrate: Migrate, Retention: store.Retention()}
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	return service.Run(ctx, Name, cfg.Config, rpc.Policy(), build)
}
