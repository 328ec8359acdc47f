package rpc

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/shop"
	"serein.app/services/platform/auth"
)

// shopCaching lets public caches keep the shop for 30 seconds, so that an editor's new price is charged soon.
const shopCaching = "public, max-age=30"

// shopPolicy lets the services that show, collect and charge offers read the shop. Calls name no member.
func shopPolicy() auth.Policy {
	return auth.Policy{contentv1connect.ShopServiceGetShopProcedure: {Services: []string{"gateway", "basket", "billing"}}}
}

// ShopStore has what editors have published.
type ShopStore interface {
	PagesOfTypes(ctx context.Context, contentTypes ...string) (map[string][]reading.Page, error)
	Pictures(ctx context.Context, ids []string) (map[string]reading.Picture, error)
}

// Shop answers ShopService.
type Shop struct {
	store ShopStore
	log   *slog.Logger

	mu     sync.Mutex
	faults []shop.Fault // those that the log has
}

var _ contentv1connect.ShopServiceHandler = (*Shop)(nil)

// NewShop makes the handler.
func NewShop(store ShopStore, log *slog.Logger) *Shop { return &Shop{store: store, log: log} }

// GetShop answers everything that is sold, in one snapshot. What an editor wrote so that it cannot be sold is left out.
func (s *Shop) GetShop(ctx context.Context, _ *contentv1.GetShopRequest) (*contentv1.GetShopResponse, error) {
	pages, err := s.store.PagesOfTypes(ctx, shop.ContentTypes()...)
	if err != nil {
		return nil, err
	}
	sold, faults := shop.Of(pages)
	s.tell(ctx, faults)
	pictures, err := s.store.Pictures(ctx, sold.PictureIDs())
	if err != nil {
		return nil, err
	}
	sold.AttachPictures(pictures)
	res := toProtoShop(sold)
	if err := mayCache(ctx, res, shopCaching); err != nil {
		return nil, err
	}
	return res, nil
}

// tell says in the log what is not sold, once: the shop is read every few seconds.
func (s *Shop) tell(ctx context.Context, faults []shop.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range faults {
		if !slices.Contains(s.faults, f) {
			s.log.ErrorContext(ctx, "an entry of the shop cannot be sold as it is", "entry", f.ID, "why", f.Why)
		}
	}
	s.faults = faults
}
