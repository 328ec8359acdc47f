package web

import (
	"context"

	"connectrpc.com/connect"

	"serein.app/gateway/internal/guest"
	basketv1 "serein.app/proto/gen/serein/basket/v1"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// goneName stands where neither content nor billing knows a line's product any more.
const goneName = "Something we no longer sell"

// changeBasket makes one change and answers the basket after it. It reads the catalogue first, so that it changes nothing that it could
// not show. A visitor without a basket gets one, and every change restarts the lifetime of the basket's cookie.
func (s *Screens) changeBasket(ctx context.Context, change func(guestID string) (*basketv1.Basket, error)) (*webv1.Basket, error) {
	found, err := s.shopCatalogue(ctx)
	if err != nil {
		return nil, err
	}
	id := guestOf(ctx)
	if memberOf(ctx) == nil && id == "" {
		id = guest.NewID()
	}
	changed, err := change(id)
	if err != nil {
		return nil, err
	}
	if call, ok := connect.CallInfoForHandlerContext(ctx); ok && id != "" {
		guest.SetCookie(call.ResponseHeader(), id)
	}
	return found.basket(changed), nil
}

// basket is a basket as it is shown, by the names and prices of now.
func (g *shopCatalogue) basket(b *basketv1.Basket) *webv1.Basket {
	out := &webv1.Basket{Version: b.GetVersion(), CanUndo: b.GetCanUndo(), PromotionCodes: g.prices.promotionCodes()}
	for _, l := range b.GetLines() {
		line := g.line(l)
		if line.GetSavedAt() != nil {
			out.Saved = append(out.Saved, line)
			continue
		}
		out.Lines = append(out.Lines, line)
		out.Count += line.GetQuantity()
		out.Delivery = out.GetDelivery() || line.GetKind() == webv1.BasketItemKind_BASKET_ITEM_KIND_PRODUCT
		if costs := line.GetPrice(); costs != nil {
			out.Total = money(out.GetTotal().GetAmount()+costs.GetAmount()*int64(line.GetQuantity()), costs.GetCurrency())
		}
	}
	if out.GetDelivery() {
		out.DeliveryPrice = someMoney(g.prices.deliveryAmount(), out.GetTotal().GetCurrency())
	}
	return out
}

// basketKinds are the same in both contracts by intent; written out so that neither can drift.
var basketKinds = map[billingv1.ItemKind]webv1.BasketItemKind{
	billingv1.ItemKind_ITEM_KIND_MEMBERSHIP:  webv1.BasketItemKind_BASKET_ITEM_KIND_MEMBERSHIP,
	billingv1.ItemKind_ITEM_KIND_CREDIT_PACK: webv1.BasketItemKind_BASKET_ITEM_KIND_CREDIT_PACK,
	billingv1.ItemKind_ITEM_KIND_PRODUCT:     webv1.BasketItemKind_BASKET_ITEM_KIND_PRODUCT,
}

// line joins a line with what content shows of its product and what billing charges for it.
func (g *shopCatalogue) line(l *basketv1.BasketLine) *webv1.BasketLine {
	i := sku{l.GetProductId(), l.GetSize()}
	on := g.lookup(i)
	charged := g.prices.of(i)
	out := &webv1.BasketLine{
		Id: l.GetId(), ProductId: i.id, Size: i.size, Quantity: l.GetQuantity(), SavedAt: l.GetSavedAt(),
		Kind: on.kind, Name: on.name, Credits: on.credits, Picture: on.picture,
	}
	if charged != nil {
		out.Kind, out.Credits = basketKinds[charged.GetKind()], charged.GetCredits()
	}
	if out.GetName() == "" {
		out.Name = goneName
		if charged != nil {
			out.Name = charged.GetName()
		}
	}
	var purchasable bool
	out.Price, purchasable = g.prices.money(i, on.price)
	out.Unavailable = !on.there || !purchasable
	out.QuantityFixed = out.GetKind() == webv1.BasketItemKind_BASKET_ITEM_KIND_MEMBERSHIP ||
		out.GetKind() == webv1.BasketItemKind_BASKET_ITEM_KIND_CREDIT_PACK
	if costs := out.GetPrice(); costs != nil && l.GetShownCurrency() != "" && (costs.GetAmount() != l.GetShownAmount() || costs.GetCurrency() != l.GetShownCurrency()) {
		out.Was = money(l.GetShownAmount(), l.GetShownCurrency())
	}
	return out
}

// listing is what content shows of one item; the zero value: content does not know the item.
type listing struct {
	kind    webv1.BasketItemKind
	name    string
	price   *contentv1.Amount
	credits int64
	picture *webv1.Picture
	// there: it can be had in that size.
	there bool
}

// lookup is an item as content shows it. Ids are unique over plans, packs and products.
func (s *contentCatalogue) lookup(i sku) listing {
	item := s.item(i)
	out := listing{there: item != nil && !item.GetSoldOut()}
	if plan, ok := s.plans[i.id]; ok {
		out.kind, out.name = webv1.BasketItemKind_BASKET_ITEM_KIND_MEMBERSHIP, plan.GetName()
	} else if pack, ok := s.packs[i.id]; ok {
		out.kind, out.name = webv1.BasketItemKind_BASKET_ITEM_KIND_CREDIT_PACK, pack.GetName()
	} else if thing, ok := s.products[i.id]; ok {
		out.kind, out.name, out.picture = webv1.BasketItemKind_BASKET_ITEM_KIND_PRODUCT, thing.GetName(), productPicture(thing)
	}
	if sells := s.items[i.id]; item == nil && len(sells) > 0 && out.kind != webv1.BasketItemKind_BASKET_ITEM_KIND_MEMBERSHIP {
		item = sells[0] // a size that is not sold costs what the others do
	}
	out.price, out.credits = item.GetPrice(), item.GetCredits()
	return out
}

// outcomes are the same in both contracts by intent; written out so that neither can drift.
var outcomes = map[basketv1.Outcome]webv1.AddOutcome{
	basketv1.Outcome_OUTCOME_ADDED:                webv1.AddOutcome_ADD_OUTCOME_ADDED,
	basketv1.Outcome_OUTCOME_ALREADY_THERE:        webv1.AddOutcome_ADD_OUTCOME_ALREADY_THERE,
	basketv1.Outcome_OUTCOME_OTHERS_SAVED:         webv1.AddOutcome_ADD_OUTCOME_OTHERS_SAVED,
	basketv1.Outcome_OUTCOME_SAVED:                webv1.AddOutcome_ADD_OUTCOME_SAVED,
	basketv1.Outcome_OUTCOME_MEMBERSHIP_IN_BASKET: webv1.AddOutcome_ADD_OUTCOME_MEMBERSHIP_IN_BASKET,
	basketv1.Outcome_OUTCOME_MOST:                 webv1.AddOutcome_ADD_OUTCOME_MOST,
}
