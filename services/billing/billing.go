// Package billing owns plans, the free trial and the credit ledger. See README.md.
package billing

import (
	"context"

	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/rpc"
	"serein.app/services/platform/service"
)

// Name of the service.
const Name = "billing"

// Config of the service; see README.md for the variables.
type Config struct{ service.Config }

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return store.Migrate(ctx, ownerURL) }

// Program is the service as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{
		Name: Name, Run: Run, Migrate: Migrate, Retention: store.Retention(), Consumes: []proto.Message{new(eventsv1.UserConfirmed)},
	}
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	return service.Run(ctx, Name, cfg.Config, rpc.Policy(), build)
}
