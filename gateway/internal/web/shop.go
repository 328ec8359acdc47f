package web

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"serein.app/gateway/internal/upstream"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/cached"
	"serein.app/services/platform/errs"
)

const (
	// shopLife is how long what is sold is shown before it is asked for again: as long as a page.
	shopLife = 5 * time.Second
	// shopPause is how long a service is left alone after it did not answer.
	shopPause = 2 * time.Second
)

// shop keeps what content shows of what is sold, and what billing charges for it.
type shop struct {
	content *cached.Value[*contentCatalogue]
	prices  *cached.Value[*prices]
}

// sku is what is sold: a plan, a pack or a product, in one size or for one period.
type sku struct{ id, size string }

// contentCatalogue is what content shows of what is sold, at the time asOf: items can be bought, plans, packs and products say what is
// shown of them. It is shared and never changed.
type contentCatalogue struct {
	*contentv1.GetShopResponse

	asOf time.Time
	// items by the plan, pack or product that they belong to.
	items    map[string][]*contentv1.ShopItem
	plans    map[string]*contentv1.ShopPlan
	packs    map[string]*contentv1.ShopPack
	products map[string]*contentv1.ShopProduct
}

// prices are billing's. They are shared and never changed; nil is a list without any.
type prices struct {
	*billingv1.ListPricesResponse

	byItem map[sku]*billingv1.ItemPrice
}

// shopCatalogue is what is sold, as content shows it and with the prices that billing charges.
type shopCatalogue struct {
	*contentCatalogue

	prices *prices
}

// newShop keeps both for a moment. Who finds that over waits for the next answer, so that nobody is shown for long what is not
// charged; while a service is away its last answer stands.
func newShop(content contentv1connect.ShopServiceClient, billing billingv1connect.PriceServiceClient, log *slog.Logger, now func() time.Time) shop {
	shown := publicAnswer("what is sold", log, now, func(ctx context.Context) (*contentCatalogue, error) {
		ctx, heard := upstream.WithAge(ctx)
		asked := now()
		res, err := content.GetShop(ctx, &contentv1.GetShopRequest{})
		if err != nil {
			return nil, err
		}
		age, _ := heard.Get()
		return newContentCatalogue(res, asked.Add(-age)), nil
	})
	charged := publicAnswer("prices", log, now, func(ctx context.Context) (*prices, error) {
		res, err := billing.ListPrices(ctx, &billingv1.ListPricesRequest{})
		if err != nil {
			return nil, err
		}
		return newPrices(res), nil
	})
	shown.Time, shown.Life, shown.Pause, shown.Wait = partTime, shopLife, shopPause, true
	charged.Time, charged.Life, charged.Pause, charged.Wait = partTime, shopLife, shopPause, true
	return shop{content: cached.New(shown), prices: cached.New(charged)}
}

func newContentCatalogue(res *contentv1.GetShopResponse, asOf time.Time) *contentCatalogue {
	out := &contentCatalogue{
		GetShopResponse: res, asOf: asOf, items: map[string][]*contentv1.ShopItem{}, plans: map[string]*contentv1.ShopPlan{},
		packs: map[string]*contentv1.ShopPack{}, products: map[string]*contentv1.ShopProduct{},
	}
	for _, i := range res.GetItems() {
		out.items[i.GetProductId()] = append(out.items[i.GetProductId()], i)
	}
	for _, p := range res.GetPlans() {
		out.plans[p.GetId()] = p
	}
	for _, p := range res.GetPacks() {
		out.packs[p.GetId()] = p
	}
	for _, p := range res.GetProducts() {
		out.products[p.GetId()] = p
	}
	return out
}

// item is what can be bought; nil where content does not sell that size.
func (s *contentCatalogue) item(i sku) *contentv1.ShopItem {
	for _, found := range s.items[i.id] {
		if found.GetSize() == i.size {
			return found
		}
	}
	return nil
}

func newPrices(res *billingv1.ListPricesResponse) *prices {
	out := &prices{ListPricesResponse: res, byItem: map[sku]*billingv1.ItemPrice{}}
	for _, p := range res.GetPrices() {
		out.byItem[sku{p.GetProductId(), p.GetSize()}] = p
	}
	return out
}

// of is the price of an item; nil where billing sells no such thing. Every size of a product costs the same.
func (p *prices) of(i sku) *billingv1.ItemPrice {
	if p == nil {
		return nil
	}
	if found, ok := p.byItem[i]; ok {
		return found
	}
	found := p.byItem[sku{id: i.id}]
	if found.GetKind() != billingv1.ItemKind_ITEM_KIND_PRODUCT {
		return nil
	}
	return found
}

// deliveryAmount and vatPercent are 0 where nothing is known of them.
func (p *prices) deliveryAmount() int64 {
	if p == nil {
		return 0
	}
	return p.GetDeliveryAmount()
}

// promotionCodes says whether the hosted checkout asks for one.
func (p *prices) promotionCodes() bool { return p != nil && p.GetPromotionCodes() }

func (p *prices) vatPercent() int32 {
	if p == nil {
		return 0
	}
	return p.GetVatPercent()
}

// money is what an item costs: what billing charges, or else what content says, which cannot be bought just now.
func (p *prices) money(i sku, said *contentv1.Amount) (costs *webv1.Money, purchasable bool) {
	if found := p.of(i); found != nil {
		return money(found.GetAmount(), found.GetCurrency()), found.GetPurchasable()
	}
	if said == nil {
		return nil, false
	}
	return money(said.GetValue(), said.GetCurrency()), false
}

func money(amount int64, currency string) *webv1.Money {
	return &webv1.Money{Amount: amount, Currency: currency}
}

// someMoney is the amount as Money; nil for zero.
func someMoney(amount int64, currency string) *webv1.Money {
	if amount == 0 {
		return nil
	}
	return money(amount, currency)
}

// shopCatalogue is what is sold. Without billing nothing can be bought, but all can be looked at. Errors: UNAVAILABLE where content has
// not answered since the start.
func (s *Screens) shopCatalogue(ctx context.Context) (*shopCatalogue, error) {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	out := &shopCatalogue{}
	var parts sync.WaitGroup
	parts.Go(func() { out.prices, _ = s.shop.prices.Get(ctx) }) // its failures are logged where they are found
	var err error
	out.contentCatalogue, err = s.shop.content.Get(ctx)
	parts.Wait()
	if err != nil {
		return nil, errs.ErrUnavailable.Because(err)
	}
	upstream.SetContentAge(ctx, s.Now().Sub(out.asOf))
	return out, nil
}

// Prices are what can be bought, as billing charges it. They are shared and never changed.
func (s *Screens) Prices(ctx context.Context) ([]*billingv1.ItemPrice, error) {
	found, err := s.shop.prices.Get(ctx)
	if err != nil {
		return nil, err
	}
	return found.GetPrices(), nil
}
