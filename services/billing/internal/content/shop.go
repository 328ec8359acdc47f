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
	"serein.app/services/platform/itemkind"
)

// Shop is the client. What it answers is kept by the store, which is asked from then on.
type Shop struct {
	client contentv1connect.ShopServiceClient
}

var _ sales.Shop = (*Shop)(nil)

// New makes a Shop of a signed client.
func New(client contentv1connect.ShopServiceClient) *Shop { return &Shop{client} }

// Catalogue gives what content sells. A catalogue that cannot be is refused whole: without plans, without exactly one trial,
// with an item of an unknown kind, with two things of one name or a price that is none.
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
	}
	for _, i := range res.GetItems() {
		c.Items = add(c.Items, i)
	}
	return c
}

// add adds an item. The sizes of a product become one item, since the provider has one price for them all; check refuses a product
// whose sizes do not cost the same.
func add(items []sales.Item, i *contentv1.ShopItem) []sales.Item {
	it := sales.Item{
		ProductID: i.GetProductId(), Size: i.GetSize(), Kind: itemkind.Kind(i.GetKind()), Name: i.GetName(),
		Amount: i.GetPrice().GetValue(), Currency: i.GetPrice().GetCurrency(), Credits: i.GetCredits(), Listed: true,
	}
	if it.Kind != itemkind.Product {
		return append(items, it)
	}
	it.Size, it.NoneLeft = "", i.GetSoldOut()
	if i.GetSize() == "" {
		return append(items, it)
	}
	last := len(items) - 1
	if last < 0 || !sameProduct(items[last], it) {
		items, last = append(items, it), last+1
	}
	sized := &items[last]
	sized.Sizes = append(sized.Sizes, i.GetSize())
	if i.GetSoldOut() {
		sized.SoldOut = append(sized.SoldOut, i.GetSize())
	}
	sized.NoneLeft = sized.NoneLeft && i.GetSoldOut()
	return items
}

// sameProduct says whether a further size belongs to the product that was added last.
func sameProduct(last, it sales.Item) bool {
	return len(last.Sizes) > 0 && last.ProductID == it.ProductID && last.Amount == it.Amount && last.Currency == it.Currency
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
		if !it.Kind.Known() {
			return fmt.Errorf("%w: %q is a %q", errCatalogue, key, it.Kind)
		}
		if it.ProductID == "" || it.Name == "" || it.Amount <= 0 || len(it.Currency) != 3 || it.Credits < 0 || seen[key] {
			return fmt.Errorf("%w: %q costs %d %q, or stands there twice", errCatalogue, key, it.Amount, it.Currency)
		}
		seen[key] = true
	}
	return nil
}
