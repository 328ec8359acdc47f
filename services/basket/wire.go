package basket

import (
	"time"

	"github.com/google/uuid"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/basket/internal/content"
	"serein.app/services/basket/internal/events"
	store "serein.app/services/basket/internal/postgres"
	"serein.app/services/basket/internal/rpc"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/service"
)

// build is the only wiring.
func build(s *service.Service, cfg Config, now func() time.Time) error {
	s.Retain(store.Retention()...)
	counted, err := newCounters(s.Tel.Metrics.Meter("serein/basket"))
	if err != nil {
		return err
	}
	baskets := store.New(s.DB, s.Outbox, now, uuid.NewV7)
	shop := content.New(contentv1connect.NewShopServiceClient(s.Dialer.To("content", cfg.ContentURL)), now, counted.catalogueFailed, s.Log)
	s.HandleRPC(basketv1connect.NewBasketServiceHandler(rpc.New(baskets, shop, now, uuid.NewV7, counted.refused), s.RPC.Options()...))
	consumers, err := events.Consumers(s.DB, Name, baskets)
	if err != nil {
		return err
	}
	for _, c := range consumers {
		s.Consume(c)
	}
	return s.Erase(erasure.AtOnce, erasure.Tell(s.Outbox, events.Erased))
}
