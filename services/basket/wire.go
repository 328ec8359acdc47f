package basket

import (
	"context"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	store "serein.app/services/basket/internal/postgres"
	"serein.app/services/basket/internal/rpc"
	"serein.app/services/platform/service"
)

// build is the only wiring.
func build(_ context.Context, s *service.Service) error {
	s.Retain(store.Retention()...)
	s.HandleRPC(basketv1connect.NewBasketServiceHandler(rpc.New(store.New(s.DB)), s.RPC.Options()...))
	return nil
}
