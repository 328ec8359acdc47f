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
		Products: each(found.GetProducts(), func(p *contentv1.ShopProduct) *webv1.Product { return product(p, found) }),
	}, nil
}

func note(n *contentv1.ShopNote) *webv1.Note {
	return &webv1.Note{Title: n.GetTitle(), Text: n.GetText()}
}

func product(p *contentv1.ShopProduct, shop *shopCatalogue) *webv1.Product {
	out := &webv1.Product{
		Id: p.GetId(), Name: p.GetName(), Description: p.GetDescription(), Details: p.GetDetails(), SoldOut: true, Picture: productPicture(p),
	}
	var shown *contentv1.Amount // the same for every size
	for _, i := range shop.items[p.GetId()] {
		shown = i.GetPrice()
		out.SoldOut = out.GetSoldOut() && i.GetSoldOut()
		if i.GetSize() != "" {
			out.Sizes = append(out.Sizes, &webv1.ProductSize{Name: i.GetSize(), SoldOut: i.GetSoldOut()})
		}
	}
	out.Price, out.Purchasable = shop.prices.money(sku{id: p.GetId()}, shown)
	return out
}

func productPicture(p *contentv1.ShopProduct) *webv1.Picture {
	if p.GetPicture() == "" {
		return nil
	}
	return &webv1.Picture{Url: mediaURL(p.GetPicture()), Alt: p.GetAlt()}
}
