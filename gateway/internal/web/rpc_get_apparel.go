package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetApparel answers the things that are sent by post, the same to everybody.
func (s *Screens) GetApparel(ctx context.Context, _ *webv1.GetApparelRequest) (*webv1.GetApparelResponse, error) {
	found, err := s.shopCatalogue(ctx)
	if err != nil {
		return nil, err
	}
	text := found.GetApparel()
	return &webv1.GetApparelResponse{
		Title: text.GetTitle(), Description: text.GetDescription(), Notes: each(text.GetNotes(), note),
		Products: each(found.GetProducts(), func(p *contentv1.ShopProduct) *webv1.Product { return product(p, found.prices) }),
	}, nil
}

func note(n *contentv1.ShopNote) *webv1.Note {
	return &webv1.Note{Title: n.GetTitle(), Text: n.GetText()}
}

func product(p *contentv1.ShopProduct, charged *prices) *webv1.Product {
	out := &webv1.Product{
		Id: p.GetId(), Name: p.GetName(), Description: p.GetDescription(), Details: p.GetDetails(), SoldOut: p.GetSoldOut(),
		Sizes: each(p.GetSizes(), productSize), Picture: productPicture(p),
	}
	out.Price, out.Purchasable = charged.money(sku{id: p.GetId()}, p.GetPrice())
	return out
}

func productSize(s *contentv1.ShopSize) *webv1.ProductSize {
	return &webv1.ProductSize{Name: s.GetName(), SoldOut: s.GetSoldOut()}
}

func productPicture(p *contentv1.ShopProduct) *webv1.Picture {
	if p.GetPicture() == "" {
		return nil
	}
	return &webv1.Picture{Url: mediaURL(p.GetPicture()), Alt: p.GetAlt()}
}
