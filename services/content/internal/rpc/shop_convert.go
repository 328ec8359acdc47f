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
			Id: p.ID, Name: p.Name, Description: p.Description, Saving: p.Saving,
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
	addDeprecated(res, s)
	return res
}

// addDeprecated answers what items say as the release before this one reads it: prices, sizes and what is sold out, beside each plan,
// pack and product. A later release drops these fields.
//
//nolint:staticcheck // these fields are deprecated, and still answered
func addDeprecated(res *contentv1.GetShopResponse, s shop.Shop) {
	for i, p := range s.Plans {
		res.Plans[i].Monthly, res.Plans[i].Yearly = toProtoPeriod(p.Monthly), toProtoPeriod(p.Yearly)
	}
	for i, p := range s.Packs {
		res.Packs[i].Credits, res.Packs[i].Price = p.Credits, toProtoAmount(p.Price)
	}
	for i, p := range s.Products {
		of := res.GetProducts()[i]
		of.Price, of.SoldOut = toProtoAmount(p.Price), p.SoldOut
		for _, size := range p.Sizes {
			of.Sizes = append(of.Sizes, &contentv1.ShopSize{Name: size.Name, SoldOut: size.SoldOut})
		}
	}
}

func toProtoPlan(p shop.Plan) *contentv1.ShopPlan {
	return &contentv1.ShopPlan{
		Id: p.ID, Name: p.Name, Kind: p.Kind, Strapline: p.Strapline, Badge: p.Badge, Features: p.Features, Entitlements: p.Entitlements,
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
	return &contentv1.ShopProduct{
		Id: p.ID, Slug: p.Slug, Name: p.Name, Description: p.Description, Details: p.Details, Picture: p.Picture, Alt: p.Alt,
	}
}
