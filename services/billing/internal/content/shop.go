// Package content reads what is sold from the content service.
package content

import (
	"context"
	"errors"
	"fmt"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
)

// Shop is the client. What it answers is kept by the store, which is asked from then on.
type Shop struct {
	client contentv1connect.ShopServiceClient
}

var _ sales.Shop = (*Shop)(nil)

// New makes a Shop of a signed client.
func New(client contentv1connect.ShopServiceClient) *Shop { return &Shop{client} }

// Catalogue gives what content sells. A catalogue that cannot be is refused whole: without plans, without exactly one trial,
// with two things of one name or a price that is none.
func (s *Shop) Catalogue(ctx context.Context) (sales.Catalogue, error) {
	res, err := s.client.GetShop(ctx, &contentv1.GetShopRequest{})
	if err != nil {
		return sales.Catalogue{}, err
	}
	c := toCatalogue(res)
	return c, check(c)
}

func toCatalogue(res *contentv1.GetShopResponse) sales.Catalogue {
	var c sales.Catalogue
	for _, p := range res.GetPlans() {
		c.Plans = append(c.Plans, plans.Plan{
			ID: p.GetId(), Name: p.GetName(), Kind: plans.Kind(p.GetKind()), Order: p.GetOrder(), Badge: p.GetBadge(), Description: p.GetStrapline(),
			Features: p.GetFeatures(), Entitlements: p.GetEntitlements(),
			TrialDays: p.GetTrialDays(), InvitedTrialDays: p.GetInvitedTrialDays(), TrialCredits: p.GetTrialCredits(),
		})
		for _, period := range []struct {
			size string
			of   *contentv1.ShopPeriod
		}{{"month", p.GetMonthly()}, {"year", p.GetYearly()}} {
			if period.of != nil {
				c.Items = append(c.Items, item(p.GetId(), period.size, sales.Membership, p.GetName(), period.of.GetPrice(), period.of.GetCredits()))
			}
		}
	}
	for _, p := range res.GetPacks() {
		c.Items = append(c.Items, item(p.GetId(), "", sales.CreditPack, p.GetName(), p.GetPrice(), p.GetCredits()))
	}
	for _, p := range res.GetProducts() {
		it := item(p.GetId(), "", sales.Product, p.GetName(), p.GetPrice(), 0)
		it.NoneLeft = p.GetSoldOut()
		for _, size := range p.GetSizes() {
			it.Sizes = append(it.Sizes, size.GetName())
			if size.GetSoldOut() {
				it.SoldOut = append(it.SoldOut, size.GetName())
			}
		}
		c.Items = append(c.Items, it)
	}
	return c
}

func item(id, size string, kind sales.ItemKind, name string, price *contentv1.Amount, credits int64) sales.Item {
	return sales.Item{
		ProductID: id, Size: size, Kind: kind, Name: name, Amount: price.GetValue(), Currency: price.GetCurrency(), Credits: credits, Listed: true,
	}
}

var errCatalogue = errors.New("the catalogue cannot be sold by")

func check(c sales.Catalogue) error {
	trials := 0
	for _, p := range c.Plans {
		switch p.Kind {
		case plans.Trial:
			trials++
		case plans.Member, plans.Generate, plans.Enquiry:
		default:
			return fmt.Errorf("%w: plan %q is a %q", errCatalogue, p.ID, p.Kind)
		}
	}
	if trials != 1 {
		return fmt.Errorf("%w: it has %d trials", errCatalogue, trials)
	}
	seen := map[string]bool{}
	for _, it := range c.Items {
		key := it.LookupKey()
		if it.ProductID == "" || it.Name == "" || it.Amount <= 0 || len(it.Currency) != 3 || it.Credits < 0 || seen[key] {
			return fmt.Errorf("%w: %q costs %d %q, or stands there twice", errCatalogue, key, it.Amount, it.Currency)
		}
		seen[key] = true
	}
	return nil
}
