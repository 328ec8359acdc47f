// Package content keeps what is sold at hand, as the content service says it, so that an addition does not wait for it and does
// not fail while it is away. It believes no price that a caller names.
package content

import (
	"context"
	"log/slog"
	"time"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/basket/internal/basket"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/cached"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/itemkind"
)

const (
	// life of an answer; it is used longer while content does not give another.
	life = 30 * time.Second
	// pause after a failed question.
	pause = 5 * time.Second
)

// askTime bounds a question, and so the wait of those who ask meanwhile.
var askTime = deadline.Of(2 * time.Second)

// Shop is the cached catalogue of the content service.
type Shop struct {
	sold *cached.Value[basket.Catalogue]
}

// New makes a Shop from a client that signs its calls. failed is called for every question that got no answer.
func New(client contentv1connect.ShopServiceClient, now func() time.Time, failed func(context.Context), log *slog.Logger) *Shop {
	return &Shop{cached.New(cached.Config[basket.Catalogue]{
		Ask: func(ctx context.Context) (basket.Catalogue, error) {
			// The answer is for all callers, so the question names no member: the caller that causes it may act for somebody else.
			res, err := client.GetShop(auth.WithSubject(ctx, auth.Subject{}), &contentv1.GetShopRequest{})
			if err != nil {
				return nil, err
			}
			return toCatalogue(res), nil
		},
		// Waited for: after an hour without an addition, the next must not be shown the price of an hour ago.
		Time: askTime, Life: life, Wait: true, Pause: pause, Now: now,
		Failed: func(ctx context.Context, err error) {
			failed(ctx)
			log.WarnContext(ctx, "what is sold cannot be read", "error", err)
		},
	})}
}

// Catalogue answers what is sold: the last good answer while the content service is away, and an error only where there never
// was one.
func (s *Shop) Catalogue(ctx context.Context) (basket.Catalogue, error) { return s.sold.Get(ctx) }

// toCatalogue groups the items by their products. An item of a kind that the basket does not know cannot be added.
func toCatalogue(res *contentv1.GetShopResponse) basket.Catalogue {
	sold := basket.Catalogue{}
	for _, i := range res.GetItems() {
		kind := itemkind.Kind(i.GetKind())
		if !kind.Known() {
			continue
		}
		if _, there := sold[i.GetProductId()]; !there {
			sold[i.GetProductId()] = basket.CatalogueItem{Kind: kind, Sizes: map[string]basket.Size{}}
		}
		sold[i.GetProductId()].Sizes[i.GetSize()] = basket.Size{
			SoldOut: i.GetSoldOut(), Amount: i.GetPrice().GetValue(), Currency: i.GetPrice().GetCurrency(),
		}
	}
	return sold
}
