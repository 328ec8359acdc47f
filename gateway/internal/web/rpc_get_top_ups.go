package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetTopUps answers the packs of credits, and whether the caller's plan lets them buy any.
func (s *Screens) GetTopUps(ctx context.Context, _ *webv1.GetTopUpsRequest) (*webv1.GetTopUpsResponse, error) {
	found, v, err := s.seen(ctx)
	if err != nil {
		return nil, err
	}
	subscription := v.account.GetSubscription()
	return &webv1.GetTopUpsResponse{
		TopUps:  each(found.GetPacks(), func(p *contentv1.ShopPack) *webv1.TopUp { return v.topUp(p, found) }),
		Allowed: topUps(subscription), Trial: onTrial(subscription),
	}, nil
}

func (v *viewer) topUp(p *contentv1.ShopPack, shop *shopCatalogue) *webv1.TopUp {
	i := sku{id: p.GetId()}
	shown := shop.item(i)
	out := &webv1.TopUp{
		Id: p.GetId(), Name: p.GetName(), Description: p.GetDescription(), Credits: shown.GetCredits(), Saving: p.GetSaving(), InBasket: v.basket[i],
	}
	out.Price, out.Purchasable = shop.prices.money(i, shown.GetPrice())
	if found := shop.prices.of(i); found != nil {
		out.Credits = found.GetCredits()
	}
	return out
}
