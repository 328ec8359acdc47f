package rpc

import (
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/markup"
	"serein.app/services/content/internal/shop"
)

func toProtoShop(s shop.Shop) *contentv1.GetShopResponse {
	res := &contentv1.GetShopResponse{
		Memberships: &contentv1.MembershipsText{
			Title: s.Memberships.Title, Subtitle: s.Memberships.Subtitle, Billing: s.Memberships.Billing,
			QuestionsTitle: s.Memberships.QuestionsTitle,
		},
		Apparel: &contentv1.ApparelText{Title: s.Apparel.Title, Description: s.Apparel.Description},
	}
	for _, p := range s.Plans {
		res.Plans = append(res.Plans, toProtoPlan(p))
	}
	for _, p := range s.Packs {
		res.Packs = append(res.Packs, &contentv1.ShopPack{
			Id: p.ID, Name: p.Name, Description: p.Description, Credits: p.Credits, Price: toProtoAmount(p.Price), Saving: p.Saving,
		})
	}
	for _, p := range s.Products {
		res.Products = append(res.Products, toProtoProduct(p))
	}
	for _, i := range s.Items() {
		res.Items = append(res.Items, &contentv1.ShopItem{
			ProductId: i.ProductID, Size: i.Size, Kind: string(i.Kind), Name: i.Name, Price: toProtoAmount(i.Price), Credits: i.Credits, SoldOut: i.SoldOut,
		})
	}
	for _, q := range s.Memberships.Questions {
		res.Memberships.Questions = append(res.Memberships.Questions, &contentv1.ShopQuestion{Question: q.Question, Answer: markup.HTML(q.Answer)})
	}
	for _, n := range s.Apparel.Notes {
		res.Apparel.Notes = append(res.Apparel.Notes, &contentv1.ShopNote{Title: n.Title, Text: n.Text})
	}
	return res
}

func toProtoPlan(p shop.Plan) *contentv1.ShopPlan {
	return &contentv1.ShopPlan{
		Id: p.ID, Name: p.Name, Kind: p.Kind, Strapline: p.Strapline, Badge: p.Badge, Features: p.Features, Entitlements: p.Entitlements,
		Monthly: toProtoPeriod(p.Monthly), Yearly: toProtoPeriod(p.Yearly),
		TrialDays: p.TrialDays, InvitedTrialDays: p.InvitedTrialDays, TrialCredits: p.TrialCredits, Order: p.Order,
	}
}

func toProtoPeriod(p *shop.Period) *contentv1.ShopPeriod {
	if p == nil {
		return nil
	}
	return &contentv1.ShopPeriod{Price: toProtoAmount(p.Price), Credits: p.Credits}
}

func toProtoAmount(a shop.Amount) *contentv1.Amount {
	return &contentv1.Amount{Value: a.Value, Currency: a.Currency}
}

func toProtoProduct(p shop.Product) *contentv1.ShopProduct {
	product := &contentv1.ShopProduct{
		Id: p.ID, Slug: p.Slug, Name: p.Name, Description: p.Description, Details: p.Details, Price: toProtoAmount(p.Price),
		SoldOut: p.SoldOut, Picture: p.Picture, Alt: p.Alt,
	}
	for _, s := range p.Sizes {
		product.Sizes = append(product.Sizes, &contentv1.ShopSize{Name: s.Name, SoldOut: s.SoldOut})
	}
	return product
}
